/** A budget that would limit nothing begins nothing (I1 of `sessions/allowance.ts`). */
import { expect, test } from "vitest";
import { goingOn } from "../../../../actors/facade/sessions/continuing.ts";
import type { Troupe } from "../../../../actors/troupe.ts";
import { place } from "../asking.ts";

type Budget = NonNullable<Parameters<Troupe["run"]>[0]["budget"]>;

test.each([
  [{ cost_usd: 5 }, "budget.cost_usd: expected none but limits, warnAt, onBudget; did you mean limits.costUsd?"],
  [
    { limits: { token: 5 } },
    "budget.limits.token: expected none but costUsd, tokens, agentTurns, timeMs; did you mean tokens?",
  ],
  [{ limits: { tokens: "5" } }, "budget.limits.tokens: expected a number above 0"],
  [{ limits: { timeMs: Number.NaN } }, "budget.limits.timeMs: expected a number above 0"],
  [{ limits: 5 }, "budget.limits: expected an object with costUsd, tokens, agentTurns, timeMs"],
  [{}, "budget.limits: expected an object with costUsd, tokens, agentTurns, timeMs"],
  [{ limits: {}, warnAt: 80 }, "budget.warnAt: expected a number from 0 to 1"],
  [{ limits: {}, onBudget: "warn" }, "budget.onBudget: expected one of ask, stop, fallback_model"],
])("%j is refused", async (budget, message) => {
  const { troupe, cwd } = place();
  const one = troupe();
  const asked = one.run({ workflow: "plain", inputs: {}, consent: "yes", cwd, budget: budget as unknown as Budget });
  await expect(asked).rejects.toMatchObject({ code: "USER.CLI.USAGE", message });
  expect(await one.history()).toEqual([]);
});

test("so is that of a rerun and of a resume; a good one is taken", async () => {
  const { troupe, start, cwd } = place();
  const one = troupe();
  const first = await start(one, "plain");
  await first.done;
  const wrong = { costUsd: 1 } as unknown as Budget;
  const refused = { code: "USER.CLI.USAGE", details: { field: "budget.costUsd" } };
  await expect(one.rerun(first.id, { consent: "yes", budget: wrong })).rejects.toMatchObject(refused);
  const budget = { limits: { tokens: 5, costUsd: Number.POSITIVE_INFINITY }, warnAt: 0.5, onBudget: "stop" } as const;
  const again = await one.run({ workflow: "plain", inputs: {}, consent: "yes", cwd, budget });
  expect(await again.done).toMatchObject({ outcome: { status: "completed" } });
  const asks = { type: "resume", recover: "rerun", budget: { token: 5 } as never } as const;
  const onward = goingOn({} as never, { session: "session/s", cwd, consent: undefined }, asks);
  await expect(onward()).rejects.toMatchObject({ code: "USER.CLI.USAGE", details: { field: "budget.token" } });
});
