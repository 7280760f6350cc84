/**
 * How an event of a session is taken: by the cell in memory, or by one that is made of what the engine has.
 *
 * I1. What is asked of the engine, and in which order, follows from what its journal says: a retry by another process,
 *     which has other cells in memory, goes the same way.
 * I2. A cell in memory is used only in the version that the engine names.
 * I3. A session that a newer Troupe has written is left as it is, and its event waits for a worker that knows it.
 * I4. An event on which our own code breaks is tried TRIES times, by whichever worker; then it is given up.
 */
import type { ObjectContext } from "@restatedev/restate-sdk";
import type { Key } from "../../../machines/model.ts";
import { failureOf, givenUp } from "./given-up.ts";
import type { NamedRow, Outcome, Post, Version } from "./protocol.ts";
import type { Sdk, ServingHost } from "./serving-host.ts";
import type { SessionCell } from "./session-cell.ts";
import { newer } from "./versions.ts";

export const TRIES = 5;
const BOUNDED = { maxRetryAttempts: TRIES, initialRetryInterval: 100, maxRetryInterval: 1_000 } as const;
/** A cell costs memory only: the engine has all of it. */
const MAX_CELLS = 256;
/** What a session without a cell in memory answers: the engine has to be read. */
const READ = "read";
type Arrival = { post: Post; version: Version | null; rows(): Promise<NamedRow[]> };

export class Taking {
  readonly #sdk: Sdk;
  readonly #host: ServingHost;
  readonly #cells = new Map<Key, SessionCell>();
  constructor(sdk: Sdk, host: ServingHost) {
    this.#sdk = sdk;
    this.#host = host;
  }

  async take(ctx: ObjectContext, arrival: Arrival): Promise<Outcome> {
    const session = ctx.key as Key;
    const first = await ctx.run("take", () => this.#atHand(session, arrival));
    const outcome = first === READ ? await this.#afresh(ctx, arrival) : first;
    // It came from the journal, or changed what no cell knows: the one in memory is of no use (I2).
    if (this.#cells.get(session)?.version.stamp !== outcome.version.stamp) this.forget(session);
    return outcome;
  }
  forget(session: Key): void {
    this.#cells.delete(session);
  }

  #atHand(session: Key, { post, version }: Arrival): Outcome | typeof READ {
    const known = this.#cells.get(session);
    const isCurrent = known !== undefined && known.version.stamp === version?.stamp;
    if (!isCurrent && version !== null) return READ;
    try {
      return this.#by(session, isCurrent ? known : this.#host.cell(session, null, []), post);
    } catch {
      return READ; // the first try of more
    }
  }

  async #afresh(ctx: ObjectContext, { post, version, rows }: Arrival): Promise<Outcome> {
    const session = ctx.key as Key;
    const kept = version === null ? [] : await rows();
    const unknown = this.#host.unknown(kept);
    if (unknown !== null) throw newer(unknown); // I3
    const fresh = (said: Post) => this.#by(session, this.#host.cell(session, version, kept), said);
    try {
      return await ctx.run("take afresh", () => fresh(post), BOUNDED);
    } catch (error) {
      if (!(error instanceof this.#sdk.TerminalError)) throw error;
      const words = this.#host.shown(error.message);
      return await ctx.run("give up", () => this.#giveUp(fresh, { post, version, words }));
    }
  }
  #giveUp(fresh: (post: Post) => Outcome, given: { post: Post; version: Version | null; words: string }): Outcome {
    const now = this.#host.now();
    const failed = failureOf(given, now);
    try {
      if (failed !== null) return fresh(failed);
    } catch {
      // Nor can its machine hear of it.
    }
    return givenUp(given, now);
  }

  #by(session: Key, cell: SessionCell, post: Post): Outcome {
    this.forget(session);
    const outcome = cell.take(post);
    this.#cells.set(session, cell);
    for (const [oldest] of this.#cells) if (this.#cells.size > MAX_CELLS) this.forget(oldest);
    return outcome;
  }
}
