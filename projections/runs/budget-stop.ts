/** What a run that has stopped at a budget is given to go on. */
import { givenWords } from "../../machines/budget/budget.ts";
import type { Exchange } from "../../machines/exchange.ts";

/** As `--budget` takes it, `tokens=3000`; null where the run has not stopped at one, as far as its rows were seen. */
export function budgetStop(row: Exchange, run: string, before: string | null): string | null {
  if (row.type === "run.started" && row.run === run) return null;
  if (row.type !== "budget.noted") return before;
  const { payload: note } = row;
  if (note.is === "raised") return null;
  return note.is !== "stopped" || note.limit === undefined || note.to === undefined
    ? before
    : givenWords(note.limit, note.to);
}
