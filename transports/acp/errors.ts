/** Errors of the facade as JSON-RPC errors. */
import { isAbsolute } from "node:path";
import { RequestError } from "@agentclientprotocol/sdk";
import type { Offer } from "./offer.ts";

const INTERNAL = -32603;

/** Any error that a handler met, as the one the client gets. Some clients show `data.details` of an internal error. */
export async function requestError(error: unknown, offer: Offer): Promise<RequestError> {
  if (error instanceof RequestError) return error;
  // An error of the facade can only come after the facade was loaded.
  const { facesOf, troupeError } = await import("../../actors/troupe.ts");
  const { code, message, details } = troupeError(error);
  const { rpc } = facesOf(code);
  if (rpc === INTERNAL) return new RequestError(rpc, `Internal error: ${code}`, { code, details: message });
  if (code === "USER.SESSION.UNKNOWN") return unknownSession(String(details["session"] ?? ""), offer);
  if (code === "USER.PROMPT.IN_FLIGHT") return inFlight(String(details["session"] ?? ""), message, offer);
  return new RequestError(rpc, message, { code, details });
}

/** Throws -32602 for a folder of a session that is no absolute path, as the facade does where it opens one. */
export function demandAbsolute(cwd: string): void {
  if (isAbsolute(cwd)) return;
  throw new RequestError(-32602, `cwd must be an absolute path, not "${cwd}"`, {
    code: "USER.SESSION.CWD",
    details: { field: "cwd", cwd },
  });
}

/** What a handler answers; its errors are the client's. */
export const answering = <Out>(offer: Offer, handle: () => Promise<Out>): Promise<Out> =>
  handle().catch(async (error: unknown) => {
    throw await requestError(error, offer);
  });

/** The error of a session that the connection does not have, or that is not there. */
export const unknownSession = (sessionId: string, { switches }: Offer): RequestError =>
  new RequestError(switches.unknownSessionCode, `Resource not found: ${sessionId}`, { sessionId });

const inFlight = (sessionId: string, message: string, { switches }: Offer): RequestError =>
  new RequestError(switches.concurrentPromptCode, `Invalid request: ${message}`, {
    code: "USER.PROMPT.IN_FLIGHT",
    reason: "prompt_in_flight",
    sessionId,
  });
