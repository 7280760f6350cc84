/** A conversation's session at its agent: begun, or continued by the one rule (`resume.ts`). H50. */
import type { OpenedBy } from "../../machines/conversation/entry.ts";
import { continuationOf } from "../../machines/conversation/resume.ts";
import type { SessionPlace } from "../acp-client/client.ts";
import { isClientError } from "../acp-client/errors.ts";
import type { AgentSession } from "../acp-client/session.ts";
import type { SingleClient } from "../acp-client/single.ts";
import type { Recorder } from "./recorder.ts";

export type Opening = { by: OpenedBy; session: AgentSession } | { by: "view only"; why: string };

/** Throws what is no answer of the agent's: another try may do. */
export async function openSession(client: SingleClient, recorder: Recorder, place: SessionPlace): Promise<Opening> {
  const { session: earlier, prompts } = recorder.index;
  if (earlier === null && prompts === 0) return { by: "new", session: await client.newSession(place) };
  const { loadSession, sessionCapabilities } = client.calls.agent.agentCapabilities ?? {};
  const way = continuationOf(earlier, { resume: sessionCapabilities?.resume != null, load: loadSession === true });
  if (way.by === "view only") return way;
  recorder.tellsAgain = way.by === "load";
  try {
    return { by: way.by, session: await client.openSession(earlier ?? "", place) };
  } catch (error) {
    if (!isClientError(error, "refused")) throw error;
    return { by: "view only", why: error.message };
  } finally {
    recorder.tellsAgain = false;
  }
}
