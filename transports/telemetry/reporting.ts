/**
 * The spans of all sessions that a process works on, from their rows.
 *
 * I1. Of a session that was begun elsewhere, or before, what stands open is read from its log first. What ended there
 *     is not sent again.
 * I2. Nothing is kept of a session between its turns, or before its first one, but, of those that rested last, that nothing
 *     of them is open: what one of these says next is not looked for in its log.
 */
import { Subject } from "rxjs";
import type { Exchange, Frame, Reporter, Tracing, WorkedOn } from "../../actors/troupe.ts";
import type { TraceSpan } from "../../projections/spans/span.ts";
import { spans } from "../../projections/spans/spans.ts";

const PAGE = 1_000;
/** A session says little before its first turn. */
const FIRST = 8;

/** Sessions that rested last; the others are read again. */
export const MOST_AT_REST = 1_000;

/** After which row nothing was open, and whether a turn came before it. */
type Rest = { seq: number; hadTurn: boolean };
const NEW: Rest = { seq: 0, hadTurn: false };
/** `runs`: that are open, and that no other run called. */
type Followed = { frames$: Subject<readonly Frame[]>; seq: number; isNew: boolean; runs: Set<string> };

export class SpanReporting {
  readonly #tracing: Tracing;
  readonly #take: (spans: readonly TraceSpan[]) => void;
  readonly #followed = new Map<string, Followed>();
  /** By session, the one that rested longest first (I2). */
  readonly #atRest = new Map<string, Rest>();

  constructor(tracing: Tracing, take: (spans: readonly TraceSpan[]) => void) {
    this.#tracing = tracing;
    this.#take = take;
  }

  readonly row: Reporter["row"] = (row, session) => {
    const known = this.#followed.get(session.id);
    const followed = known?.seq === row.seq - 1 ? known : this.#begin(row, session);
    if (followed === null) return;
    followed.seq = row.seq;
    followed.isNew = true;
    see(followed, [row]);
    if (row.type !== "turn.completed") return;
    this.#followed.delete(session.id); // I2
    if (followed.runs.size === 0) this.#rests(session.id, { seq: row.seq, hadTurn: true });
  };

  /** Sessions with an open turn. */
  get open(): number {
    return this.#followed.size;
  }

  /** Null for a row outside of any turn. */
  #begin({ seq, type }: Exchange, session: WorkedOn): Followed | null {
    const known = seq === 1 ? NEW : this.#atRest.get(session.id);
    const rest = known?.seq === seq - 1 ? known : null;
    const open = rest === null ? session.since(seq - 1) : seq - 1;
    const isOutside = open === seq - 1;
    if (isOutside && type !== "turn.started") {
      if (rest !== null) this.#rests(session.id, { ...rest, seq });
      return null; // I2
    }
    this.#atRest.delete(session.id);
    // With a session's first turn its own span is sent.
    const isFirst = isOutside && !(rest?.hadTurn ?? hadTurn(session, seq - 1));
    const began = isFirst ? 0 : open;
    const followed: Followed = { frames$: new Subject(), seq, isNew: false, runs: new Set() };
    followed.frames$.pipe(spans({ session: session.id, ...this.#tracing })).subscribe((ended) => {
      if (followed.isNew && ended.length > 0) this.#take(ended);
    });
    for (let after = began; after < seq - 1; ) {
      const rows = session.rows(after, Math.min(PAGE, seq - 1 - after)); // I1
      const last = rows.at(-1);
      if (last === undefined) break;
      see(followed, rows);
      after = last.seq;
    }
    this.#followed.set(session.id, followed);
    return followed;
  }

  #rests(session: string, rest: Rest): void {
    this.#atRest.delete(session);
    this.#atRest.set(session, rest);
    if (this.#atRest.size <= MOST_AT_REST) return;
    const [longest = session] = this.#atRest.keys();
    this.#atRest.delete(longest);
  }
}

function see({ frames$, runs }: Followed, rows: readonly Exchange[]): void {
  for (const { type, run = "", parentRun } of rows) {
    if (parentRun !== undefined) continue;
    if (type === "run.started") runs.add(run);
    else if (type === "run.completed") runs.delete(run);
  }
  frames$.next(rows);
}

/** Whether a turn began up to this row: if so, it is among the first rows. */
function hadTurn(session: WorkedOn, until: number): boolean {
  for (let after = 0; after < until; ) {
    const rows = session.rows(after, Math.min(FIRST, until - after));
    if (rows.some(({ type }) => type === "turn.started")) return true;
    after = rows.at(-1)?.seq ?? until;
  }
  return false;
}
