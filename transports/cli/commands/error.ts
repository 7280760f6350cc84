/** `troupe error`: what a code means, and what to do; of part of a code, those that have it; without one, all of them. */
import { toldCodes } from "../../../actors/looking.ts";
import { card } from "../../../projections/terminal/tables.ts";
import { type CommandContext, writeLines } from "../io.ts";
import { writeJson } from "../json-out.ts";

export async function error({ io, format }: CommandContext, asked: string | null): Promise<number> {
  const codes = await toldCodes(asked);
  if (format === "json") writeJson(io, codes);
  else if (asked === null || codes.length > 1)
    writeLines(
      io,
      codes.map(({ code, cause }) => `${code}  ${cause}`),
    );
  else
    for (const { code, cause, remedy, exit, http } of codes) {
      const fields: [string, string][] = [
        ["code", code],
        ["cause", cause],
        ["remedy", remedy],
        ["exit code", String(exit)],
        ["over HTTP", String(http)],
      ];
      writeLines(io, card(fields, io));
    }
  return 0;
}
