/**
 * A `session/update` as its line.
 *
 * I1. A line is what `JSON.stringify` makes of the message. A chunk of words, by far the most frequent update, is put
 *     together from its parts: only its text differs from the one before it.
 */

type Chunk = { sessionUpdate: string; content: { type: string; text: string }; messageId: string };

export class UpdateLines {
  // What the last line began with, and how the last chunk continued before and after its text.
  #session: string | null = null;
  #head = "";
  #kind: string | null = null;
  #message: string | null = null;
  #before = "";
  #after = "";

  /** Updates of a session mostly follow each other. */
  of(session: string, update: object): string {
    if (session !== this.#session) {
      this.#session = session;
      this.#head = `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":${JSON.stringify(session)},"update":`;
      this.#kind = null;
    }
    if (!isChunk(update)) return `${this.#head}${JSON.stringify(update)}}}`;
    const { sessionUpdate: kind, messageId } = update;
    if (kind !== this.#kind || messageId !== this.#message) {
      this.#kind = kind;
      this.#message = messageId;
      this.#before = `${this.#head}{"sessionUpdate":${JSON.stringify(kind)},"content":{"type":"text","text":`;
      this.#after = `},"messageId":${JSON.stringify(messageId)}}}}`;
    }
    return this.#before + JSON.stringify(update.content.text) + this.#after;
  }
}

const CHUNK = ["sessionUpdate", "content", "messageId"];
const CONTENT = ["type", "text"];

/** Whether an update holds a text and the message that it belongs to, in this order, and nothing else. */
function isChunk(update: object): update is Chunk {
  if (!isOf(update, CHUNK)) return false;
  const { content, messageId } = update as { content: unknown; messageId: unknown };
  return (
    typeof messageId === "string" &&
    typeof content === "object" &&
    content !== null &&
    isOf(content, CONTENT) &&
    (content as Chunk["content"]).type === "text" &&
    typeof (content as Chunk["content"]).text === "string"
  );
}

function isOf(value: object, names: readonly string[]): boolean {
  let at = 0;
  for (const name in value) if (name !== names[at++]) return false;
  return at === names.length;
}
