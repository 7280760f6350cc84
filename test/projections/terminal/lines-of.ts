/** What a terminal shows of rows, whole or in batches. */
import { from, lastValueFrom, reduce } from "rxjs";
import type { Frame, Row } from "../../../machines/exchange.ts";
import { terminalLines } from "../../../projections/terminal/lines.ts";
import { Log } from "./rows.ts";

export const plain = { colours: false, columns: null };
export const collect = (batches: readonly (readonly Frame[])[], options: Parameters<typeof terminalLines>[0] = plain) =>
  lastValueFrom(
    from(batches).pipe(
      terminalLines(options),
      reduce((all, pieces) => [...all, ...pieces], [] as string[]),
    ),
  );
export const text = async (
  rows: readonly Row[],
  options: Parameters<typeof terminalLines>[0] = plain,
): Promise<string[]> => {
  const log = new Log();
  return (await collect([rows.map((row) => log.row(row))], options)).join("").split("\n");
};
