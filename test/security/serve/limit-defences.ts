import { expect } from "vitest";
import { WebSocket } from "ws";
import { DEFAULT_LIMITS } from "../../../transports/serve/limits.ts";
import { Inside } from "../../soak/sessions/inside.ts";
import { storedRows } from "../../support/house.ts";
import { SocketClient } from "../../support/server.ts";
import { comesIn, enter, OWN, THEIRS, tokens } from "./attempts.ts";
import type { Change, Defence } from "./defence.ts";

const MANY = 80;
const CHUNKS = 100_000;
const MiB = 1024 ** 2;
/** What a reader that has stopped may cost. */
const HELD_MIB = 8;
const SESSIONS = 40;
const FEW_CACHED: Change = { file: "actors/host/actor-cache.ts", from: "MAX_CACHED = 2_048", to: "MAX_CACHED = 20" };

export const LIMIT_DEFENCES: readonly Defence[] = [
  {
    threat: "T19",
    attack: "silent connections, slow headers and slow bodies keep others out",
    without: [
      {
        file: "transports/serve/lobby.ts",
        from: "const oldest = this.#oldest();",
        to: "const oldest = null as never;",
      },
    ],
    args: () => ["--limit", "connections=2", "--limit", "readers=2", "--limit", "handshakeMs=600000"],
    succeeds: async ({ server }) => {
      const silent = await Promise.all(Array.from({ length: MANY }, () => enter(server.port)));
      const isShutOut = !(await comesIn(server, {}));
      for (const one of silent) one.destroy();
      return isShutOut;
    },
  },
  {
    threat: "T19",
    attack: "connections that never initialise keep others out",
    without: [
      {
        file: "transports/serve/upgrade.ts",
        from: "await makeRoom(admission.subject, places.lacking(principal));",
        to: "",
      },
    ],
    args: () => ["--limit", "connections=2", "--limit", "initializeMs=600000"],
    succeeds: async ({ server }) => {
      const silent = [await SocketClient.open(server.url), await SocketClient.open(server.url)];
      const isShutOut = !(await comesIn(server, {}));
      for (const { ws } of silent) ws.terminate();
      return isShutOut;
    },
  },
  {
    threat: "T19",
    attack: "more connections than there are places come in",
    without: [
      { file: "transports/serve/quota.ts", from: "this.#count >= this.#max || own >= this.#maxEach", to: "false" },
    ],
    succeeds: async ({ server }) => {
      const all = Array.from({ length: MANY }, () => SocketClient.ready(server.url).catch(() => null));
      const open = (await Promise.all(all)).filter((one) => one?.ws.readyState === WebSocket.OPEN);
      for (const one of open) one?.ws.terminate();
      return open.length > DEFAULT_LIMITS.connections;
    },
  },
  {
    threat: "T19",
    attack: "one principal takes all places",
    without: [{ file: "transports/serve/config.ts", from: "isShared ? 2 : 1", to: "1" }],
    args: tokens,
    succeeds: async ({ server }) => {
      const headers = { authorization: `Bearer ${THEIRS}` };
      const all = Array.from({ length: MANY }, () => SocketClient.ready(server.url, { headers }).catch(() => null));
      const open = (await Promise.all(all)).filter((one) => one?.ws.readyState === WebSocket.OPEN);
      const isShutOut = !(await comesIn(server, { authorization: `Bearer ${OWN}` }));
      for (const one of open) one?.ws.terminate();
      return isShutOut;
    },
  },
  {
    threat: "T20",
    attack: "what a reader that has stopped does not take is gathered",
    without: [{ file: "transports/acp/session-view.ts", from: "this.#writer.throttle(this.#source);", to: "" }],
    args: () => ["--limit", "stallMs=600000"],
    succeeds: async ({ server, house }) => {
      const inside = await Inside.of(server);
      const slow = await SocketClient.ready(server.url);
      const session = await slow.session(house.cwd);
      await slow.prompt(session, "/say stream:1000");
      const before = await inside.heap();
      slow.ws.pause();
      void slow.prompt(session, `/say stream:${CHUNKS}`).catch(() => undefined);
      const runs = () => storedRows(house.store, session).filter(({ type }) => type === "run.completed").length;
      await expect.poll(runs, { timeout: 90_000 }).toBe(2);
      const held = (await inside.heap()) - before;
      inside.leave();
      slow.ws.terminate();
      return held > HELD_MIB * MiB;
    },
  },
  {
    threat: "T21",
    attack: "sessions that no client attends any more stay in memory",
    without: [
      FEW_CACHED,
      {
        file: "actors/host/actor-cache.ts",
        from: "trim(most: number): void {",
        to: "trim(most: number): void { return;",
      },
    ],
    scaled: [FEW_CACHED],
    args: () => ["--limit", "disconnectGraceMs=0"],
    succeeds: async ({ server, house }) => {
      const inside = await Inside.of(server);
      // The server takes its time to be rid of a client: until it has so few, it is looked at anew. A cached actor has
      // a map of its children. To count takes a second where a machine is busy.
      const hoard = async (few: number, most: number): Promise<number> => {
        const client = await SocketClient.ready(server.url);
        await Promise.all(Array.from({ length: SESSIONS }, () => client.session(house.cwd)));
        client.ws.terminate();
        await client.closed;
        let least = Number.POSITIVE_INFINITY;
        for (let looks = 0; looks < most && least >= few; looks++) {
          const other = await SocketClient.ready(server.url);
          least = Math.min(least, await inside.instances("Map"));
          other.ws.terminate();
          await other.closed;
        }
        return least;
      };
      const many = (await hoard(0, 2)) + SESSIONS / 2;
      const isKept = (await hoard(many, 5)) >= many;
      inside.leave();
      return isKept;
    },
  },
];
