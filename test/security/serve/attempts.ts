/** What an attacker tries at a server: to come in, to hold a place, to be answered. */
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import type { House } from "../../support/house.ts";
import { type Server, SocketClient } from "../../support/server.ts";

export const OWN = "o".repeat(32);
export const THEIRS = "t".repeat(32);
/** Two principals, each with a token; the arguments for that. */
export function tokens({ root }: House): string[] {
  const file = join(root, "tokens");
  writeFileSync(file, `${OWN}\nmallory ${THEIRS}\n`, { mode: 0o600 });
  return ["--token-file", file];
}
export const comesIn = ({ url }: Server, headers: { [name: string]: string }): Promise<boolean> =>
  SocketClient.ready(url, { headers }).then(
    ({ ws }) => {
      ws.terminate();
      return true;
    },
    () => false,
  );
/** Whether an upgrade with these lines is let in. */
export async function upgrades(port: number, lines: readonly string[]): Promise<boolean> {
  const socket = await enter(port);
  const key = `Sec-WebSocket-Key: ${Buffer.alloc(16).toString("base64")}`;
  const head = [
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    key,
    `Host: 127.0.0.1:${port}`,
  ];
  socket.write(`GET /acp HTTP/1.1\r\n${[...head, ...lines].join("\r\n")}\r\n\r\n`);
  const [answer] = (await once(socket, "data")) as [Buffer];
  socket.destroy();
  return answer.toString("latin1").startsWith("HTTP/1.1 101");
}
/** A connection that says nothing. */
export async function enter(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  await once(socket, "connect");
  return socket;
}
export const at = ({ cwd }: House, sessionId: string) => ({ sessionId, cwd, mcpServers: [] });
/** Answered in order: what was to come before has come. */
export const roundTrip = (client: SocketClient): Promise<unknown> =>
  client.request("session/close", { sessionId: "none" });
