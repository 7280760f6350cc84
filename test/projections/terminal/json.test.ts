import { lastValueFrom, of, reduce } from "rxjs";
import { expect, it } from "vitest";
import { jsonLines } from "../../../projections/terminal/json.ts";
import { Log, output, runStarted, said } from "./rows.ts";

it("is the committed rows, one a line, and no live chunk", async () => {
  const log = new Log();
  const [first, live, second] = [
    log.row(runStarted()),
    log.live(said("a", 0, "x")),
    log.row(output("a", 0, "\u009b2J\n")),
  ];
  const frames$ = of([first, live], [second]);
  const pieces = await lastValueFrom(
    frames$.pipe(
      jsonLines(),
      reduce((all, some) => [...all, ...some], [] as string[]),
    ),
  );
  expect(pieces).toHaveLength(2);
  expect(pieces.map((line) => JSON.parse(line))).toEqual([first, second]);
  expect(pieces.join("")).not.toMatch(/[^\P{Cc}\n]/u);
});
