/**
 * Cancels of older hosts over HTTP: `notifications/cancelled` comes in a request of its own, and the SDK, which keeps
 * nothing between two requests, knows nothing of what it names.
 *
 * I1. A host gets an id with the answer to `initialize`, and sends it along. A cancel counts for requests that came with
 *     the same id and by the same token: two hosts number their requests alike.
 * I2. Nothing else is kept of a session, and nothing of it longer than its requests: any id is served, also after a restart.
 * I3. The SDK is given the body parsed: else it serves a copy of the request, which nothing holds, and hears of no cancel.
 */
import { randomUUID } from "node:crypto";
import { isJSONRPCNotification, isJSONRPCRequest } from "@modelcontextprotocol/server";

export const SESSION_HEADER = "mcp-session-id";

/** The answer to one request, which its host may cancel from another one. */
export type Cancellable = (
  answer: (request: Request, given?: { parsedBody?: unknown }) => Promise<Response>,
  request: Request,
  body: string,
) => Promise<Response>;

export class OlderCancels {
  readonly #open = new Map<string, AbortController>();

  /** For one request of a subject. `leave`: it is over. */
  enter(subject: string | null): { answered: Cancellable; leave: () => void } {
    const cancelling = new AbortController();
    let key: string | null = null;
    let isOver = false;
    const keyOf = (session: string, id: unknown): string => JSON.stringify([subject, session, id]);
    return {
      answered: async (answer, request, body) => {
        const session = request.headers.get(SESSION_HEADER);
        const message = parsed(body);
        const given = message === null ? {} : { parsedBody: message }; // I3
        if (session === null) return withSession(await answer(request, given), message);
        if (isJSONRPCNotification(message) && message.method === "notifications/cancelled")
          this.#open.get(keyOf(session, message.params?.["requestId"]))?.abort();
        if (!isJSONRPCRequest(message)) return await answer(request, given);
        key = keyOf(session, message.id);
        if (!isOver) this.#open.set(key, cancelling); // who hangs up may do so while the body is read
        const signal = AbortSignal.any([request.signal, cancelling.signal]);
        return await answer(new Request(request, { signal }), given);
      },
      leave: () => {
        isOver = true;
        if (key !== null && this.#open.get(key) === cancelling) this.#open.delete(key);
      },
    };
  }
}

/** With an id, where it answers an `initialize`. */
function withSession(response: Response, message: unknown): Response {
  if (!response.ok || !isJSONRPCRequest(message) || message.method !== "initialize") return response;
  const headers = new Headers(response.headers);
  headers.set(SESSION_HEADER, randomUUID());
  return new Response(response.body, { status: response.status, headers });
}

/** What is no JSON is refused by the SDK. */
function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return null;
  }
}
