/** `troupe status`: what became of one run. */
import { runCard } from "../../../projections/terminal/tables.ts";
import { type CommandContext, writeLines } from "../io.ts";
import { writeJson } from "../json-out.ts";
import { withTroupe } from "../with-troupe.ts";

export const status = ({ io, format }: CommandContext, run: string): Promise<number> =>
  withTroupe(io, async (troupe) => {
    const record = await troupe.status(run);
    if (format === "json") writeJson(io, record);
    else writeLines(io, runCard(record, io.now(), io));
    return 0;
  });
