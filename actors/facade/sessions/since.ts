/**
 * Where what is open at a row of a session's log began: who comes there has to know of everything from then on.
 *
 * I1. The log is read from that row back, its boundaries alone, and no further than to the turn that was looked for.
 */
import type { Exchange, Row } from "../../../machines/exchange.ts";
import type { Key } from "../../../machines/model.ts";
import type { Store } from "../../host/store.ts";

const PAGE = 64;
const BOUNDARIES = `select seq, at, row from log where session=? and seq<? and type in
  ('turn.started', 'turn.completed', 'run.started', 'run.completed') order by seq desc limit ?`;

/** The row behind which the run, or else the turn, that is open at the row `at` began; `at` where nothing is. */
export function since(store: Store, session: Key, at: number): number {
  return beginning(boundaries(store, session, at), at);
}

/** The same of rows up to `at`, newest first. */
export function beginning(rows: Iterable<Exchange>, at: number): number {
  /** What is known of the latest turn, and of the latest run that no other called. */
  let turn: "unknown" | "ended" | { began: number } = "unknown";
  let run: "unknown" | "ended" | { of: string } | { turn: string } = "unknown";
  for (const row of rows) {
    if (row.parentRun !== undefined) continue;
    switch (row.type) {
      case "turn.completed":
        if (turn === "unknown") turn = "ended";
        break;
      case "turn.started":
        if (typeof run === "object" && "turn" in run && run.turn === row.payload.turn) return row.seq - 1;
        if (turn === "unknown") turn = { began: row.seq - 1 };
        break;
      case "run.completed":
        // Until its turn has ended too, it stands.
        if (run === "unknown") run = turn === "unknown" ? { of: row.run ?? "" } : "ended";
        break;
      case "run.started":
        if (run === "unknown" || (typeof run === "object" && "of" in run && run.of === row.run))
          run = { turn: row.payload.turn ?? "" };
        break;
      default:
        break;
    }
    if (turn !== "unknown" && run === "ended") break;
  }
  return typeof turn === "object" ? turn.began : at;
}

function* boundaries(store: Store, session: Key, at: number): Generator<Exchange> {
  for (let before = at + 1; ; ) {
    const page = store.query(BOUNDARIES, session, before, PAGE);
    for (const { seq, at: time, row } of page)
      yield { ...(JSON.parse(row as string) as Row), seq: seq as number, at: time as number };
    if (page.length < PAGE) return;
    before = page.at(-1)?.["seq"] as number;
  }
}
