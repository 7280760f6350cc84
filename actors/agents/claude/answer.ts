/** The answer that a `result` line holds: where a schema was asked for, what the model handed over in that shape. */
import { own } from "../../../machines/model.ts";
import { type Fields, textAt } from "../../base/json.ts";

export function answerIn(result: Fields): string {
  const shaped = own(result, "structured_output") ?? null;
  return shaped === null ? (textAt(result, "result") ?? "") : JSON.stringify(shaped);
}
