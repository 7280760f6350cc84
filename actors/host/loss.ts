/**
 * What becomes of a session that another process has taken while this one ran it.
 *
 * I1. Nothing more is written to it, save one row that says that its work here was given up.
 * I2. Its work here ends, with all that the work started, and its result is dropped.
 */
import type { Row } from "../../machines/exchange.ts";
import type { Key } from "../../machines/model.ts";
import type { ActorCache } from "./actor-cache.ts";
import type { Alarms } from "./alarms.ts";
import type { Outbox } from "./outbox.ts";
import type { Ownership } from "./ownership.ts";
import type { Storage } from "./storage.ts";
import type { Workers } from "./workers.ts";

export interface LossHost {
  store: Storage;
  family: ActorCache;
  own: Ownership;
  outbox: Outbox;
  workers: Workers;
  alarms: Alarms;
  append(session: Key, row: Row): void;
  /** Its readers look at the log as those of any other process's session. */
  recheck(session: Key): void;
  told(session: Key): void;
}

const LOST: Row = {
  type: "notice",
  payload: {
    severity: "error",
    code: "SYSTEM.SESSION.TAKEN_OVER",
    message: "another process took this session over while one still ran it: that one gave its work up",
  },
};

export class Loss {
  readonly #host: LossHost;
  constructor(host: LossHost) {
    this.#host = host;
  }

  /** Inside the tick's transaction, before anything is written. */
  write(): void {
    const { own, outbox, family, store, append } = this.#host;
    for (const session of new Set(outbox.sessions)) own.holds(session);
    for (const session of own.lost) {
      outbox.drop(session);
      family.forget((of) => of === session);
      if (store.sessions.find(session) !== undefined) append(session, LOST);
    }
  }

  /** After the commit. */
  commit(): void {
    const { own, workers, alarms, family, recheck, told } = this.#host;
    for (const session of own.settle()) {
      workers.giveUp(session);
      alarms.drop((key) => (family.sessionOf(key) ?? session) === session);
      recheck(session);
      told(session);
    }
  }
}
