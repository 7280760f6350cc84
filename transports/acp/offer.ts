/** What an ACP service offers beyond what it always does: configured by its user, the same on every transport. */
import { PROFILES, type Switches } from "./profile.ts";

/** A way to authenticate. Where it names a variable, whoever starts Troupe has to set it. */
export type AuthMethod = { id: string; name: string; description?: string; variable?: string };
/** What the protocol leaves to an agent. */
export const OPTIONAL_METHODS = [
  "session/load",
  "session/resume",
  "session/list",
  "session/close",
  "session/delete",
] as const;
export type OptionalMethod = (typeof OPTIONAL_METHODS)[number];
export type Offer = {
  switches: Switches;
  auth: { methods: AuthMethod[]; required: boolean };
  /** `session/fork`, which is unstable. */
  fork: boolean;
  /** Methods that are neither named nor served. */
  without: readonly OptionalMethod[];
  /** Whether a prompt goes on, this once, where its client cannot be asked whether it may. */
  permissionMode: "required" | "permissive";
  /** How long a prompt waits for its client's consent, in milliseconds; null: for ever. */
  permissionTimeoutMs: number | null;
  /** What a prompt without a command runs, where its session says nothing. */
  defaultWorkflow: string | null;
};

export const OFFER: Offer = {
  switches: PROFILES.acp,
  auth: { methods: [], required: false },
  fork: false,
  without: [],
  permissionMode: "required",
  permissionTimeoutMs: null,
  defaultWorkflow: null,
};

/** Said at the start, where it holds. */
export const PERMISSIVE =
  "permissive: a prompt runs without consent where its client cannot be asked; questions of steps and tools are asked as ever";
