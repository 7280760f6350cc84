/** The tokens in the last line of a run on a screen. */
import { of, reduce } from "rxjs";
import { expect, it } from "vitest";
import type { Row } from "../../../machines/exchange.ts";
import { aboveText, screened } from "../../../projections/screen/above.ts";
import { Log, runCompleted, runStarted, stepCompleted, stepStarted } from "../terminal/rows.ts";

it("are of each attempt what was told last, as where all lines of the run are shown", () => {
  const used = (totalTokens: number): Row => ({
    type: "usage.recorded",
    run: "r1",
    step: "write",
    payload: { totalTokens },
  });
  const again = { name: "write", attempt: 1, delayMs: 0, reason: { code: "X", message: "no" } };
  const rows: Row[] = [
    ...[runStarted(), stepStarted("write", { kind: "agent" }), used(10), used(30)],
    { type: "step.retrying", run: "r1", step: "write", payload: again },
    ...[used(5), used(7), stepCompleted("write", { kind: "agent" }), runCompleted()],
  ];
  const log = new Log();
  let shown = "";
  of(rows.map((row) => log.row(row)))
    .pipe(
      screened({ run: "r1", after: 0, keeps: true, colours: false, amount: "end" }),
      reduce((all, { above }) => all + aboveText(above, null), ""),
    )
    .subscribe((text) => {
      shown = text;
    });
  expect(shown).toContain("(1 step, 1 retried, 37 tokens)");
});
