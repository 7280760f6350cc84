/**
 * What work says elsewhere, word by word, for those who follow its session here.
 *
 * I1. Nothing depends on it: what does not come live comes with its row.
 * I2. Followers get the chunks of a block in order, none twice and none behind a gap, and none of work that is over.
 * I3. A chunk waits for the commit behind which it was said.
 * I4. A process is called while somebody here follows the session, and a few times where it does not answer.
 */
import { type Exchange, type Frame, isText, type Live } from "../../../machines/exchange.ts";
import type { Key } from "../../../machines/model.ts";
import type { Clock } from "../../base/clock.ts";
import type { LogRow } from "../memory/tables.ts";
import type { LiveFrame, TakeLive } from "./live-out.ts";
import type { LiveOffer, NamedRow } from "./protocol.ts";

export type LiveInHost = {
  clock: Pick<Clock, "after">;
  /** Calls who has offered it; settles when nothing more comes. */
  follow(offer: LiveOffer, session: Key, take: TakeLive, signal: AbortSignal): Promise<void>;
  head(session: Key): number;
  /** The commit of a session that is here. */
  at(session: Key): number;
  /** Whether a session waits for this start of work. */
  isAwaited(session: Key, work: string): boolean;
  rows(session: Key, after: number, limit: number): Exchange[];
  /** The rows of a session, from the end on. */
  backwards(session: Key): Iterable<Exchange>;
  /** To its followers here. */
  show(session: Key, frame: Frame): void;
};
const OFFER = "live ";
const AGAIN_MS = 1_000;
const TRIES = 3;
/** Blocks that are known of a session, chunks that wait, and rows in which the beginning of a block is looked for. */
const [MAX_BLOCKS, MAX_WAITING, LOOK_BACK] = [256, 256, 64];

/** `kept`: how far rows bring it. `pending`: what came after that; its frame is the last one's. */
type Block = { kept: number; pending: string; last: LiveFrame | null };
type Session = {
  watchers: number;
  offers: Map<string, LiveOffer>;
  calls: Map<string, AbortController>;
  blocks: Map<string, Block>;
  waiting: LiveFrame[];
};

export class LiveIn {
  readonly #host: LiveInHost;
  readonly #sessions = new Map<Key, Session>();
  constructor(host: LiveInHost) {
    this.#host = host;
  }

