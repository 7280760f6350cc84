/**
 * `troupe cancel`: ends a run that no process works at. What another process runs is cancelled there.
 *
 * I1. A run that has ended is left as it is, and its end is told.
 */
import { standsAs } from "../../../projections/runs/standing.ts";
import { safeLine } from "../../../projections/terminal/safe.ts";
import type { CommandContext } from "../io.ts";
import { writeJson } from "../json-out.ts";
import { withTroupe } from "../with-troupe.ts";

export const cancel = ({ io, format }: CommandContext, named: string): Promise<number> =>
  withTroupe(io, async (troupe) => {
    const run = await troupe.find(named, { cwd: io.cwd });
    const { session: id, endedAt } = await troupe.status(run);
    if (endedAt === null) {
      const session = await troupe.open(id);
      await session.cancel();
      await session.close(); // its hooks have ended
    }
    const { workflow, status } = await troupe.status(run);
    if (format === "json") writeJson(io, { run, status });
    else {
      const left = endedAt === null ? "" : ": it is left as it is";
      io.out(`${safeLine(`Run ${run} of ${workflow} ${standsAs(status)}${left}.`)}\n`);
    }
    return 0;
  });
