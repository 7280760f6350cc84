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
    const record = matching(host, about, query);
    if (record === null) continue;
    found.push(record);
    if (found.length >= limit) break;
  }
  return found;
}

/** The whole record where it is asked for. Only who asks for one of the two tells waiting from running. */
function matching(host: Recorded, about: RunAbout, query: HistoryQuery): RunRecord | null {
  const bare = recordOf(about);
  const isAsked = query.status === "running" || query.status === "waiting";
  const record = isAsked && bare.status === "running" ? whole(host, about, bare) : bare;
  return matches(record, query) ? whole(host, about, record) : null;
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
  if (record.status !== "running") return record;
  const permissions = openPermissions(host, session);
  return permissions.length === 0 ? record : { ...record, status: "waiting", permissions };
}
