/** A budget as a user gives it on a command line: `cost_usd=5,tokens=2e6`. */
import type { Allowance } from "../../machines/budget/budget.ts";
import { budgetOf } from "../../machines/workflow/lower/budget.ts";
import { budget, budgetFields } from "../../machines/workflow/schema/budget.ts";
import { suggest } from "../../machines/workflow/suggest.ts";
import { TroupeError } from "../errors/troupe-error.ts";

const NAMES = Object.keys(budgetFields);
const WORDS: ReadonlySet<string> = new Set(["time", "on_budget"]);

const usage = (message: string): TroupeError => new TroupeError("USER.CLI.USAGE", `--budget: ${message}`);

/** Throws USER.CLI.USAGE. */
export function givenBudget(text: string): Allowance {
  const given: { [name: string]: string | number } = {};
  for (const part of text.split(",")) {
    const at = part.indexOf("=");
    const name = part.slice(0, Math.max(at, 0)).trim();
    const value = part.slice(at + 1).trim();
    if (at <= 0 || value === "") throw usage("expected name=value, such as cost_usd=5,tokens=2e6");
    if (!NAMES.includes(name)) {
      const meant = suggest(name, NAMES);
      throw usage(
        `there is no such limit; known are ${NAMES.join(", ")}${meant === null ? "" : `; did you mean ${meant}?`}`,
      );
    }
    if (Object.hasOwn(given, name)) throw usage(`${name} is given twice`);
    given[name] = WORDS.has(name) ? value : Number(value);
  }
  const checked = budget.safeParse(given);
  if (checked.success) {
    const { budget: read } = budgetOf(checked.data);
    if (read !== undefined) return read;
  }
  const [issue] = checked.error?.issues ?? [];
  throw usage(`${String(issue?.path[0] ?? "a limit")} must be ${issue?.message ?? "a limit"}`);
}
