/** `troupe record`: an agent step of a run as a script for the understudy. */
import { stringify } from "yaml";
import { runRows } from "../../../projections/runs/run-rows.ts";
import { agentSteps, meantBy, namesOf, scriptOf } from "../../../projections/script/script.ts";
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
    if (steps.length === 0) throw usage(`run "${run}" has no step with an agent`);
    const [only, ...others] = step === null ? steps : meantBy(step, steps);
    if (only === undefined) throw usage(`--step: expected one of ${namesOf(steps)}, found "${step}"`);
    if (others.length > 0)
      throw usage(`run "${run}" has several agents: choose one by --step ${namesOf([only, ...others])}`);
    const script = scriptOf(rows, run, only.path);
    if (format === "json") writeJson(io, script);
    else io.out(stringify(script, { lineWidth: 0, aliasDuplicateObjects: false }));
    return 0;
  });
