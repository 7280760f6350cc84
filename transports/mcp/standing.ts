/**
 * Where a run stands, as far as its host may know.
 *
 * I1. A host sees the runs of the served directory alone, as far as they are its caller's; any other is unknown.
 */
import { type RunRecord, type Session, TroupeError } from "../../actors/troupe.ts";
import type { RunEnd } from "../../projections/mcp/result.ts";
import { StepWords } from "../../projections/mcp/words.ts";
import type { McpServed } from "./served.ts";

const PAGE = 512;
const ENDED: ReadonlySet<string> = new Set(["completed", "failed", "cancelled", "skipped"]);

export type Standing = { record: RunRecord; session: Session };

/** Throws USER.RUN.NOT_FOUND (I1). */
export async function standing({ troupe, cwd }: McpServed, run: string): Promise<Standing> {
  const record = await troupe.status(run);
  const unknown = new TroupeError("USER.RUN.NOT_FOUND", `there is no run "${run}": see troupe history`, { run });
  if (record.cwd !== cwd) throw unknown;
  const session = await troupe.open(record.session).catch((error: unknown) => {
    throw error instanceof TroupeError && error.code === "USER.SESSION.NOT_YOURS" ? unknown : error;
  });
  // Between its turn's end and its release the process still owns it.
  const questions = isAlive(record) ? session.questions() : [];
  return questions.length === 0 ? { record, session } : { record: { ...record, status: "parked", questions }, session };
}

/** A process runs it. */
export const isAlive = ({ status }: RunRecord): boolean => status === "running" || status === "waiting";
export const hasEnded = ({ status }: RunRecord): boolean => ENDED.has(status);

/** When the last thing was recorded of it: its end, or else the last row of its session. */
export const changedAt = ({ record: { startedAt, endedAt }, session }: Standing): number =>
  endedAt ?? session.rows(session.head() - 1, 1).at(0)?.at ?? startedAt;

/** Resolves when it has ended; one that has is left as it is. Throws USER.SESSION.BUSY_ELSEWHERE. */
export async function cancelRun(served: McpServed, run: string): Promise<void> {
  const { record, session } = await standing(served, run);
  if (hasEnded(record)) return;
  if (!isAlive(record)) return await session.close();
  const ended = session.ended();
  await session.cancel();
  await ended?.catch(() => undefined);
}

/** What an ended run gives back; null for any other. */
export function endOf({ record, session }: Standing): RunEnd | null {
  if (record.lastSeq === null) return null;
  const words = new StepWords();
  let end: RunEnd = { outputs: {}, message: null, said: null };
  for (let after = record.firstSeq - 1; after < record.lastSeq; ) {
    const rows = session.rows(after, Math.min(PAGE, record.lastSeq - after));
    if (rows.length === 0) break;
    words.take(rows);
    for (const row of rows)
      if (row.type === "run.completed" && row.run === record.id)
        end = { ...end, outputs: row.payload.outputs ?? {}, message: row.payload.message ?? null };
    after = rows.at(-1)?.seq ?? record.lastSeq;
  }
  return { ...end, said: words.said };
}
