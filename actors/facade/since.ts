/**
 * Where what is open at a row of a session's log began: who comes there has to know of everything from then on.
 *
 * I1. The log is read from that row back, its boundaries alone, and no further than to the turn that was looked for.
 */
import type { Exchange } from "../../machines/exchange.ts";
import type { Key } from "../../machines/model.ts";
import type { Host } from "../host/host.ts";

const BOUNDARIES = ["turn.started", "turn.completed", "run.started", "run.completed"] as const;

/** The row behind which the run, or else the turn, that is open at the row `at` began; `at` where nothing is. */
export function since(host: Pick<Host, "backwards">, session: Key, at: number): number {
  return beginning(host.backwards(session, { before: at + 1, types: BOUNDARIES }), at);
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
