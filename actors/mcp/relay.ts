/**
 * An MCP server whose credentials stay with us: the agent is handed a server of ours (`bridged.ts`), with a token that
 * lives as long as the agent's process, and what it says there is carried to the server and back. H43.
 *
 * I1. Messages are carried as they are; credentials are in neither the agent's environment nor its messages.
 * I2. Each connection has a server of its own, begun with it and gone with it: neither the agent nor another connection's
 *     server ends with it.
 * I3. A request that the server did not take is answered with an error; the connection stays for the next one, unless the
 *     server has forgotten it.
 */
import type { Socket } from "node:net";
import { type JSONRPCMessage, SdkHttpError, type Transport } from "@modelcontextprotocol/client";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import type { McpServer } from "../../machines/mcp/server.ts";
import { markerWithin } from "../process/marker.ts";
import { type Bridged, bridged } from "./bridged.ts";
import { type ConnectContext, transportOf } from "./connect.ts";

type RelayPlace = Omit<ConnectContext, "signal">;

let connections = 0;

/** Until `close`. */
export async function relayed(server: McpServer, place: RelayPlace): Promise<Bridged> {
  const ends = new Set<() => Promise<void>>();
  const { server: ours, close } = await bridged(server.name, (socket) => {
    const marker = markerWithin(place.marker, `relay/${++connections}`);
    const end = carried(socket, transportOf(server, { ...place, marker }), server.name);
    ends.add(end);
    socket.once("close", () => void end().finally(() => ends.delete(end)));
  });
  return {
    server: ours,
    async close() {
      await close();
      await Promise.all([...ends].map((end) => end()));
    },
  };
}

/** Carries until either side ends; answers what ends both. */
function carried(socket: Socket, far: Transport, name: string): () => Promise<void> {
  const near = new StdioServerTransport(socket, socket);
  let ended: Promise<void> | undefined;
  const end = (): Promise<void> => {
    ended ??= (async () => {
      await near.close().catch(() => undefined);
      await far.close().catch(() => undefined);
      socket.destroy();
    })();
    return ended;
  };
  far.onmessage = (message: JSONRPCMessage) => {
    const version = versionIn(message);
    // A transport over HTTP says it with each request from then on.
    if (version !== null) far.setProtocolVersion?.(version);
    void near.send(message).catch(end);
  };
  far.onclose = () => void end();
  const begun = far.start();
  begun.catch(end);
  const failed = async (message: JSONRPCMessage, error: unknown): Promise<void> => {
    if (isLost(error)) await end();
    else if ("method" in message && "id" in message) await near.send(refusalOf(message.id, name)).catch(end); // I3
  };
  near.onmessage = (message) =>
    void begun.then(() => far.send(message)).catch((error: unknown) => failed(message, error));
  near.onclose = () => void end();
  void near.start().catch(end);
  return end;
}

/** The server does not know our session any more: what comes begins with another connection. */
const isLost = (error: unknown): boolean => error instanceof SdkHttpError && error.status === 404;

/** Without the server's words, which may repeat what it was given. */
const refusalOf = (id: string | number, name: string): JSONRPCMessage => ({
  jsonrpc: "2.0",
  id,
  error: { code: -32_603, message: `the MCP server "${name}" did not take the request` },
});

/** The version that an answer to `initialize` names. */
function versionIn(message: JSONRPCMessage): string | null {
  if (!("result" in message)) return null;
  const { protocolVersion } = message.result as { protocolVersion?: unknown };
  return typeof protocolVersion === "string" ? protocolVersion : null;
}
