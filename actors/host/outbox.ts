/**
 * What goes out of a tick to the log and its readers: rows, and live text that was said between them.
 *
 * I1. A row gets its seq inside the transaction that writes it; readers get it after the commit. Its time is never
 *     before that of the row before it, also when the machine's clock was set back.
 * I2. Readers get rows and live text in the order in which they came to be. Text with no row before it goes at once.
 * I3. A row holds whole characters alone: others have cut their texts where they liked.
 * I4. A tick that is undone forgets the rows of machines, whose transitions never were, and keeps the rows of work,
 *     which continues.
 */
import type { Exchange, Frame, Live, Row } from "../../machines/exchange.ts";
import type { Key } from "../../machines/model.ts";
import { wellFormed } from "../base/well-formed.ts";
import type { ActorCache } from "./actor-cache.ts";
import type { Storage } from "./storage.ts";

/** How JSON writes half of a character; the same may stand in a text. */
const HALF = "\\ud";

export type By = "machine" | "work";
export type Written = { session: Key; exchange: Exchange };
type OutgoingEntry =
  | { is: "row"; session: Key; by: By; row: Row; json: string; at: number; exchange?: Exchange }
  | { is: "live"; session: Key; live: Live };

export class Outbox {
  readonly #family: ActorCache;
  readonly #offer: (session: Key, frame: Frame) => void;
  #entries: OutgoingEntry[] = [];
  constructor(family: ActorCache, offer: (session: Key, frame: Frame) => void) {
    this.#family = family;
    this.#offer = offer;
  }

  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }
  get sessions(): Key[] {
    return this.#entries.map(({ session }) => session);
  }
  /** What is left of a session that is another process's. */
  drop(session: Key): void {
    this.#entries = this.#entries.filter((entry) => entry.session !== session);
  }
  /** Throws when the row is no JSON: its author hears of it, not the tick. */
  append(session: Key, row: Row, by: By, at: number): void {
    const json = JSON.stringify(row);
    if (!json.includes(HALF)) return void this.#entries.push({ is: "row", session, by, row, json, at });
    const whole = wellFormed(row);
    this.#entries.push({ is: "row", session, by, row: whole, json: JSON.stringify(whole), at });
  }
  show(session: Key, live: Live): void {
    if (this.isEmpty) this.#offer(session, live);
    else this.#entries.push({ is: "live", session, live });
  }

  /** Inside the tick's transaction. */
  write(store: Storage): void {
    for (const entry of this.#entries) {
      const { session } = entry;
      if (entry.is === "live") {
        entry.live.after = this.#family.head(session);
        continue;
      }
      entry.exchange = { ...entry.row, ...this.#family.next(session, entry.at) };
      store.log.append(session, entry.exchange, entry.json);
    }
  }
  /** After the commit: offers everything, answers the rows. */
  send(): Written[] {
    const written: Written[] = [];
    for (const entry of this.#entries) {
      const { session } = entry;
      if (entry.is === "row" && entry.exchange !== undefined) written.push({ session, exchange: entry.exchange });
      const frame = entry.is === "live" ? entry.live : entry.exchange;
      if (frame !== undefined) this.#offer(session, frame);
    }
    this.#entries = [];
    return written;
  }
  /** I4. */
  undo(): void {
    this.#entries = this.#entries.filter((entry) => entry.is === "live" || entry.by === "work");
  }
}
