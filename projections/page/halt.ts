/** Why a run waits to be resumed with more to spend, and what would let it go on. */
import { givenWords } from "../../machines/budget/budget.ts";
import type { Exchange, RowOf } from "../../machines/exchange.ts";
import type { RunHistory, StepHistory } from "./history.ts";

/** `name` and `value`: a limit as the API takes it, `tokens` and `220`, `time` and `90s`. */
export type Halt = { step: string; words: string; name: string; value: string };

/** The first step that has stopped at a budget; null where none has, or its log does not say for which limit. */
export function haltOf({ steps }: Pick<RunHistory, "steps">): Halt | null {
  for (const step of steps) {
    const halt = step.end === null ? haltIn(step) : null;
    if (halt !== null) return halt;
  }
  return null;
}

function haltIn({ address, rows }: StepHistory): Halt | null {
  const noted = rows.findLast((row): row is Exchange<RowOf<"budget.noted">> => row.type === "budget.noted");
  if (noted?.payload.is !== "stopped") return null;
  const { limit, to } = noted.payload;
  if (limit === undefined || to === undefined) return null;
  const said = rows.findLast((row) => row.seq < noted.seq && row.type === "notice") as RowOf<"notice"> | undefined;
  const [name = "", value = ""] = givenWords(limit, to).split("=");
  return { step: address, words: said?.payload.message ?? "", name, value };
}
