/**
 * Which session a message belongs to whose client does not name it in a header. The transport asks for the header; SDKs
 * leave it out where the message itself says it.
 *
 * I1. An answer belongs to the session that asked.
 * I2. A request that attaches a session names it among its parameters. Every other message needs the header.
 */
import type { AnyMessage } from "@agentclientprotocol/sdk";

/** `id`: of a request that is answered on the connection's stream. */
export type Belonging = { session: string; id: unknown };

const ATTACHING = new Set(["session/load", "session/resume", "session/fork", "session/delete"]);
/** Questions that no client has answered for so long are forgotten. */
const MAX_QUESTIONS = 1_024;

/** The questions that a client was asked and has not answered yet. */
export class Questions {
  readonly #sessions = new Map<unknown, string>();

  /** A message that goes out. */
  note(message: AnyMessage): void {
    if (!("method" in message) || !("id" in message)) return;
    const { sessionId } = (message.params ?? {}) as { sessionId?: unknown };
    if (typeof sessionId !== "string") return;
    this.#sessions.set(message.id, sessionId);
    for (const [oldest] of this.#sessions) if (this.#sessions.size > MAX_QUESTIONS) this.#sessions.delete(oldest);
  }
  /** The session that asked; asked a second time it is forgotten. */
  take(id: unknown): string | null {
    const session = this.#sessions.get(id) ?? null;
    this.#sessions.delete(id);
    return session;
  }
}

/** Null: the message belongs to no session, or does not say to which. `body` is what the client has sent. */
export function belongingOf(body: string, questions: Questions): Belonging | { session: string; id?: never } | null {
  const message = parsed(body);
  if (message === null) return null;
  const { id, method, params } = message;
  if (method === undefined) {
    const session = questions.take(id);
    return session === null ? null : { session };
  }
  const session = (params as { sessionId?: unknown } | null | undefined)?.sessionId;
  return typeof session === "string" && ATTACHING.has(method as string) ? { session, id } : null;
}

/** What is no message is left to the server to refuse. */
function parsed(body: string): { id?: unknown; method?: unknown; params?: unknown } | null {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === "object" ? value : null;
  } catch {
    return null;
  }
}
