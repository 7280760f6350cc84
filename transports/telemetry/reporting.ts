/**
 * The spans of all sessions that a process works on, from their rows.
 *
 * I1. Of a session that was begun elsewhere, or before, what stands open is read from its log first. What ended there
 *     is not sent again.
 * I2. Nothing is kept of a session between its turns, or before its first one.
 */
import { Subject } from "rxjs";
import type { Exchange, Frame, Reporter, Tracing, WorkedOn } from "../../actors/troupe.ts";
import type { TraceSpan } from "../../projections/spans/span.ts";
import { spans } from "../../projections/spans/spans.ts";

const PAGE = 1_000;
const FIRST = 32;

type Followed = { frames$: Subject<readonly Frame[]>; seq: number; isNew: boolean };

export class SpanReporting {
  readonly #tracing: Tracing;
  readonly #take: (spans: readonly TraceSpan[]) => void;
  readonly #followed = new Map<string, Followed>();

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
    followed.frames$.next([row]);
    if (row.type === "turn.completed") this.#followed.delete(session.id); // I2
  };

  /** Sessions with an open turn. */
  get open(): number {
    return this.#followed.size;
  }

  /** Null for a row outside of any turn. */
  #begin({ seq, type }: Exchange, session: WorkedOn): Followed | null {
    const open = session.since(seq - 1);
    const isOutside = open === seq - 1;
    if (isOutside && type !== "turn.started") return null; // I2
    // With a session's first turn its own span is sent.
    const began = isOutside && !hadTurn(session, seq - 1) ? 0 : open;
    const followed: Followed = { frames$: new Subject(), seq, isNew: false };
    followed.frames$.pipe(spans({ session: session.id, ...this.#tracing })).subscribe((ended) => {
      if (followed.isNew && ended.length > 0) this.#take(ended);
    });
    for (let after = began; after < seq - 1; ) {
      const rows = session.rows(after, Math.min(PAGE, seq - 1 - after)); // I1
      const last = rows.at(-1);
      if (last === undefined) break;
      followed.frames$.next(rows);
      after = last.seq;
    }
    this.#followed.set(session.id, followed);
    return followed;
  }
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
