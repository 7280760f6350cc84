/**
 * An MCP server over the older transport of HTTP, whose answers all come over one stream of events.
 *
 * I1. When that stream breaks off, what waits for an answer fails: the stream that is opened anew is another session's, and
 *     does not bring it.
 */
import { type JSONRPCMessage, type RequestId, SSEClientTransport, SseError } from "@modelcontextprotocol/client";
import { limitedFetch } from "./limited-fetch.ts";

const LOST = "the stream of the server's answers broke off before this one, or it has more than 10 MiB";

export class SseTransport extends SSEClientTransport {
  /** The ids of requests without an answer. */
  readonly #waiting = new Set<RequestId>();
  constructor(url: URL, headers: { readonly [name: string]: string }) {
    super(url, { requestInit: { headers }, fetch: limitedFetch });
  }

  override start(): Promise<void> {
    const { onmessage, onerror } = this;
    this.onmessage = (message) => {
      if (!("method" in message) && message.id !== undefined) this.#waiting.delete(message.id);
      onmessage?.(message);
    };
    this.onerror = (error) => {
      onerror?.(error);
      if (error instanceof SseError) this.#lose();
    };
    return super.start();
  }
  override send(message: JSONRPCMessage): Promise<void> {
    if ("method" in message && "id" in message) this.#waiting.add(message.id);
    return super.send(message);
  }

  #lose(): void {
    for (const id of [...this.#waiting])
      this.onmessage?.({ jsonrpc: "2.0", id, error: { code: -32_603, message: LOST } });
  }
}
