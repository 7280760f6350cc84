/**
 * An MCP server of ours that an agent's program can start: a small process that the agent talks to, and that talks to us
 * over a socket.
 *
 * I1. The socket is in a folder of ours alone (0700) and is ours alone (0600). A client that connects says a token first that
 *     only the bridge's environment holds; any other client is cut off, and hears nothing.
 * I2. After `close` there is no socket, no folder and no connection.
 */
import { timingSafeEqual } from "node:crypto";
import { chmodSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { McpServer } from "../../machines/mcp/server.ts";
import { randomWord } from "../base/random.ts";
import { SOCKET_VARIABLE, TOKEN_VARIABLE } from "./bridge/words.ts";

const MAX_CONNECTIONS = 8;
const HELLO_MS = 10_000;

export type Bridged = { server: Extract<McpServer, { transport: "stdio" }>; close(): Promise<void> };

/** The bridge's program: the source beside us, or what was built of it beside or above us. */
export function bridgeProgram(here = fileURLToPath(import.meta.url)): string {
  const folder = dirname(here);
  const places = here.endsWith(".ts")
    ? [join(folder, "bridge", "program.ts")]
    : [join(folder, "tools.js"), join(folder, "..", "tools.js")];
  const found = places.find((place) => existsSync(place));
  if (found === undefined) throw new Error(`the program of the tools' bridge is missing: ${places.join(", ")}`);
  return found;
}

/** The folder of the socket, where the server is one of ours. */
export const socketFolderOf = (server: McpServer): string[] =>
  server.transport === "stdio" && server.env[SOCKET_VARIABLE] !== undefined
    ? [dirname(server.env[SOCKET_VARIABLE])]
    : [];

/** Lets clients in until `close`; `admitted` has each that said the token. */
export async function bridged(name: string, admitted: (socket: Socket) => void): Promise<Bridged> {
  const folder = mkdtempSync(join(tmpdir(), "troupe-"));
  const path = join(folder, "tools");
  const token = randomWord(32, "hex");
  const sockets = new Set<Socket>();
  const listener = createServer((socket) => {
    if (sockets.size >= MAX_CONNECTIONS) return void socket.destroy();
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("close", () => sockets.delete(socket));
    admit(socket, token, () => admitted(socket));
  });
  try {
    await new Promise<void>((resolve, reject) => {
      listener.once("error", reject);
      listener.listen(path, resolve);
    });
    chmodSync(path, 0o600);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  const env = { [SOCKET_VARIABLE]: path, [TOKEN_VARIABLE]: token };
  return {
    server: { name, transport: "stdio", command: process.execPath, args: [bridgeProgram()], env },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => listener.close(() => resolve()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Calls `then` when the first line is the token (I1). */
function admit(socket: Socket, token: string, then: () => void): void {
  const expected = Buffer.from(`${token}\n`);
  let heard = Buffer.alloc(0);
  const timer = setTimeout(() => socket.destroy(), HELLO_MS);
  timer.unref();
  socket.once("close", () => clearTimeout(timer));
  const listen = (): void => {
    for (let chunk = socket.read(); chunk !== null; chunk = socket.read()) {
      heard = Buffer.concat([heard, chunk as Buffer]);
      if (heard.length < expected.length) continue;
      clearTimeout(timer);
      socket.off("readable", listen);
      if (!timingSafeEqual(heard.subarray(0, expected.length), expected)) return void socket.destroy();
      socket.unshift(heard.subarray(expected.length));
      return then();
    }
  };
  socket.on("readable", listen);
}
