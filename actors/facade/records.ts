/** What is said of runs: history and status, as the host tells of them. */
import { idOf } from "../../machines/model.ts";
import type { HistoryQuery, RunRecord, RunState } from "../api/records.ts";
import type { Host } from "../host/host.ts";
import type { RunAbout } from "../host/reads.ts";
import { openPermissions, openQuestions } from "./questions.ts";

const DEFAULT_LIMIT = 20;

type Recorded = Pick<Host, "runs" | "questions" | "backwards">;
/** Whose runs are looked at; null: everybody's. */
type Seen = { principal: string | null };

export function findRun(host: Recorded, { run, principal }: Seen & { run: string }): RunRecord | null {
  const found = host.runs.find(run, principal);
  return found === undefined ? null : whole(host, found, recordOf(found));
}

/** Newest first; runs called by other runs are left out. */
export function listRuns(host: Recorded, query: HistoryQuery & Seen, now: number): RunRecord[] {
  const found: RunRecord[] = [];
  const limit = query.limit ?? DEFAULT_LIMIT;
  if (limit <= 0) return found;
  for (const about of host.runs.latest(query.principal, now)) {
    const record = recordOf(about);
    if (!matches(record, query)) continue;
    found.push(whole(host, about, record));
    if (found.length >= limit) break;
  }
  return found;
}

function matches(record: RunRecord, query: HistoryQuery): boolean {
  if (query.resumable !== undefined && record.resumable !== query.resumable) return false;
  if (query.workflow !== undefined && record.workflow !== query.workflow) return false;
  return query.status === undefined || record.status === query.status;
}

function recordOf(about: RunAbout): RunRecord {
  const { run, session, workflow, end, at, seq, begun } = about;
  const status: RunState = end?.status ?? openState(about);
  return {
    id: run,
    session: idOf(session),
    workflow,
    cwd: about.of?.cwd ?? "",
    status,
    exitCode: end?.exitCode ?? null,
    error: end?.error ?? null,
    startedAt: at,
    endedAt: end?.at ?? null,
    firstSeq: seq,
    lastSeq: end?.seq ?? null,
    resumable: begun && (status === "interrupted" || status === "parked"),
    questions: [],
    permissions: [],
  };
}

/** A run without an end: somebody runs it, it waits for a person, or a crash cut it off. */
function openState({ of, isParked }: RunAbout): RunState {
  if (of?.isOwned === true) return "running";
  return isParked ? "parked" : "interrupted";
}

/** Questions are read for the runs that are shown only. */
function whole(host: Recorded, { session }: RunAbout, record: RunRecord): RunRecord {
  if (record.status === "parked") return { ...record, questions: openQuestions(host, session) };
  return record.status === "running" ? { ...record, permissions: openPermissions(host, session) } : record;
}
