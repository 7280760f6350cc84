/** `troupe run --dry-run`: reads and checks everything, shows the steps, starts nothing and asks for no trust. */
import { TroupeError } from "../../../actors/troupe.ts";
import { dryRunLines, given, plannedSteps } from "../../../projections/terminal/dry-run.ts";
import { type Context, writeLines } from "../io.ts";
import { writeJson } from "../json-out.ts";
import type { Given } from "../options.ts";
import { withTroupe } from "../with-troupe.ts";

export const dryRun = ({ io, format }: Context, asked: { workflow: string; inputs: Given }): Promise<number> =>
  withTroupe(io, async (troupe) => {
    const { workflow, findings, id } = await troupe.validate(io.cwd, asked.workflow);
    const fault = findings.find(({ severity }) => severity === "error");
    if (workflow === null || fault !== undefined) {
      const where = fault === undefined ? "" : ` line ${fault.line}, column ${fault.column}: ${fault.message}`;
      throw new TroupeError("WORKFLOW.VALIDATION.FAILED", `workflow "${id}" cannot be run:${where}`, { workflow: id });
    }
    const resolved = given(workflow, asked.inputs);
    if (!resolved.ok) throw new TroupeError(resolved.code, resolved.message, { workflow: id });
    if (format === "json")
      writeJson(io, { workflow: id, inputs: resolved.inputs, steps: plannedSteps(workflow, resolved.inputs) });
    else writeLines(io, dryRunLines(workflow, resolved.inputs, { colours: io.colours }));
    return 0;
  });
