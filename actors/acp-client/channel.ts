/** One way to an agent: messages in both directions, and its end. A process, a socket, or a test makes one. */
import type { Stream } from "@agentclientprotocol/sdk";
import type { ClientError } from "./errors.ts";

/** A way to an agent that is open. */
export type Channel = {
  readonly stream: Stream;
  /** Resolves once, when nothing comes any more, with the reason in words; empty if there is none. */
  readonly ended: Promise<string>;
  /** Once it has ended: why no further one will do, or null. */
  readonly refusal?: () => ClientError | null;
  /** Ends it and all that belongs to it; a second call waits for the first. */
  end(): Promise<void>;
};

/** Makes a new one. Rejects when it cannot; the signal says that it is no longer wanted. */
export type OpenChannel = (signal: AbortSignal) => Promise<Channel>;
