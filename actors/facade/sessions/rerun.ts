/**
 * A run that does another one again: from its beginning, from a step on, or from what failed.
 *
 * I1. It is a run of the same session: whatever agents remember there is there for it, and both stand in one log.
 * I2. What it takes over fits the document as it is now, or the request says that it may differ.
 * I3. A secret that this process does not know is given again, or nothing begins: it is in no store. Given again it is the
 *     one that the earlier run had.
 */
import type { Intent } from "../../../machines/contracts.ts";
import type { Exchange } from "../../../machines/exchange.ts";
import { type Json, type Key, own, type TakenOver } from "../../../machines/model.ts";
import { misfits } from "../../../machines/rerun/fit.ts";
import { type Beginning, takenOf } from "../../../machines/rerun/taken.ts";
import { trailOf } from "../../../machines/rerun/trail.ts";
import type { RunReading } from "../../../machines/run/reading.ts";
import { isSecretName } from "../../../machines/secret-name.ts";
import type { RerunRequest, RunRecord } from "../../api/records.ts";
import { refuseGone } from "../../base/directory.ts";
import { TroupeError } from "../../errors/troupe-error.ts";
import { runIntent } from "../../prompt/interpret.ts";
import { checkedObject } from "../call-forms.ts";
import { placeOf } from "../committed.ts";
import { findRun } from "../records.ts";
import type { Runtime } from "../runtime.ts";
import { checkedAllowance } from "./allowance.ts";

type RunIntent = Extract<Intent, { type: "run" }>;
type Asking = { session: Key; cwd: string; turn: string };

/** Throws USER.RUN.NOT_FOUND, USER.RUN.NOT_RERUNNABLE, USER.RUN.CHANGED, and what a run throws that cannot begin. */
export async function rerunIntent(
  runtime: Runtime,
  { run, from, failed, force, inputs: given, consent, budget }: RerunRequest & { run: string },
  { session, cwd, turn }: Asking,
): Promise<RunIntent> {
  if (from !== undefined && failed === true)
    throw new TroupeError("USER.CLI.USAGE", "--from and --failed exclude each other: name a step, or take what failed");
  refuseGone(cwd);
  const { host, catalogue, askHost } = runtime;
  const record = findRun(host, { run, principal: null });
  if (record === null || `session/${record.session}` !== session)
    throw new TroupeError("USER.RUN.NOT_FOUND", `there is no run "${run}" in this session: see troupe history`, {
      run,
    });
  const left = host.runs.ended(run);
  if (left === undefined || record.endedAt === null) throw notEnded(record);
  const trail = trailOf(rowsOf(runtime, record, session), run);
  const where: Beginning =
    from !== undefined ? { at: "step", name: from } : failed === true ? { at: "failed" } : { at: "start" };
  const take = (reading: RunReading): TakenOver => {
    const found = takenOf(run, reading, trail, where);
    if (found.ok) return found.taken;
    throw new TroupeError("USER.RUN.NOT_RERUNNABLE", found.fault.message, { run });
  };
  take(left); // what cannot be is said before a secret is asked for
  const { workflow } = left;
  const named = workflow.file ?? workflow.name;
  const loaded = await catalogue.load(cwd, named);
  const isDeclared = ([name]: [string, Json]): boolean =>
    loaded.awf || loaded.workflow.inputs.some((input) => input.name === name);
  const ended = withSecrets(runtime.mask, left, { run, given, inputs: Object.entries(left.inputs).filter(isDeclared) });
  const taken = take(ended);
  const before = Object.fromEntries(Object.entries(ended.inputs).filter(isDeclared));
  const intent = await runIntent(
    catalogue,
    { workflow: named, inputs: { ...before, ...given }, consent },
    placeOf(runtime, session, cwd),
    { ...askHost, secrets: { mask: runtime.mask, turn } },
  );
  const differs = misfits({
    before: ended,
    now: intent,
    steps: taken.steps,
    results: Object.keys(taken.states),
    loop: taken.earlier === undefined ? null : taken.from,
  });
  const target = taken.from === null ? undefined : intent.workflow.states[taken.from];
  if (taken.from !== null && (target === undefined || target.type === "terminal"))
    throw new TroupeError("USER.RUN.NOT_RERUNNABLE", `the workflow has no step "${taken.from}" any more`, { run });
  if (differs.length > 0 && force !== true) throw changed(run, differs);
  const limited = budget === undefined ? left.budget : checkedAllowance(budget);
  const spends = limited === undefined ? {} : { budget: limited };
  return { ...intent, ...spends, taken: { ...taken, ...(differs.length === 0 ? {} : { differs }) } };
}

