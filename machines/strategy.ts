/** What the parts of a container come to together: branches of a `parallel`, rounds of a `for_each` that run at once. */
import type { Strategy } from "./workflow/document.ts";

/** How many ended well or badly, and whether no other will end. `isSkipped`: one was not approved. */
export type Tally = { succeeded: number; failed: number; isSkipped: boolean; isOver: boolean };
/** `waits`: it may still come otherwise. */
export type Judgment = "waits" | "completed" | "failed" | "skipped";

export function judgeBy(strategy: Strategy, { succeeded, failed, isSkipped, isOver }: Tally): Judgment {
  switch (strategy) {
    case "all_succeed":
      return failed > 0 ? "failed" : !isOver ? "waits" : isSkipped ? "skipped" : "completed";
    case "any_succeed":
      return succeeded > 0 ? "completed" : isOver ? "failed" : "waits";
    case "best_effort":
      return isOver ? "completed" : "waits";
    default:
      return strategy satisfies never;
  }
}
