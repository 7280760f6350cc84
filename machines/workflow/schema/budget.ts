/** The fields of a budget: of a workflow, a step, the user's configuration and a command line. */
import { z } from "zod";
import { ON_BUDGET } from "../../budget/budget.ts";
import { durationMs } from "../duration.ts";
import { choice, count, duration, number, opt } from "./fields.ts";

const ABOVE = "a number above 0";
const above = () => z.number({ error: ABOVE }).gt(0, { error: ABOVE });
const ABOVE_ZERO = "a duration above 0, such as 90s or 1h (a bare number is seconds)";
/** Elsewhere a duration of 0 is no limit: here a run would stop before it begins. */
const time = () => duration().refine((given) => durationMs(given) !== 0, { error: ABOVE_ZERO });
/** Also of the user's own, in the configuration and on the command line. */
export const budgetFields = {
  cost_usd: opt(above()).describe("The most it may cost, in US dollars; no limit by default."),
  tokens: opt(above()).describe("The most tokens that its agents may use, of all kinds together; no limit by default."),
  agent_turns: opt(count(1)).describe(
    "The most turns of agents: attempts, repairs and replies, each one; no limit by default.",
  ),
  time: opt(time()).describe(
    "The longest that it may work, without the time in which a person is asked; no limit by default.",
  ),
  warn_at: opt(number(0, 1)).describe("The share of a limit from which on it warns; 0.8 by default."),
  on_budget: opt(choice(ON_BUDGET)).describe(
    "At a limit: ask; stop, to be resumed; or fallback_model, the next entry of the step's fallback goes on. ask by default.",
  ),
};
export const budget = z.strictObject(budgetFields, { error: "a map with cost_usd, tokens, agent_turns and time" });
