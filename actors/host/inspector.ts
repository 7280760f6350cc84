/**
 * Tells an observer what durable machines do, so that Stately's tools and our own viewer see them like any others.
 *
 * I1. It hears of each actor's birth, event and snapshot once, after the commit, in the order of the transitions.
 * I2. It can change nothing: what it throws is dropped.
 */
import type { Actor } from "./actor-cache.ts";
import type { Inspect, Inspection } from "./interpret.ts";

export class Inspector {
  readonly #inspect: Inspect | undefined;
  #heard: Inspection[] = [];
  constructor(inspect: Inspect | undefined) {
    this.#inspect = inspect;
  }

  /** One transition of an actor, whose snapshot is the one after it. */
  note({ key, session, snapshot }: Actor, event: string): void {
    if (this.#inspect === undefined) return;
    const about = { rootId: session, actorRef: { id: key, sessionId: key } };
    if (event === "xstate.init") this.#heard.push({ type: "@xstate.actor", ...about });
    this.#heard.push({ type: "@xstate.event", ...about, event: { type: event } });
    this.#heard.push({ type: "@xstate.snapshot", ...about, snapshot });
  }
  /** After the commit. */
  tell(): void {
    const heard = this.#heard;
    this.#heard = [];
    for (const inspection of heard) {
      try {
        this.#inspect?.(inspection);
      } catch {
        // I2
      }
    }
  }
  /** After a rollback: what it noted never was. */
  undo(): void {
    this.#heard = [];
  }
}
