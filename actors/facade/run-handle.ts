/** What a program holds of a run: its id, its session, and the end of the turn that it is in. */
import type { Run } from "../api/facade.ts";
import type { RunResult } from "../api/records.ts";
import { TroupeError } from "../errors/troupe-error.ts";
import { resultOf } from "./results.ts";
import type { SessionHandle } from "./session-handle.ts";

/** `run`: the one that the turn goes on with, where it did not begin it. `known`: how it ended, where no turn was begun. */
export function runOf(session: SessionHandle, run?: string, known?: Promise<RunResult>): Run {
  const ended =
    session.turnEnd() ?? Promise.reject(new TroupeError("USER.FACADE.SESSION_CLOSED", "no turn was started"));
  ended.catch(() => undefined);
  const id = run ?? session.runId();
  const done = known ?? ended.then((end) => resultOf(end, id));
  done.catch(() => undefined); // who wants the result awaits it
  const answer = async (question: string, text: string): Promise<Run> => {
    await session.answer(question, text);
    return runOf(session, id);
  };
  const cancel = (): Promise<void> => (session.ended() === undefined ? session.close() : session.cancel());
  return { id, session, done, answer, cancel };
}
