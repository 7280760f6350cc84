/** The limits of a server on real sockets: connections and messages. Each test fails with its limit switched off. */
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { type Message, muteSocket, outcomeOf, SocketClient, startServer } from "../../support/server.ts";
import { house, limited } from "./limited.ts";

const isQuestionOf = ({ method, params }: Message, session: string): boolean =>
  method === "session/request_permission" && (params as Message)["sessionId"] === session;
const statusOf = (url: string): Promise<number> =>
  new Promise((resolve) => {
    const ws = new WebSocket(url);
    ws.on("unexpected-response", (_, { statusCode = 0 }) => resolve(statusCode));
    ws.on("open", () => {
      resolve(101);
      ws.terminate();
    });
    ws.on("error", () => undefined);
  });

describe("T19: connections", () => {
  test("so many and no more; one that leaves makes room, and those that are in are unharmed", async () => {
    const server = await limited({ connections: 3 });
    const clients = await Promise.all([1, 2, 3].map(() => SocketClient.ready(server.url)));
    expect(await Promise.all([1, 2, 3, 4, 5].map(() => statusOf(server.url)))).toEqual([503, 503, 503, 503, 503]);
    const [first, ...others] = clients;
    const session = await first?.session(house.cwd);
    expect(await first?.prompt(session ?? "", "/hello")).toMatchObject({ result: { stopReason: "end_turn" } });
    await others[0]?.leave();
    await expect.poll(() => statusOf(server.url)).toBe(101);
  });
  test("500 at once: the limit holds", async () => {
    const server = await limited({ connections: 32 });
    const found = await Promise.all(
      Array.from({ length: 500 }, () => SocketClient.ready(server.url).catch(() => null)),
    );
    const open = found.filter((client) => client !== null && client.ws.readyState === WebSocket.OPEN);
    expect(open.length).toBeGreaterThan(0);
    expect(open.length).toBeLessThanOrEqual(32);
    for (const client of open) expect(await client?.request("session/list", {})).toMatchObject({ result: {} });
    for (const client of open) client?.ws.terminate();
  });
  test("so many of one principal and no more; others still come in", async () => {
    const file = join(house.root, "tokens");
    const [ann, bob] = ["a", "b"].map((letter) => letter.repeat(32)) as [string, string];
    writeFileSync(file, `ann ${ann}\nbob ${bob}\n`, { mode: 0o600 });
    const limits = ["--limit", "connections=4", "--limit", "connectionsPerPrincipal=2"];
    const server = await startServer(house, ["--token-file", file, ...limits]);
    const open = (token: string): Promise<SocketClient> =>
      SocketClient.ready(server.url, { headers: { authorization: `Bearer ${token}` } });
    const clients = [await open(ann), await open(ann)];
    await expect(open(ann)).rejects.toThrow("503");
    clients.push(await open(bob));
    for (const { ws } of clients) ws.terminate();
  });
  test("who does not say goodbye is cut off", async () => {
    const server = await limited({ initializeMs: 100, closeMs: 200 });
    const mute = await muteSocket(server);
    await once(mute, "close");
    expect(server.process.child.exitCode).toBeNull();
  });
  test("initialize in time, or 1008; who has initialised stays", async () => {
    const server = await limited({ initializeMs: 300 });
    const [idle, ready] = [await SocketClient.open(server.url), await SocketClient.ready(server.url)];
    idle.notify("session/cancel", { sessionId: "none" }); // gains it no time
    expect(await idle.closed).toEqual({ code: 1008, reason: "initialize was not sent within 0.3 s" });
    expect(await ready.request("session/list", {})).toMatchObject({ result: {} });
    await ready.leave();
  });
  test("what comes before initialize is refused, and nothing begins; initialize may still come", async () => {
    const client = await SocketClient.open((await limited({})).url);
    const place = { cwd: house.cwd, mcpServers: [] };
    expect(await client.request("session/new", place)).toMatchObject({ error: { code: -32_600 } });
    const begin = { protocolVersion: 1, clientCapabilities: {} };
    expect(await client.request("initialize", begin)).toMatchObject({ result: { protocolVersion: 1 } });
    expect(await client.request("session/list", {})).toMatchObject({ result: { sessions: [] } });
    await client.leave();
  });
  test("a message is whole in time, or 1008, however many pings are answered", async () => {
    const server = await limited({ bodyMs: 600, pingMs: 100 });
    const [slow, ready] = [await SocketClient.ready(server.url), await SocketClient.ready(server.url)];
    slow.ws.send('{"jsonrpc":', { fin: false });
    const dribble = setInterval(() => slow.ws.send(" ", { fin: false }), 50);
    expect(await slow.closed).toEqual({ code: 1008, reason: "a message was not whole within 0.6 s" });
    clearInterval(dribble);
    expect(await ready.request("session/list", {})).toMatchObject({ result: {} });
    await ready.leave();
  });
  test("headers in time and of bounded size", async () => {
    const server = await limited({ handshakeMs: 300 });
    const slow = connect(server.port, "127.0.0.1");
    slow.write("GET /acp HTTP/1.1\r\nHost: ");
    let answer = "";
    slow.on("data", (bytes) => {
      answer += bytes.toString();
    });
    await new Promise((resolve) => slow.on("close", resolve));
    expect(answer).toMatch(/^HTTP\/1.1 408/);
    const large = await fetch(`http://127.0.0.1:${server.port}/acp`, { headers: { x: "y".repeat(9_000) } });
    expect(large.status).toBe(431);
  });
  test("who misses two pings is disconnected", async () => {
    const server = await limited({ pingMs: 500 });
    const deaf = await SocketClient.open(server.url, { autoPong: false });
    let missed = 0;
    deaf.ws.on("ping", () => missed++);
    await deaf.request("initialize", { protocolVersion: 1 });
    expect((await deaf.closed).code).toBe(1006);
    expect(missed).toBe(2);
    const ready = await SocketClient.ready(server.url);
    let pings = 0;
    await new Promise<void>((resolve) => ready.ws.on("ping", () => ++pings === 4 && resolve()));
    expect(await ready.request("session/list", {})).toMatchObject({ result: {} });
    await ready.leave();
  });
  test("requests in flight", async () => {
    const server = await limited({ requestsInFlight: 2 });
    const client = await SocketClient.ready(server.url);
    const sessions = [await client.session(house.cwd), await client.session(house.cwd)];
    // Two that have no answer before their questions have one.
    const prompts = sessions.map((session) => client.prompt(session, "/gate"));
    const asked = await Promise.all(
      sessions.map((session) => client.sees(({ message }) => isQuestionOf(message, session))),
    );
    const refused = [await client.request("session/list", {}), await client.request("session/list", {})];
    expect(refused.map(({ error }) => error?.code)).toEqual([-32600, -32600]);
    for (const { message } of asked)
      client.send({ jsonrpc: "2.0", id: message["id"], result: { outcome: outcomeOf("allow") } });
    expect(await Promise.all(prompts)).toMatchObject([{ result: { stopReason: "end_turn" } }, { result: {} }]);
    expect(await client.request("session/list", {})).toMatchObject({ result: {} });
    await client.leave();
  });
});

