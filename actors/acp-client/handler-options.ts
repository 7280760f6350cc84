/** What whoever makes a client lets its agent do, and wants to hear of it. */
import type { SessionUpdate } from "@agentclientprotocol/sdk";
import type { FilePolicy } from "./files/policy.ts";
import type { AskPermission } from "./permissions.ts";
import type { TerminalPolicy } from "./terminals/terminals.ts";
import type { Unknown } from "./wire.ts";

/** `isReplay`: it was said before, and comes again by `session/load`. */
export type UpdateOrigin = { sessionId: string; isReplay: boolean };
export type ClientHandlerOptions = {
  onUpdate?: (update: SessionUpdate, said: UpdateOrigin) => void | Promise<void>;
  /** An update of a kind that this protocol version does not know, as it came. */
  onUnknownUpdate?: (update: Unknown, said: UpdateOrigin) => void | Promise<void>;
  /** After a lost connection the session is replayed from its beginning: what is shown of it starts anew. */
  onReset?: (sessionId: string) => void | Promise<void>;
  permission?: AskPermission;
  /** Asks the agent to report where in a session the client is. */
  cursors?: boolean;
  /** Left out, the agent gets no files. */
  files?: FilePolicy;
  /** Left out, the agent gets no terminals. */
  terminals?: TerminalPolicy;
  /** Whether files are used, and commands run, for this session now. Left out, each open session may have that done. */
  isAtWork?: (sessionId: string) => boolean;
  /** Whether who is asked can run the agent's own program in a terminal, to sign in. */
  signsInByTerminal?: boolean;
  /** Hears what a handler throws. */
  onError?: (error: unknown) => void;
};
