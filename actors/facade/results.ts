/** What a turn comes to for who waits for its run, and why a run takes no answer. */

import type { AnswerOptions, RunRecord, RunResult } from "../api/records.ts";
import { errorOf, TroupeError } from "../errors/troupe-error.ts";
import type { Host } from "../host/host.ts";
import type { TurnEnd } from "./open-prompt.ts";
import { lastAnswer } from "./questions.ts";

/** The question that an answer is for. Throws where there is none, and what `check` throws. */
export function askedOf(
  host: Pick<Host, "questions" | "backwards">,
  record: RunRecord,
  { question, check }: { [name in "question" | "check"]: AnswerOptions[name] | undefined },
): string {
  const asked = question ?? record.questions[0]?.input;
  if (asked === undefined) throw notWaiting(host, record);
  for (const one of record.questions) if (one.input === asked) check?.(one);
  return asked;
}

/** Why a run takes no answer. */
function notWaiting(host: Pick<Host, "questions" | "backwards">, record: RunRecord): TroupeError {
  const { id, status } = record;
  const details = { run: id, status };
  const session = `session/${record.session}` as const;
  switch (status) {
    case "parked":
    case "running":
    case "waiting":
      // A branch has asked, and others are at work: its run takes no prompt meanwhile.
      if (host.questions.inputs(session).length > 0)
        return new TroupeError(
          "USER.FACADE.INPUT_REJECTED",
          `run "${id}" is running and takes an answer once the steps beside the one that asks have ended: troupe status ${id} shows them`,
          details,
        );
      if (status === "waiting")
        return new TroupeError(
          "USER.FACADE.INPUT_REJECTED",
          `run "${id}" waits for a decision, which words are not: troupe decide ${id} makes it`,
          details,
        );
      return lastAnswer(host, session)
        ? new TroupeError(
            "USER.FACADE.DUPLICATE_RESPONSE",
            `run "${id}" is running: its question was answered already`,
            details,
          )
        : new TroupeError("USER.FACADE.INPUT_REJECTED", `run "${id}" is running and asks nothing`, details);
    case "interrupted":
      return new TroupeError(
        "USER.FACADE.INPUT_REJECTED",
        `run "${id}" was interrupted and asks nothing: resume it`,
        details,
      );
    case "completed":
    case "failed":
    case "cancelled":
    case "skipped":
      return new TroupeError(
        "USER.FACADE.INPUT_REJECTED",
        `run "${id}" has ${ENDED[status]}: it asks nothing`,
        details,
      );
    default:
      return status satisfies never;
  }
}
const ENDED = {
  completed: "completed",
  failed: "failed",
  cancelled: "been cancelled",
  skipped: "been skipped",
} as const;

/**
 * What a turn has left of its run. One that ended well without the run's end has left it parked or cut off; one that
 * ended otherwise was refused.
 */
export function resultOf({ run, error, stopReason, questions }: TurnEnd, id: string): RunResult {
  if (run !== null) return run;
  if (error !== null) throw errorOf(error);
  if (stopReason !== "end_turn")
    throw new TroupeError("EXECUTION.RUN.CANCELLED", `the turn ended without a run: ${stopReason}`);
  const outcome = questions.length > 0 ? ({ status: "parked", questions } as const) : INTERRUPTED;
  return { run: id, outcome, outputs: {}, message: null };
}
/** What a parked run has come to before it is answered. */
export const parked = ({ id, questions }: RunRecord): RunResult => ({
  run: id,
  outcome: { status: "parked", questions },
  outputs: {},
  message: null,
});
const standing = (status: RunRecord["status"]): string =>
  status in ENDED ? `has ${ENDED[status as keyof typeof ENDED]}` : `is ${status}`;
const INTERRUPTED = { status: "interrupted" } as const;

/** What is done in the place of a resume. */
const insteadOf = ({ id, status }: RunRecord): string =>
  status === "running" ? `; troupe logs ${id} -f shows what it does` : "";

/** The same; throws USER.RUN.NOT_RESUMABLE where it can not. */
export function resumable(record: RunRecord): RunRecord {
  const { id: run, status } = record;
  if (record.resumable) return record;
  const message = `run "${run}" ${standing(status)}: only an interrupted or a parked run can be resumed${insteadOf(record)}`;
  throw new TroupeError("USER.RUN.NOT_RESUMABLE", message, { run, status });
}

/** The same of a run that is given a higher limit: one that waits for an answer has not stopped at a budget. */
export function raisable(record: RunRecord, budget: object | undefined): RunRecord {
  if (budget === undefined || record.status !== "parked") return record;
  const { id: run, status } = record;
  const message = `run "${run}" waits for an answer and has not stopped at a budget: leave the budget out, and answer it`;
  throw new TroupeError("USER.RUN.NOT_RESUMABLE", message, { run, status });
}
