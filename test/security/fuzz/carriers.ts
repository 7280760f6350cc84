/** Fuzz over a pipe and over a socket, to the built program. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RawData, WebSocket } from "ws";
import { type House, openHouse } from "../../support/house.ts";
import { type Server, SocketClient, startServer } from "../../support/server.ts";
import type { Started } from "../../support/started.ts";
import { type Carrier, Player } from "./player.ts";

/** All that can be switched on is. */
const CONFIG = {
  fork: true,
  auth: {
    methods: [
      { id: "key", name: "Key", variable: "NO_SUCH" },
      { id: "open", name: "Open" },
    ],
  },
};

export function openFuzzHouse(): House {
  const house = openHouse(["acceptance/hello.yaml", "security/asks.yaml", "sessions/talk.yaml"]);
  const folder = join(house.env["HOME"] as string, ".config", "troupe");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "acp.json"), JSON.stringify(CONFIG));
  return house;
}

class Pipe implements Carrier {
  readonly #agent: Started;
  readonly lost: Promise<never>;
  constructor(agent: Started) {
    this.#agent = agent;
    this.lost = agent.ended.then((end) => {
      throw new Error(`the program has ended: ${JSON.stringify(end)} ${agent.stderr.slice(-2_000)}`);
    });
    this.lost.catch(() => undefined);
  }
  set onLine(hear: (line: string) => void) {
    this.#agent.onLine = (line) => {
      this.#agent.lines.length = 0; // a million of them are not kept
      hear(line);
    };
  }
  write(bytes: Buffer): Promise<void> {
    return new Promise((resolve) =>
      this.#agent.child.stdin.write(Buffer.concat([bytes, Buffer.from("\n")]), () => resolve()),
    );
  }
}

class Socket implements Carrier {
  readonly #ws: WebSocket;
  readonly lost: Promise<never>;
  constructor(client: SocketClient) {
    this.#ws = client.ws;
    client.ws.removeAllListeners("message");
    this.lost = client.closed.then((end) => {
      throw new Error(`the socket has closed: ${JSON.stringify(end)}`);
    });
    this.lost.catch(() => undefined);
  }
  set onLine(hear: (line: string) => void) {
    this.#ws.on("message", (data: RawData) => hear(String(data)));
  }
  write(bytes: Buffer): Promise<void> {
    return new Promise((resolve) => this.#ws.send(bytes, () => resolve()));
  }
}

/** A player on the pipes of a new `troupe acp`. */
export async function pipePlayer(house: House): Promise<{ player: Player; agent: Started }> {
  const agent = house.troupe(["acp"], { TROUPE_TRUST: "1" });
  const player = new Player(new Pipe(agent), house.cwd);
  await player.begin();
  return { player, agent };
}
/** A player on a socket of a new `troupe serve`. */
export async function socketPlayer(house: House): Promise<{ player: Player; server: Server }> {
  const server = await startServer(house, [], { TROUPE_TRUST: "1" });
  const client = await SocketClient.open(server.url);
  const player = new Player(new Socket(client), house.cwd);
  await player.begin();
  return { player, server };
}
