/** What an embedded host is given: its storage, time, ids and name, and who hears of what it does. */
import type { Exchange, Live } from "../../machines/exchange.ts";
import type { Inspect } from "../../machines/inspection.ts";
import type { Key, Kind } from "../../machines/model.ts";
import type { Clock } from "../base/clock.ts";
import type { Owner } from "./ownership.ts";
import type { Storage } from "./storage.ts";

export type HostOptions = {
  /** Where it keeps what it keeps; `mask` keeps secrets out of that, and out of the log. The host closes it when it stops. */
  storage: Storage;
  clock: Pick<Clock, "now" | "elapsed" | "after">;
  /** A new id for a key of this kind. */
  id: (kind: Kind) => string;
  owner: Owner;
  inspect?: Inspect;
  /** Every row of this process's own, right after its commit. */
  onRow?: (session: Key, exchange: Exchange) => void;
  /** Another process has written to the store. */
  onForeign?: () => void;
  /** A session of a process that died was taken over: what that process started may still run. */
  onTakeOver?: () => void;
  /** Another process has a session that this one ran: what ran here was given up. */
  onLost?: (session: Key) => void;
  /** What work in other processes has said, and is in no row yet. */
  said?: (session: Key) => Live[];
  /** Called at named moments; a crash test ends the process there. */
  failpoint?: (name: string) => void;
  /** A follower's push threw, or its log could not be read, and it was closed. */
  onFollowerFailed?: (error: unknown) => void;
  /**
   * A tick could not be written: who waits for one of its sessions cannot count on their next rows. The others hear of
   * it when something of theirs cannot be written either.
   */
  onWriteFailed?: (error: unknown, sessions: ReadonlySet<Key>) => void;
};
