/**
 * A run that does another one again: from its beginning, from a step on, or from what failed.
 *
 * I1. It is a run of the same session: whatever agents remember there is there for it, and both stand in one log.
 * I2. What it takes over fits the document as it is now, or whoever asked has said that it may differ.
 */
import type { Intent } from "../../../machines/contracts.ts";
import type { Exchange } from "../../../machines/exchange.ts";
import type { Json, Key } from "../../../machines/model.ts";
import { misfits } from "../../../machines/rerun/fit.ts";
import { type Beginning, takenOf } from "../../../machines/rerun/taken.ts";
import { trailOf } from "../../../machines/rerun/trail.ts";
import type { RerunRequest, RunRecord } from "../../api/records.ts";
import { TroupeError } from "../../errors/troupe-error.ts";
import { type PromptHost, runIntent } from "../../prompt/interpret.ts";
import { placeOf } from "../committed.ts";
import { findRun } from "../records.ts";
import type { Runtime } from "../runtime.ts";

type RunIntent = Extract<Intent, { type: "run" }>;
type Asking = { session: Key; cwd: string; learn: NonNullable<PromptHost["learn"]> };

/** Throws USER.RUN.NOT_FOUND, USER.RUN.NOT_RERUNNABLE, USER.RUN.CHANGED, and what a run throws that cannot begin. */
export async function rerunIntent(
  runtime: Runtime,
  { run, from, failed, force, inputs: given, consent }: RerunRequest & { run: string },
  { session, cwd, learn }: Asking,
): Promise<RunIntent> {
  if (from !== undefined && failed === true)
    throw new TroupeError("USER.CLI.USAGE", "--from and --failed exclude each other: name a step, or take what failed");
  const { host, catalogue, askHost } = runtime;
  const record = findRun(host, { run, principal: null });
  if (record === null || `session/${record.session}` !== session)
    throw new TroupeError("USER.RUN.NOT_FOUND", `there is no run "${run}" in this session: see troupe history`, {
      run,
    });
  const ended = host.runs.ended(run);
  if (ended === undefined || record.endedAt === null) throw notEnded(record);
  const trail = trailOf(rowsOf(runtime, record, session), run);
  const where: Beginning =
    from !== undefined ? { at: "step", name: from } : failed === true ? { at: "failed" } : { at: "start" };
  const found = takenOf(run, ended, trail, where);
  if (!found.ok) throw new TroupeError("USER.RUN.NOT_RERUNNABLE", found.fault.message, { run });
  const { workflow } = ended;
  const named = workflow.file ?? workflow.name;
  const loaded = await catalogue.load(cwd, named);
  const isDeclared = ([name]: [string, Json]): boolean =>
    loaded.awf || loaded.workflow.inputs.some((input) => input.name === name);
  const before = Object.fromEntries(Object.entries(ended.inputs).filter(isDeclared));
  const intent = await runIntent(
    catalogue,
    { workflow: named, inputs: { ...before, ...given }, consent },
    placeOf(runtime, session, cwd),
    { ...askHost, learn },
  );
  const { taken } = found;
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
  return { ...intent, taken: { ...taken, ...(differs.length === 0 ? {} : { differs }) } };
}

/** As a prompt would say it. */
export const rerunText = (run: string, { from, failed, force, inputs = {} }: RerunRequest): string =>
  [
    `/rerun run=${run}`,
    ...(from === undefined ? [] : [`from=${JSON.stringify(from)}`]),
    ...(failed === true ? ["failed"] : []),
    ...(force === true ? ["force"] : []),
    ...Object.entries(inputs).map(([name, value]) => `${name}=${JSON.stringify(value)}`),
  ].join(" ");

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
      ? `it is ${status}: ${status === "interrupted" || status === "parked" ? "go on with it (troupe resume), or cancel it first" : "wait for its end, or cancel it"}`
      : "nothing is kept of it: it was called by another run, or ended in an earlier version, or never began";
  return new TroupeError("USER.RUN.NOT_RERUNNABLE", `run "${run}" cannot be done again: ${why}`, { run, status });
}

function changed(run: string, differs: readonly string[]): TroupeError {
  const list = differs.map((line) => `\n- ${line}`).join("");
  const message = `what run "${run}" did would be taken over, and the workflow does it otherwise now:${list}\nTake it all the same with --force (force=true), or begin at an earlier step (--from)`;
  return new TroupeError("USER.RUN.CHANGED", message, { run, differs: [...differs] });
}
