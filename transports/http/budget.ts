/** A budget in the body of a request, read as the one of a command line is. */
import { givenBudget } from "../../actors/troupe.ts";
import type { GivenBudget } from "./schemas.ts";

type Allowance = Awaited<ReturnType<typeof givenBudget>>;

/** What the schema of a body has let through is a budget. */
export async function budgetOf(given: GivenBudget | undefined): Promise<{ budget?: Allowance }> {
  const text = Object.entries(given ?? {})
    .map(([name, value]) => `${name}=${value}`)
    .join(",");
  return text === "" ? {} : { budget: await givenBudget(text) };
}