describe("T9: messages", () => {
  const refusal = async (client: SocketClient, text: string): Promise<Message> => {
    const from = client.trace.length;
    client.ws.send(text);
    return (await client.sees(({ from: who, message }) => who === "agent" && message["id"] === null, from)).message;
  };
  test("what is no message is refused, and the connection stays", async () => {
    const server = await limited({});
    const client = await SocketClient.ready(server.url);
    const reasons = [];
    for (const text of ["{", "[]", "1", `${"[".repeat(200)}${"]".repeat(200)}`, `"${"x".repeat(10 * 1024 * 1024)}"`])
      reasons.push((await refusal(client, text))["error"]);
    expect(reasons).toMatchObject([
      { code: -32700 },
      { code: -32600 },
      { code: -32600 },
      { code: -32600, data: { reason: "too_deep" } },
      { code: -32600, data: { reason: "message_too_large" } },
    ]);
    expect(await client.request("session/list", {})).toMatchObject({ result: {} });
    await client.leave();
  });
  test("a frame beyond the limit ends its connection, and no other", async () => {
    const server = await limited({ frameBytes: 1_000_000 });
    const [a, b] = [await SocketClient.ready(server.url), await SocketClient.ready(server.url)];
    a.ws.send("x".repeat(1_000_001));
    expect((await a.closed).code).toBe(1009);
    expect(await b.request("session/list", {})).toMatchObject({ result: {} });
    await b.leave();
  });
});
