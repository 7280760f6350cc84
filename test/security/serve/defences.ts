/** What a server defends itself against, how each defence is taken out, and the attack that it stops. */
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { expect } from "vitest";
import { WebSocket } from "ws";
import { DEFAULT_LIMITS } from "../../../transports/serve/limits.ts";
import { Inside } from "../../soak/sessions/inside.ts";
import { type House, storedRows } from "../../support/house.ts";
import { type Server, SocketClient } from "../../support/server.ts";
import { BODY_DEFENCES } from "./body-defences.ts";
import type { Change, Defence } from "./defence.ts";
import { INSPECT_DEFENCES } from "./inspect-defences.ts";
import { PAGE_DEFENCES } from "./page-defences.ts";

const OWN = "o".repeat(32);
const THEIRS = "t".repeat(32);
function tokens({ root }: House): string[] {
  const file = join(root, "tokens");
  writeFileSync(file, `${OWN}\nmallory ${THEIRS}\n`, { mode: 0o600 });
  return ["--token-file", file];
}
const comesIn = ({ url }: Server, headers: { [name: string]: string }): Promise<boolean> =>
  SocketClient.ready(url, { headers }).then(
    ({ ws }) => {
      ws.terminate();
      return true;
    },
    () => false,
  );
/** Whether an upgrade with these lines is let in. */
async function upgrades(port: number, lines: readonly string[]): Promise<boolean> {
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
async function enter(port: number): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  await once(socket, "connect");
  return socket;
}
const at = ({ cwd }: House, sessionId: string) => ({ sessionId, cwd, mcpServers: [] });
/** Answered in order: what was to come before has come. */
const roundTrip = (client: SocketClient): Promise<unknown> => client.request("session/close", { sessionId: "none" });

const MANY = 80;
const CHUNKS = 100_000;
const MiB = 1024 ** 2;
/** What a reader that has stopped may cost. */
const HELD_MIB = 8;
const SESSIONS = 40;
const FEW_CACHED: Change = { file: "actors/host/actor-cache.ts", from: "MAX_CACHED = 2_048", to: "MAX_CACHED = 20" };

export const DEFENCES: readonly Defence[] = [
  {
    threat: "T1",
    attack: "a page of another origin connects",
    without: [
      { file: "transports/serve/admission.ts", from: "given.some((origin) => !origins.includes(origin))", to: "false" },
    ],
    succeeds: ({ server }) => comesIn(server, { origin: "https://evil.example" }),
  },
  {
    threat: "T1",
    attack: "a request carries two origins, both of them listed",
    without: [{ file: "transports/serve/admission.ts", from: "given.length > 1 || ", to: "" }],
    args: () => ["--allow-origin", "https://a.example", "--allow-origin", "https://b.example"],
    succeeds: ({ server: { port } }) => upgrades(port, ["Origin: https://a.example", "Origin: https://b.example"]),
  },
  {
    threat: "T1",
    attack: "a page of another site has a picture or a link fetched, which brings no origin",
    without: [
      {
        file: "transports/serve/admission.ts",
        from: 'site !== "same-origin" && site !== "none"',
        to: "site === undefined",
      },
    ],
    succeeds: ({ server: { port } }) => upgrades(port, ["Sec-Fetch-Site: cross-site"]),
  },
  {
    threat: "T2",
    attack: "a page whose name was made to point here connects",
    without: [{ file: "transports/serve/admission.ts", from: "!isOurName(request, naming())", to: "false" }],
    succeeds: ({ server }) => comesIn(server, { host: `evil.example:${server.port}` }),
  },
  {
    threat: "T3",
    attack: "a client without the token connects",
    without: [{ file: "transports/serve/admission.ts", from: "findToken(tokens, said)", to: "tokens[0]" }],
    args: tokens,
    succeeds: ({ server }) => comesIn(server, { authorization: `Bearer ${"x".repeat(32)}` }),
  },
  ...BODY_DEFENCES,
  {
    threat: "T17",
    attack: "a principal loads the session of another",
    without: [{ file: "transports/serve/listener.ts", from: "own.as(`token:${subject}`)", to: "own" }],
    args: tokens,
    succeeds: async ({ server, house }) => {
      const ann = await SocketClient.ready(server.url, { headers: { authorization: `Bearer ${OWN}` } });
      const mallory = await SocketClient.ready(server.url, { headers: { authorization: `Bearer ${THEIRS}` } });
      const { error } = await mallory.request("session/load", at(house, await ann.session(house.cwd)));
      return error === undefined;
    },
  },
  {
    threat: "T17",
    attack: "a viewer decides what another was asked",
    without: [
      {
        file: "transports/acp/attended-session.ts",
        from: "this.#attendance?.isAsked !== true || client",
        to: "client",
      },
    ],
    succeeds: async ({ server, house }) => {
      const [asked, viewer] = [await SocketClient.ready(server.url), await SocketClient.ready(server.url)];
      const session = await asked.session(house.cwd);
      await viewer.request("session/load", at(house, session));
      viewer.decide = () => "allow";
      void asked.prompt(session, "/gate");
      await asked.asked();
      await viewer.hears("May the gate be opened?");
      await roundTrip(viewer);
      return viewer.trace.some(({ message }) => message["method"] === "session/request_permission");
    },
  },
  {
    threat: "T18",
    attack: "a connection hears of a session that it has not loaded",
    without: [
      {
        file: "transports/acp/connection.ts",
        from: 'this.offer.switches.notify === "broadcast" ? (service.room ?? null) : null',
        to: "service.room ?? null",
      },
    ],
    succeeds: async ({ server, house }) => {
      const [own, other] = [await SocketClient.ready(server.url), await SocketClient.ready(server.url)];
      await other.session(house.cwd);
      const session = await own.session(house.cwd);
      await own.prompt(session, "/hello");
      await roundTrip(other);
      return other.trace.some(({ message }) => JSON.stringify(message).includes(session));
    },
  },
  {
    threat: "T18",
    attack: "where others can come in, a connection hears of all sessions by broadcast",
    without: [{ file: "transports/serve/listener.ts", from: "config.isLoopback ? { room", to: "true ? { room" }],
    args: (house) => ["--listen", "0.0.0.0:0", ...tokens(house), "--insecure-no-tls", "--profile", "ski"],
    succeeds: async ({ server, house }) => {
      const url = `ws://127.0.0.1:${server.port}/acp`;
      const headers = { authorization: `Bearer ${OWN}` };
      const [own, other] = [await SocketClient.ready(url, { headers }), await SocketClient.ready(url, { headers })];
      const session = await own.session(house.cwd);
      await own.prompt(session, "/hello");
      await roundTrip(other);
      return other.trace.some(({ message }) => JSON.stringify(message).includes(session));
    },
  },
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
      const hoard = async (): Promise<number> => {
        const client = await SocketClient.ready(server.url);
        await Promise.all(Array.from({ length: SESSIONS }, () => client.session(house.cwd)));
        client.ws.terminate();
        await client.closed;
        // The server takes its time to be rid of a client. A cached actor has a map of its children.
        const counts: number[] = [];
        for (let n = 0; n < 5; n++) {
          const other = await SocketClient.ready(server.url);
          counts.push(await inside.instances("Map"));
          other.ws.terminate();
          await other.closed;
        }
        return Math.min(...counts);
      };
      const before = await hoard();
      const more = (await hoard()) - before;
      inside.leave();
      return more >= SESSIONS / 2;
    },
  },
  ...PAGE_DEFENCES,
  ...INSPECT_DEFENCES,
];
