/** Errors of the facade as JSON-RPC errors. */
import { RequestError } from "@agentclientprotocol/sdk";

const INTERNAL = -32603;

/** Any error that a handler met, as the one the client gets. Some clients show `data.details` of an internal error. */
export async function requestError(error: unknown): Promise<RequestError> {
  if (error instanceof RequestError) return error;
  // An error of the facade can only come after the facade was loaded.
  const { facesOf, troupeError } = await import("../../actors/troupe.ts");
  const { code, message, details } = troupeError(error);
  const { rpc } = facesOf(code);
  if (rpc === INTERNAL) return new RequestError(rpc, `Internal error: ${code}`, { details: message });
  if (code === "USER.SESSION.UNKNOWN") return RequestError.sessionNotFound(String(details["session"] ?? ""));
  const reason = code === "USER.PROMPT.IN_FLIGHT" ? { reason: "prompt_in_flight", sessionId: details["session"] } : {};
  return new RequestError(rpc, message, { code, details, ...reason });
}

/** A handler whose errors are the client's. */
export const answering =
  <In, Out>(handle: (request: In) => Promise<Out>): ((request: In) => Promise<Out>) =>
  (request) =>
    handle(request).catch(async (error: unknown) => {
      throw await requestError(error);
    });