  /** Somebody follows a session, until the answer is called. */
  watch(session: Key): () => void {
    const of = this.#of(session);
    of.watchers++;
    for (const offer of of.offers.values()) this.#call(session, of, offer);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      if (--of.watchers === 0) this.#hangUp(session, of);
    };
  }
  isWatched(session: Key): boolean {
    return (this.#sessions.get(session)?.watchers ?? 0) > 0;
  }
  isOffered(session: Key, by: string): boolean {
    return this.#sessions.get(session)?.offers.has(by) ?? false;
  }
  /** A commit is in: followers that keep up get what it has added to the log, and what waited for it. */
  look(session: Key, rows: readonly NamedRow[], log: readonly LogRow[]): void {
    for (const [name, row] of rows) if (name.startsWith(OFFER)) this.#take(session, name.slice(OFFER.length), row);
    const of = this.#sessions.get(session);
    if (of === undefined || of.watchers === 0) return;
    for (const row of this.#host.rows(session, (log[0]?.seq ?? 1) - 1, log.length)) {
      if (isText(row)) this.#keep(of, row);
      this.#host.show(session, row);
    }
    for (const frame of of.waiting.splice(0)) this.#hear(session, of, frame);
  }
  /** What is said and in no row: what a follower needs beside rows. */
  uncommitted(session: Key): Live[] {
    const of = this.#sessions.get(session);
    if (of === undefined) return [];
    return [...of.blocks.values()].flatMap(({ kept, pending, last }) => {
      if (last === null || pending === "" || !this.#host.isAwaited(session, last.work)) return [];
      return [{ ...withText(last.live, kept, pending), after: this.#host.head(session) }];
    });
  }
  stop(): void {
    for (const [session, of] of this.#sessions) this.#hangUp(session, of);
  }

  #of(session: Key): Session {
    const known = this.#sessions.get(session);
    if (known !== undefined) return known;
    const of: Session = { watchers: 0, offers: new Map(), calls: new Map(), blocks: new Map(), waiting: [] };
    this.#sessions.set(session, of);
    return of;
  }
  #take(session: Key, by: string, row: string | null): void {
    const of = this.#of(session);
    of.offers.delete(by);
    if (row === null) {
      of.calls.get(by)?.abort();
      of.calls.delete(by); // it may offer anew before that call has ended
      if (of.watchers === 0 && of.offers.size === 0) this.#sessions.delete(session);
      return;
    }
    const offer: LiveOffer = { ...(JSON.parse(row) as Omit<LiveOffer, "by">), by };
    of.offers.set(by, offer);
    if (of.watchers > 0) this.#call(session, of, offer);
  }
  #hangUp(session: Key, of: Session): void {
    for (const call of of.calls.values()) call.abort();
    of.blocks.clear();
    of.waiting = [];
    if (of.offers.size === 0) this.#sessions.delete(session);
  }

  /** I4. */
  #call(session: Key, of: Session, offer: LiveOffer, tries = TRIES): void {
    if (of.calls.has(offer.by)) return;
    const call = new AbortController();
    of.calls.set(offer.by, call);
    let left = tries - 1;
    const take = (frame: LiveFrame): void => {
      left = TRIES;
      if (!call.signal.aborted) this.#hear(session, of, frame);
    };
    const over = (): void => {
      if (of.calls.get(offer.by) === call) of.calls.delete(offer.by);
      const isWanted = (): boolean => of.watchers > 0 && of.offers.get(offer.by) === offer;
      if (left <= 0 || !isWanted()) return;
      this.#host.clock.after(AGAIN_MS, () => isWanted() && this.#call(session, of, offer, left));
    };
    this.#host.follow(offer, session, take, call.signal).then(over, over);
  }

  /** I2, I3. */
  #hear(session: Key, of: Session, frame: LiveFrame): void {
    const { head, at, isAwaited, show } = this.#host;
    const { live, work, n } = frame;
    if (n > at(session)) {
      of.waiting = [...of.waiting, frame].slice(-MAX_WAITING);
      return;
    }
    if (!isAwaited(session, work)) return;
    const block = of.blocks.get(nameOf(live)) ?? this.#begin(session, of, live);
    const shown = block.kept + block.pending.length;
    const { offset, text } = live.payload;
    const fresh = offset > shown ? "" : text.slice(shown - offset);
    if (fresh === "") return;
    block.pending += fresh;
    block.last = frame;
    show(session, { ...withText(live, shown, fresh), after: head(session) });
  }
  #begin(session: Key, of: Session, live: Live): Block {
    let looked = 0;
    let kept = 0;
    if (live.payload.offset > 0)
      for (const row of this.#host.backwards(session)) {
        if (++looked > LOOK_BACK) break;
        if (!isText(row) || nameOf(row) !== nameOf(live)) continue;
        kept = row.payload.offset + row.payload.text.length;
        break;
      }
    return this.#know(of, nameOf(live), { kept, pending: "", last: null });
  }
  #keep(of: Session, row: Exchange & { payload: Live["payload"] }): void {
    const end = row.payload.offset + row.payload.text.length;
    const block = of.blocks.get(nameOf(row));
    if (block === undefined) return void this.#know(of, nameOf(row), { kept: end, pending: "", last: null });
    block.pending = block.pending.slice(Math.max(0, end - block.kept));
    block.kept = Math.max(end, block.kept);
  }
  #know(of: Session, name: string, block: Block): Block {
    of.blocks.set(name, block);
    for (const [oldest] of of.blocks) if (of.blocks.size > MAX_BLOCKS) of.blocks.delete(oldest);
    return block;
  }
}

const nameOf = ({ run, payload }: Pick<Live, "run" | "payload">): string => `${run ?? ""} ${payload.block}`;
const withText = (live: Live, offset: number, text: string): Live =>
  ({ ...live, payload: { ...live.payload, offset, text } }) as Live;
