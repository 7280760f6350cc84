/**
 * An MCP server over streamable HTTP, as a transport of the SDK.
 *
 * I1. A request fails when its answer can no longer come: the stream that was to bring it has ended, and could not be taken
 *     up again. The SDK leaves it open: whoever waits would wait for ever.
 * I2. So do all that wait when a stream brings what is none of the protocol's: the answer to one of them is lost.
 */
import { type JSONRPCMessage, type RequestId, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { limitedFetch } from "./limited-fetch.ts";

type Options = Parameters<StreamableHTTPClientTransport["send"]>[1];
const LOST = "the connection to the server ended before its answer was whole, or that has more than 10 MiB";

const NO_ANSWER = "the server's answer is none of the protocol's";

export class HttpTransport extends StreamableHTTPClientTransport {
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
      if (error instanceof SyntaxError || error.name === "ZodError") this.#fail([...this.#waiting], NO_ANSWER);
    };
    return super.start();
  }

  override send(message: JSONRPCMessage | JSONRPCMessage[], options?: Options): Promise<void> {
    const ids = (Array.isArray(message) ? message : [message]).flatMap((one) =>
      "method" in one && "id" in one ? [one.id] : [],
    );
    for (const id of ids) this.#waiting.add(id);
    const { onRequestStreamEnd = () => this.#fail(ids, LOST), ...others } = options ?? {};
    return super.send(message, { onRequestStreamEnd, ...others });
  }

  /** An answer that has come already stands: one more to the same request is dropped. */
  #fail(ids: readonly RequestId[], why: string): void {
    for (const id of ids) this.onmessage?.({ jsonrpc: "2.0", id, error: { code: -32_603, message: why } });
  }
}
