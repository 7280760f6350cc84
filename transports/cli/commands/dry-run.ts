/** `troupe run --dry-run`: reads and checks everything, shows the steps and what a run would lack, starts nothing and asks for no trust. */
import {
  type Finding,
  givenBudget,
  type Troupe,
  TroupeError,
  troupeError,
  type Workflow,
} from "../../../actors/troupe.ts";
import {
  dryRunLines,
  type Planned,
  type PlannedStep,
  plannedSteps,
  spendingOf,
} from "../../../projections/terminal/dry-run.ts";
import { given, givenByCaller } from "../../../projections/terminal/stand-ins.ts";
import { withPromptFiles, withStdin } from "../given.ts";
import { type CommandContext, writeLines } from "../io.ts";
import { writeJson } from "../json-out.ts";
import { tellLacking, tellRefused } from "../lacking.ts";
import type { InputFlags } from "../options.ts";
import { withTroupe } from "../with-troupe.ts";

/** As many workflows may call each other in a run. */
const MAX_DEPTH = 10;
/** A workflow that calls others many times is shown up to here. */
const MAX_CALLS = 200;

export const dryRun = (
  { io, format }: CommandContext,
  asked: { workflow: string; inputs: InputFlags; budget?: string | undefined },
): Promise<number> =>
  withTroupe(io, async (troupe) => {
    if (asked.budget !== undefined) await givenBudget(asked.budget); // as a run would refuse it
    const { workflow, id, findings } = await checked(troupe, io.cwd, asked.workflow);
    const inputsGiven = await withPromptFiles(troupe, io.cwd, await withStdin(io, asked.inputs));
    const resolved = given(workflow, inputsGiven);
    if (!resolved.ok) throw new TroupeError(resolved.code, resolved.message, { workflow: id });
    const { inputs, standIns } = resolved;
    const steps = plannedSteps(workflow, inputs);
    const calls = new CalledSteps(troupe, io.cwd);
    await calls.fill(steps, [id]);
    const planned: Planned = { workflow: id, inputs, standIns, steps, ...spendingOf(workflow) };
    if (format === "json") writeJson(io, planned);
    else writeLines(io, dryRunLines({ ...planned, workflow: workflow.name }, { colours: io.colours }));
    await tellLacking(io, troupe, asked.workflow);
    tellRefused(io, findings);
    return 0;
  });

type Checked = { id: string; workflow: Workflow; findings: readonly Finding[] };

async function checked(troupe: Troupe, cwd: string, identifier: string): Promise<Checked> {
  const { workflow, findings, id } = await troupe.validate(cwd, identifier);
  const fault = findings.find(({ severity }) => severity === "error");
  if (workflow !== null && fault === undefined) return { id, workflow, findings };
  const where = fault === undefined ? "" : ` line ${fault.line}, column ${fault.column}: ${fault.message}`;
  throw new TroupeError("WORKFLOW.VALIDATION.FAILED", `workflow "${id}" cannot be run:${where}`, { workflow: id });
}

/** Puts the steps of called workflows below the steps that call them. */
class CalledSteps {
  readonly #troupe: Troupe;
  readonly #cwd: string;
  #left = MAX_CALLS;

  constructor(troupe: Troupe, cwd: string) {
    this.#troupe = troupe;
    this.#cwd = cwd;
  }

  /** `chain`: the workflows that are being shown, the outermost first. */
  async fill(steps: readonly PlannedStep[], chain: readonly string[]): Promise<void> {
    for (const step of steps) {
      if (step.call !== undefined) step.calls = await this.#called(step.call, chain);
    }
  }

  async #called(
    { workflow: name, inputs: passed }: NonNullable<PlannedStep["call"]>,
    chain: readonly string[],
  ): Promise<Planned | { cut: string }> {
    if (name.includes("{{")) return { cut: "which workflow that is only the run will show" };
    if (chain.length > MAX_DEPTH) return { cut: `more than ${MAX_DEPTH} calls stand above each other: cut here` };
    this.#left -= 1;
    if (this.#left < 0) return { cut: `more than ${MAX_CALLS} calls: cut here` };
    try {
      const { id, workflow } = await this.#find(name, chain.at(-1) ?? "");
      if (chain.includes(id)) return { cut: `"${id}" calls itself by this way: a run would be refused here` };
      const { inputs, standIns } = givenByCaller(workflow, passed);
      const steps = plannedSteps(workflow, inputs);
      await this.fill(steps, [...chain, id]);
      return { workflow: id, inputs, standIns, steps, ...spendingOf(workflow) };
    } catch (error) {
      return { cut: troupeError(error).message };
    }
  }

  /** A bare name in a pack means that pack's own workflow first. */
  async #find(name: string, caller: string): Promise<{ id: string; workflow: Workflow }> {
    const pack = caller.includes("/") ? caller.slice(0, caller.indexOf("/")) : null;
    if (pack === null || name.includes("/")) return checked(this.#troupe, this.#cwd, name);
    return checked(this.#troupe, this.#cwd, `${pack}/${name}`).catch(() => checked(this.#troupe, this.#cwd, name));
  }
}
