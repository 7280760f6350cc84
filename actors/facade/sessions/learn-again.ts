/** What who goes on with a run of another process has to say again. */
import type { Session } from "../../api/facade.ts";
import type { RunRequest } from "../../api/records.ts";
import type { Mask } from "../../masking/masking.ts";
import { inputSecret } from "../session-handle.ts";

/** Values of secret inputs are in no store: who resumes a run in another process gives them again. */
export function learnAgain(
  session: Pick<Session, "rows">,
  run: string,
  inputs: RunRequest["inputs"],
  mask: Mask,
): void {
  for (const row of session.rows(0, Number.MAX_SAFE_INTEGER)) {
    if (row.type !== "run.started" || row.run !== run) continue;
    for (const [name, value] of Object.entries(inputs)) mask.learn(inputSecret(row.payload.turn ?? run, name), value);
    return;
  }
}
