/** An agent behind HTTP, as a channel. */
import type { AnyMessage } from "@agentclientprotocol/sdk";
import { MemoryAcpCookieStore } from "@agentclientprotocol/sdk/experimental/http-client";
import type { OpenChannel } from "../../actors/acp-client/channel.ts";
import type { Address } from "./address.ts";
import { openHttp } from "./http.ts";

/** A way to open such channels. What a server's cookies say, such as which of many it was, holds for all of them. */
export function httpTo(address: Address): OpenChannel {
  const cookies = new MemoryAcpCookieStore();
  return async () => {
    const { readable, send, ended, refusal, end } = openHttp(address, cookies);
    return {
      stream: { readable, writable: new WritableStream<AnyMessage>({ write: send }) },
      ended: ended.then(({ why }) => why),
      refusal,
      end,
    };
  };
}
