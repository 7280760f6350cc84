/**
 * A budget that a program gives by itself.
 *
 * I1. What would limit nothing is refused: a name that is not known, or a value that is no limit. Nothing is counted for
 *     it, and the run would spend without a word.
 */
import { type Allowance, LIMIT_NAMES, type Limits, ON_BUDGET } from "../../../machines/budget/budget.ts";
import { suggest } from "../../../machines/workflow/suggest.ts";
import { TroupeError } from "../../errors/troupe-error.ts";

type Given = { readonly [name: string]: unknown };
const FIELDS = ["limits", "warnAt", "onBudget"];

/** The budget as it was given. Throws USER.CLI.USAGE with the field in question. */
export function checkedAllowance(budget: Allowance): Allowance {
  const { warnAt, onBudget, limits } = mapIn(budget, "budget", FIELDS);
  checkedLimits(limits as Limits, "budget.limits");
  if (warnAt !== undefined && !(typeof warnAt === "number" && warnAt >= 0 && warnAt <= 1))
    throw wrong("budget.warnAt", "a number from 0 to 1");
  if (onBudget !== undefined && !ON_BUDGET.some((one) => one === onBudget))
    throw wrong("budget.onBudget", `one of ${ON_BUDGET.join(", ")}`);
  return budget;
}

/** The same of limits alone. `field`: where they stand. */
export function checkedLimits(limits: Limits, field = "budget"): Limits {
  for (const [name, value] of Object.entries(mapIn(limits, field, LIMIT_NAMES)))
    if (value !== undefined && !(typeof value === "number" && value > 0))
      throw wrong(`${field}.${name}`, "a number above 0");
  return limits;
}

/** Of these names only. */
function mapIn(given: unknown, field: string, names: readonly string[]): Given {
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw wrong(field, `an object with ${names.join(", ")}`);
  for (const name of Object.keys(given)) {
    if (names.includes(name)) continue;
    const limit = suggest(name, LIMIT_NAMES);
    const meant = names === FIELDS && limit !== null ? `limits.${limit}` : suggest(name, names);
    const offered = meant === null ? "" : `; did you mean ${meant}?`;
    throw wrong(`${field}.${name}`, `none but ${names.join(", ")}${offered}`);
  }
  return given as Given;
}

const wrong = (field: string, expected: string): TroupeError =>
  new TroupeError("USER.CLI.USAGE", `${field}: expected ${expected}`, { field });
