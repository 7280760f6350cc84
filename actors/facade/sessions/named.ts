/** What a prompt asks for, with the id of the run that it may begin. */
import type { Prompt } from "../../../machines/contracts.ts";

type PromptIntent = Prompt["asks"];

/** The run's id is chosen here, so that who asked knows it before it has begun. */
export function named(asks: PromptIntent, id: () => string): PromptIntent {
  if (asks.type === "run") return { ...asks, run: asks.run ?? id() };
  return asks.type === "text" && asks.otherwise.type === "run"
    ? { ...asks, otherwise: { ...asks.otherwise, run: id() } }
    : asks;
}
