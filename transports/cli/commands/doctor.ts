/** `troupe doctor`: what is here, what is missing, and the one thing to do next. */
import { checkupLines } from "../../../projections/terminal/checkup.ts";
import { type CommandContext, writeLines } from "../io.ts";
import { writeJson } from "../json-out.ts";
import { version } from "../version.ts";
import { withTroupe } from "../with-troupe.ts";

const SYSTEM_EXIT = 4;

/** 0 where Troupe can work here, whatever it warns of; 4 where it cannot. */
export const doctor = ({ io, format }: CommandContext): Promise<number> =>
  withTroupe(io, async (troupe) => {
    const found = await troupe.checkup(io.cwd);
    if (format === "json") writeJson(io, { version, ...found });
    else writeLines(io, [`Troupe ${version}`, "", ...checkupLines(found, io)]);
    return found.ok ? 0 : SYSTEM_EXIT;
  });
