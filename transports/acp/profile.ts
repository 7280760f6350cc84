/**
 * How the protocol is spoken: one table of switches. `acp` is the protocol as its specification and its clients have
 * it; `ski` is the older WebSocket specification to the letter. Each switch can be set alone.
 */
import type { Ordering } from "../../projections/acp/order.ts";

export type Switches = Ordering & {
  /** The error of a second prompt while one runs. */
  concurrentPromptCode: -32600 | -32602;
  /** What an `initialize` for another version gets. */
  versionMismatch: "answer 1" | "refuse";
  /** The error for a session that is not there. */
  unknownSessionCode: -32002 | -32602;
  /** `session/export`, `session/stop` under these names. */
  legacyMethods: boolean;
  /** `authCapabilities`, `models`, `parentSessionId` beside their official forms. */
  legacyFields: boolean;
  /** How a prompt ends whose run has failed: with a result that says so, or with -32603. */
  failedPrompt: "result" | "error";
  /**
   * Whether a prompt that is explained ends with `refusal`. A client may drop such a prompt, and what was said to it.
   */
  refusals: boolean;
  /** Who is sent updates: who attends the session, or every connection of the principal, and that on loopback alone. */
  notify: "attached" | "broadcast";
  /**
   * What happens to a turn, and that a step is tried again, sent as `_troupe/…` notifications, or as updates of kinds
   * of their own.
   */
  executionState: "off" | "notification" | "update";
};

export const PROFILES = {
  acp: {
    concurrentPromptCode: -32600,
    versionMismatch: "answer 1",
    unknownSessionCode: -32002,
    updatesOnCancel: "closing",
    updateOrder: "streaming",
    legacyMethods: false,
    legacyFields: false,
    failedPrompt: "result",
    refusals: false,
    deniedPrompt: "words",
    notify: "attached",
    executionState: "off",
  },
  ski: {
    concurrentPromptCode: -32602,
    versionMismatch: "refuse",
    unknownSessionCode: -32602,
    updatesOnCancel: "none",
    updateOrder: "by kind",
    legacyMethods: true,
    legacyFields: true,
    failedPrompt: "error",
    refusals: true,
    deniedPrompt: "cancelled",
    notify: "broadcast",
    executionState: "off",
  },
} as const satisfies { [name: string]: Switches };

export type ProfileName = keyof typeof PROFILES;
export const isProfile = (name: string): name is ProfileName => Object.hasOwn(PROFILES, name);
