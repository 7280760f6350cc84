/**
 * A conversation that steps know by a name of their own: `session: review`.
 *
 * I1. Steps of a run that name it, with the same agent, share one conversation: each continues where the last one
 *     ended. A new slug of the agent changes nothing. Another agent has a conversation of its own under that name.
 * I2. An isolated step continues no named conversation, and leaves none.
 */
import type { StateResult, StateResults } from "../../machines/model.ts";
import type { AgentNode } from "../../machines/workflow/document.ts";

type Named = { conversation: string | null; left: Pick<StateResult, "Session"> };

/** `agent`: its id, or its provider's name. */
export function namedSession({ session: name }: AgentNode, states: StateResults, agent: string): Named {
  if (name === undefined) return { conversation: null, left: {} };
  let [turn, conversation]: [number, string | null] = [0, null];
  for (const { Session, Conversation } of Object.values(states)) {
    if (Session?.name !== name || Session.agent !== agent || Session.turn <= turn) continue;
    [turn, conversation] = [Session.turn, Conversation ?? null];
  }
  return { conversation, left: { Session: { name, agent, turn: turn + 1 } } };
}
