/** The values of secret inputs: they are in no store, and each has a name that every process knows. */
import type { Session } from "../../api/facade.ts";
import type { RunRequest } from "../../api/records.ts";
import type { Mask } from "../../masking/masking.ts";

/** The name of a secret that a prompt gave: the same in every process that knows the log. */
export const inputSecret = (turn: string, name: string): string => `input/${turn}/${name}`;

/** A process that resumes a run of another one is given its secrets again. */
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
