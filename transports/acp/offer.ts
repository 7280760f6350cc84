/** What an ACP service offers beyond what it always does: configured by its user, the same on every transport. */
import { PROFILES, type Switches } from "./profile.ts";

/** A way to authenticate. A variable that it names has to be set where Troupe is started. */
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
  /** Whether a prompt may run, this once, where its client cannot be asked. */
  permissionMode: "required" | "permissive";
  /** How long a prompt waits for its client's consent, in milliseconds; null: for ever. */
  permissionTimeoutMs: number | null;
  /** What a prompt without a command runs, where its session says nothing. */
  defaultWorkflow: string | null;
  /** Whether a later process finds what was run. */
  keeps: boolean;
  /** Where this user's page of runs is served now; null where it is not. */
  page: () => string | null;
};

export const OFFER: Offer = {
  switches: PROFILES.acp,
  auth: { methods: [], required: false },
  fork: false,
  without: [],
  permissionMode: "required",
  permissionTimeoutMs: null,
  defaultWorkflow: null,
  keeps: true,
  page: () => null,
};

/** Said at the start, where it holds. */
export const PERMISSIVE =
  "permissive: a prompt runs without consent where its client cannot be asked; questions of steps and tools are asked as ever";
