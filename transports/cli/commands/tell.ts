/** `troupe tell`: says something to an agent of a run while it works, whichever process runs it. */
import { toldAnswer } from "../../../projections/runs/told-words.ts";
import { safeLine } from "../../../projections/terminal/safe.ts";
import type { CommandContext } from "../io.ts";
import { writeJson } from "../json-out.ts";
import { withTroupe } from "../with-troupe.ts";

type Said = { run: string; step: string | null; text: string };

export const tell = ({ io, format }: CommandContext, { run: named, step, text }: Said): Promise<number> =>
  withTroupe(io, async (troupe) => {
    const run = await troupe.find(named, { cwd: io.cwd });
    const { session } = await troupe.status(run);
    const told = await (await troupe.open(session)).tell({ run, text, step });
    if (format === "json") writeJson(io, told);
    else io.out(`${safeLine(toldAnswer(told))}\n`);
    return 0;
  });
