/** The one place where budgets are asked: `actors/effects/weigh.ts`. */
import { expect, test } from "vitest";
import type { EffectOptions } from "../../../actors/effects/options.ts";
import { weigh } from "../../../actors/effects/weigh.ts";
import type { WorkContext } from "../../../actors/host/host.ts";
import type { Row } from "../../../machines/exchange.ts";

test("of steps side by side no more turns begin than a limit lets, before any of them is in the log (I1, I2)", async () => {
  const recorded: Row[] = [];
  const options = { clock: { now: () => 0 }, spentRows: () => [] } as unknown as EffectOptions;
  const asked = weigh(options);
  const origin = { run: "r", step: "a", session: "s", parallel: true, depth: 0 };
  const held = { of: "user", name: "w", run: "r", step: null, limits: { agentTurns: 2 } } as const;
  const contextOf = (attempt: string) =>
    ({ session: "session/s", attempt, record: (row: Row) => recorded.push(row) }) as unknown as WorkContext;
  const answers = await Promise.all(
    ["1", "2", "3"].map((attempt) => asked({ origin, name: "a", budgets: [held] }, contextOf(attempt))),
  );
  expect(answers.map(({ reached }) => reached?.limit ?? null)).toEqual([null, null, "agentTurns"]);
  expect(recorded.filter((row) => row.type === "budget.noted" && row.payload.is === "turn")).toHaveLength(2);
});
