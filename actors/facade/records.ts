/** What is said of runs: history and status, as the host reports them. */
import type { ActorSeen } from "../../machines/inspection.ts";
import { idOf } from "../../machines/model.ts";
import type { HistoryQuery, RunRecord } from "../api/records.ts";
import { TroupeError } from "../errors/troupe-error.ts";
import type { Host } from "../host/host.ts";
import { END_OF_TIME, type RunAbout, type RunStands } from "../host/reads.ts";
import { checkedHistory, checkedText } from "./call-forms.ts";
import { openPermissions, openQuestions } from "./questions.ts";
import { subjectOf } from "./subject.ts";

const DEFAULT_LIMIT = 20;
export const OPEN: readonly RunStands[] = ["running", "parked", "interrupted"];
const ENDED: readonly RunStands[] = ["completed", "failed", "cancelled", "skipped"];

type Recorded = Pick<Host, "runs" | "questions" | "backwards" | "reach">;
/** Whose runs are looked at; null: everybody's. */
type Seen = { principal: string | null };

export function findRun(host: Recorded, { run, principal }: Seen & { run: string }): RunRecord | null {
  const found = host.runs.find(run, principal);
  return found === undefined ? null : whole(host, found, recordOf(found));
}

/** The same, of a run that this process may not have met yet. Throws USER.RUN.NOT_FOUND. */
export async function reachedRun(
  host: Recorded & Pick<Host, "reachRun">,
  asked: Seen & { run: string },
): Promise<RunRecord> {
  const run = checkedText("run", asked.run);
  await host.reachRun?.(run);
  const record = findRun(host, asked);
  if (record !== null) return record;
  throw new TroupeError("USER.RUN.NOT_FOUND", `there is no run "${run}": see troupe history`, { run });
}

/** Throws USER.FACADE.INVALID_REQUEST. Newest first, also those that began before the clock was set back; runs called by other runs are left out. */
export async function listRuns(host: Recorded, query: HistoryQuery & Seen): Promise<RunRecord[]> {
  const found: RunRecord[] = [];
  const { limit = DEFAULT_LIMIT } = checkedHistory(query);
  await host.runs.gathered();
  const { principal, workflow = null, cwd = null, under = cwd, since = 0 } = query;
  const until = Math.min(END_OF_TIME, (query.until ?? Number.POSITIVE_INFINITY) - 1);
  const within = under === null ? null : ({ type: "below", folder: under } as const);
  for await (const about of host.runs.latest({ principal, workflow, stands: standsOf(query), until, within })) {
    if (about.begun && about.at < since) break; // those that wait to begin come first, in no order of time
    const known = recordOf(about);
    if (known.status === "parked" || known.status === "running") await host.reach?.(about.session);
    const record = whole(host, about, known);
    if (!matches(record, query)) continue;
    found.push(record);
    if (found.length >= limit) break;
  }
  return found;
}

/** How the runs stand that are looked at: who waits for a decision is among those that run. */
function standsOf({ status, resumable, open }: HistoryQuery): readonly RunStands[] | null {
  if (status !== undefined) return [status === "waiting" ? "running" : status];
  if (resumable === true) return ["parked", "interrupted"];
  return open === undefined ? null : open ? OPEN : ENDED;
}

function matches(record: RunRecord, { status, resumable, open, cwd, since = 0, until }: HistoryQuery): boolean {
  if (resumable !== undefined && record.resumable !== resumable) return false;
  if (open !== undefined && (record.endedAt === null) !== open) return false;
  if (cwd !== undefined && record.cwd !== cwd) return false;
  if (record.startedAt < since || (until !== undefined && record.startedAt >= until)) return false;
  return status === undefined || record.status === status;
}

function recordOf(about: RunAbout): RunRecord {
  const { run, session, workflow, end, at, seq, begun, stands: status, cancelling } = about;
  const startedBy = subjectOf(about.of?.principal ?? "");
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
    ...(startedBy === undefined ? {} : { startedBy }),
    resumable: begun && cancelling !== true && (status === "interrupted" || status === "parked"),
    questions: [],
    permissions: [],
  };
}

/** Questions are read for the runs that are shown only. */
function whole(host: Recorded, { session }: RunAbout, record: RunRecord): RunRecord {
  if (record.status === "parked") return { ...record, questions: openQuestions(host, session) };
  if (record.status !== "running") return record;
  const permissions = openPermissions(host, session);
  return permissions.length === 0 ? record : { ...record, status: "waiting", permissions };
}

/** The machines of a run, and those of its session, as they are kept. */
export const machinesOf = ({ sessions }: Pick<Host, "sessions">, { id, session }: RunRecord): ActorSeen[] =>
  sessions.machines([`session/${session}`, `run/${id}`]);
