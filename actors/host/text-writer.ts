/**
 * Text while it is being said: shown live at once, committed in batches.
 *
 * I1. A block's offsets are contiguous from 0; rows and live chunks carry the same offsets.
 * I2. Said text is committed after TEXT_BATCH_MS at the latest, at TEXT_BATCH_CHARS, at the end of its work, and
 *     before any other row of the same work.
 * I3. Text is masked before anything here counts, shows or keeps it: offsets are of masked text. What a block holds
 *     back, since it may begin a secret, is said at its end, and that is at the end of its work at the latest.
 * I4. Whole characters are masked: half of one, which a piece of a text may end with, waits for the next piece.
 */
import type { Live, Row, TextPayload, TextRow } from "../../machines/exchange.ts";
import type { Key } from "../../machines/model.ts";
import { WholeCharacters } from "../base/well-formed.ts";
import type { TextMask } from "../masking/text-mask.ts";
import type { TextBlock, TextHead } from "./host.ts";

export const TEXT_BATCH_MS = 250;
export const TEXT_BATCH_CHARS = 64 * 1024;

/** What texts need of the host that holds them. */
export interface TextSink {
  /** To followers that are live; must be cheap, it is called for every chunk. */
  show(session: Key, live: Live): void;
  /** Whether a follower would see a live chunk. */
  watched(session: Key): boolean;
  head(session: Key): number;
  append(session: Key, row: Row): void;
  /** A new masked stream, for one block. */
  mask(): Pick<TextMask, "push" | "end" | "holds">;
  /** Asks for a tick soon: rows were appended. */
  schedule(): void;
  /** The number of the tick that comes next. */
  tick(): number;
  /** Calls back once after so many milliseconds. */
  later(ms: number, act: () => void): void;
}

type BlockOrigin = Pick<TextHead, "type" | "run" | "step">;
/** `place` and `parts` are what its rows and chunks have in common. */
type OpenBlock = {
  owner: string;
  session: Key;
  place: BlockOrigin;
  parts: Pick<TextPayload, "call" | "stream">;
  block: string;
  offset: number;
  committed: number;
  pending: string;
  /** The tick that came next when its first text was said; null before. */
  begun: number | null;
  characters: WholeCharacters;
  mask: ReturnType<TextSink["mask"]>;
};

export class TextWriter {
  readonly #sink: TextSink;
  /** Blocks with text that is not committed, in the order in which they began to have some. */
  readonly #open = new Set<OpenBlock>();
  /** The same by owner: thousands may speak at once, and each ends by itself. */
  readonly #openOf = new Map<string, Set<OpenBlock>>();
  /** Those of them that continue. */
  readonly #flowing = new Set<OpenBlock>();
  /** Blocks that hold something back. */
  readonly #holding = new Set<OpenBlock>();
  #waiting = false;
  constructor(sink: TextSink) {
    this.#sink = sink;
  }

  /** Whether text flows: a text continues of which a part has gone out before. */
  get isFlowing(): boolean {
    return this.#flowing.size > 0;
  }

  /** `owner` names one start of a piece of work; `signal` ends what may be said. */
  block(owner: string, session: Key, head: TextHead, signal: AbortSignal): TextBlock {
    const { block, call, stream, ...place } = head;
    const parts = { ...(call === undefined ? {} : { call }), ...(stream === undefined ? {} : { stream }) };
    const mask = this.#sink.mask();
    const open: OpenBlock = {
      owner,
      session,
      place,
      parts,
      block,
      offset: 0,
      committed: 0,
      pending: "",
      begun: null,
      characters: new WholeCharacters(),
      mask,
    };
    return {
      say: (text) => {
        if (text === "" || signal.aborted) return;
        this.#say(open, mask.push(open.characters.push(text)));
        if (mask.holds || open.characters.holds) this.#holding.add(open);
      },
      end: () => this.#end(open),
    };
  }

  /** Commits what one piece of work has said so far (I2). */
  flush(owner: string): void {
    for (const open of this.#openOf.get(owner) ?? []) this.#commit(open);
  }

  /** The work has ended: what its blocks hold back is said, and committed. */
  end(owner: string): void {
    for (const open of this.#holding) if (open.owner === owner) this.#end(open);
    this.flush(owner);
  }

  /** Nothing of a session is said any more: another process has it. */
  drop(session: Key): void {
    for (const open of [...this.#open, ...this.#holding])
      if (open.session === session) {
        this.#close(open);
        this.#holding.delete(open);
      }
  }

  flushAll(): void {
    for (const open of this.#open) this.#commit(open);
  }

  /** Said but not committed in a session: what a follower needs, besides rows, to continue live without a gap. */
  uncommitted(session: Key): Live[] {
    const after = this.#sink.head(session);
    const live: Live[] = [];
    for (const open of this.#open)
      if (open.session === session) live.push(liveOf(open, open.committed, open.pending, after));
    return live;
  }

  #end(open: OpenBlock): void {
    if (!this.#holding.delete(open)) return;
    const half = open.characters.end();
    this.#say(open, (half === "" ? "" : open.mask.push(half)) + open.mask.end());
  }

  #say(open: OpenBlock, text: string): void {
    if (text === "") return;
    if (this.#sink.watched(open.session))
      this.#sink.show(open.session, liveOf(open, open.offset, text, this.#sink.head(open.session)));
    open.offset += text.length;
    open.pending += text;
    this.#opened(open);
    open.begun ??= this.#sink.tick();
    if (open.begun !== this.#sink.tick()) this.#flowing.add(open);
    if (open.pending.length >= TEXT_BATCH_CHARS) {
      this.#commit(open);
      this.#sink.schedule();
    }
    if (this.#waiting) return;
    this.#waiting = true;
    this.#sink.later(TEXT_BATCH_MS, () => {
      this.#waiting = false;
      this.flushAll();
      this.#sink.schedule();
    });
  }

  #opened(open: OpenBlock): void {
    if (this.#open.has(open)) return;
    this.#open.add(open);
    const owned = this.#openOf.get(open.owner);
    if (owned === undefined) this.#openOf.set(open.owner, new Set([open]));
    else owned.add(open);
  }

  #close(open: OpenBlock): void {
    if (!this.#open.delete(open)) return;
    this.#flowing.delete(open);
    const owned = this.#openOf.get(open.owner);
    owned?.delete(open);
    if (owned?.size === 0) this.#openOf.delete(open.owner);
  }

  #commit(open: OpenBlock): void {
    this.#close(open);
    if (open.pending === "") return;
    this.#sink.append(open.session, rowOf(open, open.committed, open.pending));
    open.committed = open.offset;
    open.pending = "";
  }
}

// Both are built for every chunk or batch: one literal each, no copies.
const rowOf = ({ place, parts, block }: OpenBlock, offset: number, text: string): TextRow =>
  ({ type: place.type, run: place.run, step: place.step, payload: { block, offset, text, ...parts } }) as TextRow;

const liveOf = ({ place, parts, block }: OpenBlock, offset: number, text: string, after: number): Live =>
  ({ type: place.type, run: place.run, step: place.step, payload: { block, offset, text, ...parts }, after }) as Live;