/** What it has left, with the secrets that are given again in their places (I3). */
function withSecrets(
  mask: Runtime["mask"],
  left: RunReading,
  { run, given = {}, inputs }: { run: string; given: RerunRequest["inputs"]; inputs: [name: string, value: Json][] },
): RunReading {
  const unknown = inputs.flatMap(([name, value]) => {
    const secrets = mask.missing(JSON.stringify(value));
    return secrets.length === 0 ? [] : [{ name, secrets }];
  });
  const lacking = unknown.filter(({ name }) => own(given, name) === undefined).map(({ name }) => name);
  if (lacking.length > 0) throw secretsLacking(run, lacking);
  if (unknown.length === 0) return left;
  for (const { name, secrets } of unknown)
    for (const secret of secrets) if (isSecretName(name)) mask.learn(secret, own(given, name) ?? "");
  const known = mask.reveal(mask.hide(left)) as RunReading;
  return {
    ...known,
    inputs: { ...known.inputs, ...Object.fromEntries(unknown.map(({ name }) => [name, own(given, name) ?? ""])) },
  };
}

function secretsLacking(run: string, names: readonly string[]): TroupeError {
  const which = names.length === 1 ? `the value of ${names[0]} is` : `the values of ${names.join(", ")} are`;
  const again = names.map((name) => `${name}=…`).join(" ");
  const message = `${which} secret and in no store, and this process does not know it: give it again (-i ${again} on the command line, ${again} behind /rerun)`;
  return new TroupeError("USER.INPUT.MISSING", message, { run, inputs: [...names] });
}

/** As a prompt would say it. */
export function rerunText(run: string, request: RerunRequest): string {
  const { from, failed, force, inputs = {} } = checkedObject("request", request);
  return [
    `/rerun run=${run}`,
    ...(from === undefined ? [] : [`from=${JSON.stringify(from)}`]),
    ...(failed === true ? ["failed"] : []),
    ...(force === true ? ["force"] : []),
    ...Object.entries(inputs).map(([name, value]) => `${name}=${JSON.stringify(value)}`),
  ].join(" ");
}

const PAGE = 512;
function* rowsOf({ host }: Runtime, { firstSeq, lastSeq }: RunRecord, session: Key): Generator<Exchange> {
  for (let after = firstSeq - 1; ; ) {
    const rows = host.rows(session, after, PAGE);
    for (const row of rows) {
      if (lastSeq !== null && row.seq > lastSeq) return;
      yield row;
    }
    if (rows.length < PAGE) return;
    after = rows.at(-1)?.seq ?? after;
  }
}

function notEnded({ id: run, status, endedAt }: RunRecord): TroupeError {
  const why =
    endedAt === null
      ? `it is ${status}: ${status === "interrupted" || status === "parked" ? "resume it (troupe resume), or cancel it first (troupe cancel)" : "wait for its end, or cancel it"}`
      : "nothing is kept of it: it was called by another run, or ended in an earlier version, or never began";
  return new TroupeError("USER.RUN.NOT_RERUNNABLE", `run "${run}" cannot be done again: ${why}`, { run, status });
}

function changed(run: string, differs: readonly string[]): TroupeError {
  const list = differs.map((line) => `\n- ${line}`).join("");
  const message = `what run "${run}" did would be taken over, and the workflow does it otherwise now:${list}\nTake it all the same with --force (force=true), or begin at an earlier step (--from, from=step)`;
  return new TroupeError("USER.RUN.CHANGED", message, { run, differs: [...differs] });
}
