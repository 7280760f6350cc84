/**
 * An MCP server over streamable HTTP, as a transport of the SDK.
 *
 * I1. A request fails when its answer can no longer come: the stream that was to bring it has ended, and could not be taken
 *     up again. The SDK leaves it open: whoever waits would wait for ever.
 */
import { type JSONRPCMessage, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { limitedFetch } from "./limited-fetch.ts";

type Options = Parameters<StreamableHTTPClientTransport["send"]>[1];
const LOST = "the connection to the server ended before its answer was whole, or that has more than 10 MiB";

export class HttpTransport extends StreamableHTTPClientTransport {
  constructor(url: URL, headers: { readonly [name: string]: string }) {
    super(url, { requestInit: { headers }, fetch: limitedFetch });
  }

  override send(message: JSONRPCMessage | JSONRPCMessage[], options?: Options): Promise<void> {
    const { onRequestStreamEnd = () => this.#lose(message), ...others } = options ?? {};
    return super.send(message, { onRequestStreamEnd, ...others });
  }

  /** An answer that has come already stands: one more to the same request is dropped. */
  #lose(sent: JSONRPCMessage | JSONRPCMessage[]): void {
    for (const message of Array.isArray(sent) ? sent : [sent])
      if ("method" in message && "id" in message)
        this.onmessage?.({ jsonrpc: "2.0", id: message.id, error: { code: -32_603, message: LOST } });
  }
}
