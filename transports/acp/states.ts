/** What happens to a prompt, sent to clients that want it: in a form of our own, or as an update of its own kind. */
import type { RowOf } from "../../actors/troupe.ts";
import type { Switches } from "./profile.ts";
import type { TurnEnd } from "./session-view.ts";

export type ExecutionState = "queued" | "running" | "completed" | "cancelled" | "timed_out" | "failed";
type MessageSink = { send(message: object): void; update(session: string, update: object): void };

/** How a turn has ended. A time limit shows in the code of what failed. */
export function stateOf({ stopReason, error }: TurnEnd): ExecutionState {
  if (stopReason === "cancelled") return "cancelled";
  if (error === null) return "completed";
  return error.code.endsWith(".TIMEOUT") ? "timed_out" : "failed";
}

/** Something that happens to a prompt: its state, or that a step of it is tried again. */
export type Happening = { execution_state: { state: ExecutionState } } | { retry: RowOf<"step.retrying">["payload"] };

export function tell(
  writer: MessageSink,
  { executionState }: Pick<Switches, "executionState">,
  { sessionId, ...happening }: { sessionId: string } & Happening,
): void {
  const [[name, fields]] = Object.entries(happening) as [[string, object]];
  switch (executionState) {
    case "off":
      return;
    case "notification":
      return writer.send({ jsonrpc: "2.0", method: `_troupe/${name}`, params: { sessionId, ...fields } });
    case "update":
      return writer.update(sessionId, { sessionUpdate: `${name}_update`, ...fields });
    default:
      return executionState satisfies never;
  }
}
