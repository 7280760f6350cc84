/** The runs in memory, as the logs name them. */
import type { Exchange, RowOf } from "../../../machines/exchange.ts";
import type { Key } from "../../../machines/model.ts";
import type { Snap } from "../host.ts";
import type { RunRow, RunTable } from "../storage.ts";
import type { Tables } from "./tables.ts";

export function runTable(tables: Tables): RunTable {
  const { runs, sessions } = tables;
  const isOf = ({ session }: RunRow, principal: string | null): boolean =>
    principal === null || (sessions.get(session)?.principal ?? "") === principal;
  return {
    find: (run) => runs.get(run),
    beginning: (prefix, principal, limit) =>
      runs
        .values()
        .filter((row) => row.run.startsWith(prefix) && isOf(row, principal))
        .map(({ run }) => run)
        .sort()
        .slice(0, limit),
    latest: ({ principal, workflow, phases, until }) =>
      runs
        .values()
        .filter(({ begun, parentRun }) => begun !== null && begun.at <= until && parentRun === null)
        .filter((row) => (workflow === null || row.workflow === workflow) && phases.includes(row.phase))
        .filter((row) => isOf(row, principal))
        .sort((a, b) => (b.begun?.at ?? 0) - (a.begun?.at ?? 0) || (a.run < b.run ? 1 : -1)),
    isWhole: true,
    gather: () => undefined,
  };
}

/** A row of the log that begins or ends a run. */
export function keepRun(tables: Tables, session: Key, row: Exchange<RowOf<"run.started" | "run.completed">>): void {
  const { run = "", seq, at, payload } = row;
  const known = tables.runs.get(run);
  const fresh = { run, session, workflow: payload.workflow };
  if (row.type === "run.started") {
    if (known !== undefined) return;
    const parentRun = row.parentRun ?? null;
    tables.runs.set(run, { ...fresh, parentRun, begun: { seq, at }, phase: "open", ended: null });
    return;
  }
  const { status: phase } = row.payload;
  tables.runs.set(run, { ...(known ?? { ...fresh, parentRun: null, begun: null }), phase, ended: seq });
}

/** Its open runs are parked with their session, where that is given up, and open when a process takes it. */
export function settleRuns(tables: Tables, session: Key, owner: string | null): void {
  const snap = tables.read(session).actors.get(session)?.snap;
  const isParked = owner === null && snap !== undefined && (JSON.parse(snap) as Snap).value === "parked";
  if (owner === null && !isParked) return;
  const [from, to] = isParked ? (["open", "parked"] as const) : (["parked", "open"] as const);
  for (const row of tables.runs.values())
    if (row.session === session && row.phase === from && row.parentRun === null)
      tables.runs.set(row.run, { ...row, phase: to });
}
