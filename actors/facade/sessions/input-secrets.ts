/** The values of secret inputs: they are in no store, and each has a name that every process knows. */
import { own } from "../../../machines/model.ts";
import { isSecretName } from "../../../machines/secret-name.ts";
import type { Session } from "../../api/facade.ts";
import type { RunRequest } from "../../api/records.ts";
import type { Host } from "../../host/host.ts";
import { inputSecret } from "../../masking/given.ts";
import type { Runtime } from "../runtime.ts";

/**
 * A process that resumes a run of another one is given its secrets again: under the names that its state has for them,
 * which are those of an earlier turn where that one had given the same value. What is given now corrects what was.
 */
export function learnAgain(
  { host, mask }: Pick<Runtime, "host" | "mask">,
  session: Pick<Session, "rows">,
  run: string,
  inputs: RunRequest["inputs"],
): void {
  if (Object.keys(inputs).length === 0) return;
  const names = host.runs.secrets(run);
  for (const [name, value] of Object.entries(inputs))
    for (const secret of isSecretName(name) ? (own(names, name) ?? []) : []) mask.relearn(secret, value);
  // Its first row alone: a session's log may be larger than memory.
  const [row] = session.rows((host.runs.find(run, null)?.seq ?? 1) - 1, 1);
  if (row?.type !== "run.started" || row.run !== run) return;
  for (const [name, value] of Object.entries(inputs)) mask.relearn(inputSecret(row.payload.turn ?? run, name), value);
}

/** The secret inputs of a run that this process does not know. On an engine it need not: its workers look for them. */
export function secretsUnknown({ reach, runs }: Pick<Host, "reach" | "runs">, run: string): string[] {
  if (reach !== undefined) return [];
  return Object.entries(runs.secrets(run)).flatMap(([name, secrets]) =>
    isSecretName(name) && secrets.length > 0 ? [name] : [],
  );
}
