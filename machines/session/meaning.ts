/** What a prompt means to a session, given whether a run of it was cut off. */
import type { Ask, Prompt } from "../births.ts";

/**
 * With an interrupted run, text goes on with it and a command is refused with its name (decision 5).
 * Without one, text means what the prompt itself says it means otherwise.
 */
export function meaningOf(asks: Prompt["asks"], interrupted: { workflow: string } | null): Ask {
  if (interrupted === null) {
    if (asks.type === "text") return asks.otherwise;
    return asks.type === "resume" ? nothing("no run of this session was interrupted") : asks;
  }
  if (asks.type === "text") return { type: "resume", recover: "ask" };
  if (asks.type !== "run") return asks;
  const text = `A run of "${interrupted.workflow}" was interrupted in this session. Send any text to go on with it, or cancel it first; then run another workflow.`;
  return { type: "explain", text, stopReason: "refusal", fault: { code: "USER.RUN.INTERRUPTED", message: text } };
}

const nothing = (message: string): Ask => ({
  type: "explain",
  text: message,
  stopReason: "refusal",
  fault: { code: "USER.RUN.NOT_RESUMABLE", message },
});
