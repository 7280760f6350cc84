/**
 * A session taken up again on a new connection.
 *
 * I1. One whose agent sends cursors continues where the client is: nothing is missing, nothing comes twice.
 * I2. Otherwise, or where that cursor is not taken, an agent that can load it replays it from its beginning. One
 *     that can only resume it says from now on.
 * I3. An agent that wants to be signed in to on each connection is, as for a new session.
 */
import type { InitializeResponse } from "@agentclientprotocol/sdk";
import { authenticated, type ChooseAuth } from "../../actors/acp-client/authenticated.ts";
import type { AgentCalls, Attached } from "../../actors/acp-client/calls.ts";
import type { ClientHandlers } from "../../actors/acp-client/client-handlers.ts";
import type { AgentConnection } from "../../actors/acp-client/connection.ts";
import { CURSOR } from "../../actors/acp-client/cursors.ts";
import { ClientError, isClientError } from "../../actors/acp-client/errors.ts";

export type RestoreParts = {
  connection: AgentConnection;
  agent: InitializeResponse;
  desk: ClientHandlers;
  chooseAuth?: ChooseAuth | undefined;
};

/** Resolves with null, or with why the session cannot be had any more. Rejects when the connection is lost. */
export async function restore(
  { id, cwd, additional, mcpServers }: Attached,
  { connection, agent, desk, chooseAuth }: RestoreParts,
): Promise<ClientError | null> {
  const { loadSession, sessionCapabilities } = agent.agentCapabilities ?? {};
  const directories = additional.length === 0 ? {} : { additionalDirectories: [...additional] };
  const params = { sessionId: id, cwd, mcpServers: [...mcpServers], ...directories };
  const request: AgentCalls["request"] = (...asked) => connection.request(...asked);
  const signedIn = <T>(ask: () => Promise<T>): Promise<T> => authenticated({ agent, request, chooseAuth }, ask);
  if (loadSession !== true && sessionCapabilities?.resume == null) return gone(id, "the agent cannot take it up again");
  try {
    const place = desk.placeOf(id);
    if (place !== null && sessionCapabilities?.resume != null) {
      const goesOn = signedIn(() => request("session/resume", { ...params, _meta: { [CURSOR]: place } }));
      if (await goesOn.then(() => true, unlessRefused)) return null;
    }
    if (loadSession === true) {
      desk.replaying(id, { reset: true });
      await signedIn(() => request("session/load", params));
      await desk.shown(id);
    } else await signedIn(() => request("session/resume", params));
    return null;
  } catch (error) {
    if (isRefusal(error)) return gone(id, error.message);
    throw error;
  } finally {
    desk.replayed(id);
  }
}

function unlessRefused(error: unknown): false {
  if (isRefusal(error)) return false;
  throw error;
}
/** An answer that is none is as final: the agent would give it again. */
const isRefusal = (error: unknown): error is ClientError =>
  isClientError(error, "refused") || isClientError(error, "invalidResponse");
const gone = (sessionId: string, why: string): ClientError =>
  new ClientError("outcomeUnknown", `the session ${sessionId} is lost with its connection: ${why}`, { sessionId });
