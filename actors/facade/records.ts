/** What the log says about runs: history and status, read from its `run.started` and `run.completed` rows. */
import type { TurnInput } from "../../machines/contracts.ts";
import type { RowOf } from "../../machines/exchange.ts";
import type { Key } from "../../machines/model.ts";
import type { HistoryQuery, RunRecord, RunState } from "../api/facade.ts";
import type { Snap } from "../host/host.ts";
import type { Store } from "../host/store.ts";
import { openPermissions, openQuestions } from "./questions.ts";

const DEFAULT_LIMIT = 20;
const PAGE = 200;
/** The words of the index `log_run`: without them SQLite does not see that it may be used. */
const OF_RUN = "run=? and type in ('run.started', 'run.completed')";
export const FIND = `select session, seq, at, row from log where ${OF_RUN} and type='run.started' limit 1`;
const LATEST =
  "select session, seq, at, row from log where type='run.started' and at<=? order by at desc limit ? offset ?";
export const ENDED = `select session, seq, at, row from log where ${OF_RUN} and type='run.completed' limit 1`;
const SNAP = "select snap from actor where key=?";
const FIRST = "select seq, at from log where session=? and run=? order by seq limit 1";
/** The births of turns that have not ended: few, whatever the store holds. */
const TURNS = `select session, coalesce(actor.input, birth.input) as input from actor
  left join birth on birth.id=actor.birth where key>'turn/' and key<'turn0'`;
const SESSION = "select owner, cwd, principal from session where id=?";

/** Knows whether the process that a session's row names is alive. */
export type IsAlive = (owner: string) => boolean;

/** Whose runs are looked at; null: everybody's. */
type Seen = { principal: string | null };

export function findRun(store: Store, { run, principal }: Seen & { run: string }, isAlive: IsAlive): RunRecord | null {
  const started = store.query(FIND, run)[0];
  if (started !== undefined)
    return belongs(store, started, principal) ? whole(store, recordOf(store, started, isAlive)) : null;
  const asked = askedFor(store).find((one) => one.run === run) ?? notBegun(store, run);
  if (asked === null || !belongs(store, asked, principal)) return null;
  return whole(store, askedRecord(store, asked, isAlive));
}

/** Newest first; runs called by other runs are left out. */
export function listRuns(store: Store, query: HistoryQuery & Seen, isAlive: IsAlive, now: number): RunRecord[] {
  const found: RunRecord[] = [];
  const limit = query.limit ?? DEFAULT_LIMIT;
  for (const asked of askedFor(store)) {
    const record = belongs(store, asked, query.principal) ? askedRecord(store, asked, isAlive) : null;
    if (record !== null && matches(record, query) && found.length < limit) found.push(whole(store, record));
  }
  for (let offset = 0; found.length < limit; offset += PAGE) {
    const page = store.query(LATEST, now, PAGE, offset);
    for (const row of page) {
      const isSeen = isRoot(row) && belongs(store, row, query.principal);
      const record = isSeen ? recordOf(store, row, isAlive) : null;
      if (record !== null && matches(record, query) && found.length < limit) found.push(whole(store, record));
    }
    if (page.length < PAGE) break;
  }
  return found;
}

const belongs = (store: Store, row: Record<string, unknown>, principal: string | null): boolean =>
  principal === null || store.query(SESSION, row["session"] as string)[0]?.["principal"] === principal;

const isRoot = (row: Record<string, unknown>): boolean =>
  !("parentRun" in (JSON.parse(row["row"] as string) as object));

function matches(record: RunRecord, query: HistoryQuery): boolean {
  if (query.resumable !== undefined && record.resumable !== query.resumable) return false;
  if (query.workflow !== undefined && record.workflow !== query.workflow) return false;
  return query.status === undefined || record.status === query.status;
}

function recordOf(store: Store, row: Record<string, unknown>, isAlive: IsAlive): RunRecord {
  const started = JSON.parse(row["row"] as string) as RowOf<"run.started">;
  const session = row["session"] as string;
  const id = started.run ?? "";
  const end = store.query(ENDED, id)[0];
  const about = store.query(SESSION, session)[0];
  const owner = (about?.["owner"] ?? null) as string | null;
  const completed = end === undefined ? null : (JSON.parse(end["row"] as string) as RowOf<"run.completed">);
  const status: RunState = completed?.payload.status ?? openState(store, session, owner, isAlive);
  return {
    id,
    session: session.slice(session.indexOf("/") + 1),
    workflow: started.payload.workflow,
    cwd: (about?.["cwd"] ?? "") as string,
    status,
    exitCode: completed?.payload.exitCode ?? null,
    error: completed?.payload.error ?? null,
    startedAt: row["at"] as number,
    endedAt: (end?.["at"] ?? null) as number | null,
    firstSeq: row["seq"] as number,
    lastSeq: (end?.["seq"] ?? null) as number | null,
    resumable: status === "interrupted" || status === "parked",
    questions: [],
    permissions: [],
  };
}

/** A run that was asked for and has not begun: it waits for consent, or nobody gave that. */
type AskedFor = { session: string; run: string; workflow: string };

/** Those that wait, newest first. */
function askedFor(store: Store): AskedFor[] {
  const found = store.query(TURNS).flatMap(({ session, input }): AskedFor[] => {
    const { ask } = JSON.parse(input as string) as TurnInput;
    if (ask.type !== "run" || ask.run === null || store.query(FIND, ask.run).length > 0) return [];
    return [{ session: session as string, run: ask.run, workflow: ask.workflow.name }];
  });
  return found.reverse();
}
/** One that was not let begin has an end, and no beginning. */
function notBegun(store: Store, run: string): AskedFor | null {
  const end = store.query(ENDED, run)[0];
  if (end === undefined) return null;
  const { payload } = JSON.parse(end["row"] as string) as RowOf<"run.completed">;
  return { session: end["session"] as string, run, workflow: payload.workflow };
}

function askedRecord(store: Store, { session, run, workflow }: AskedFor, isAlive: IsAlive): RunRecord {
  const first = store.query(FIRST, session, run)[0];
  const begun = { session, seq: first?.["seq"] ?? 1, at: first?.["at"] ?? 0 };
  const row = JSON.stringify({ run, payload: { workflow } });
  return { ...recordOf(store, { ...begun, row }, isAlive), resumable: false };
}

/** Questions are read for the runs that are shown only. */
function whole(store: Store, record: RunRecord): RunRecord {
  const session: Key = `session/${record.session}`;
  if (record.status === "parked") return { ...record, questions: openQuestions(store, session) };
  return record.status === "running" ? { ...record, permissions: openPermissions(store, session) } : record;
}

/** A run without an end: somebody runs it, it waits for a person, or a crash cut it off. */
function openState(store: Store, session: string, owner: string | null, isAlive: IsAlive): RunState {
  if (owner !== null && isAlive(owner)) return "running";
  const snap = store.query(SNAP, session)[0]?.["snap"];
  return typeof snap === "string" && (JSON.parse(snap) as Snap).value === "parked" ? "parked" : "interrupted";
}
