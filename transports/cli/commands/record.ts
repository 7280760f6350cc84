/** `troupe record`: an agent step of a run as a script for the understudy. */
import { stringify } from "yaml";
import { runRows } from "../../../projections/runs/run-rows.ts";
import { agentSteps, scriptOf } from "../../../projections/script/script.ts";
import { usage } from "../failure.ts";
import type { CommandContext } from "../io.ts";
import { writeJson } from "../json-out.ts";
import { withTroupe } from "../with-troupe.ts";

export const record = (
  { io, format }: CommandContext,
  { run: named, step }: { run: string; step: string | null },
): Promise<number> =>
  withTroupe(io, async (troupe) => {
    const log = await troupe.log(await troupe.find(named, { cwd: io.cwd }));
    const run = log.record.id;
    // Where the session works stands in its first row.
    const rows = [...runRows({ rows: log.rows, record: { ...log.record, firstSeq: 1 } })];
    const steps = agentSteps(rows, run);
    const names = steps.join(", ");
    if (steps.length === 0) throw usage(`run "${run}" has no step with an agent`);
    if (step !== null && !steps.includes(step)) throw usage(`--step: expected one of ${names}, found "${step}"`);
    const [only, ...others] = steps;
    if (step === null && others.length > 0)
      throw usage(`run "${run}" has several agents: choose one by --step ${names}`);
    const script = scriptOf(rows, run, step ?? only ?? "");
    if (format === "json") writeJson(io, script);
    else io.out(stringify(script, { lineWidth: 0, aliasDuplicateObjects: false }));
    return 0;
  });
