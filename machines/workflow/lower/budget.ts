/** From the checked fields of a budget to what it says. */
import type { z } from "zod";
import { type Allowance, LIMIT_NAMES, LIMIT_WORDS } from "../../budget/budget.ts";
import { durationMs } from "../duration.ts";
import type { budget } from "../schema/budget.ts";

/** Nothing where none is given; a budget without a limit limits nothing. */
export function budgetOf(data: z.output<typeof budget> | null | undefined): { budget?: Allowance } {
  if (data === null || data === undefined) return {};
  const { cost_usd, tokens, agent_turns, time, warn_at, on_budget } = data;
  const ms = time === null || time === undefined ? null : durationMs(time);
  const given = { costUsd: cost_usd, tokens, agentTurns: agent_turns, timeMs: ms };
  const limits = Object.fromEntries(
    LIMIT_NAMES.flatMap((name) => {
      const limit = given[name];
      return limit === null || limit === undefined ? [] : [[name, limit]];
    }),
  );
  return {
    budget: {
      limits,
      ...(warn_at === null || warn_at === undefined ? {} : { warnAt: warn_at }),
      ...(on_budget === null || on_budget === undefined ? {} : { onBudget: on_budget }),
    },
  };
}

/** A budget as a file would say it, on one line: for those who look at it. */
export const budgetWords = ({ limits, onBudget }: Allowance): string => {
  const given = LIMIT_NAMES.flatMap((name) => {
    const limit = limits[name];
    return limit === undefined ? [] : [`${LIMIT_WORDS[name]} ${name === "timeMs" ? `${limit / 1_000}s` : limit}`];
  });
  return [...given, `then ${onBudget ?? "ask"}`].join(", ");
};
