/** Clients that only sit in the lobby of a server keep no one out: real sockets, many of them. */
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { type ClientHttp2Session, type ClientHttp2Stream, connect as connectHttp2 } from "node:http2";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type House, openHouse } from "../../support/house.ts";
import { type Server, SocketClient, startServer } from "../../support/server.ts";
import { SseReader } from "../../support/sse.ts";

/** More than a server with these limits has places for: 2 + 2 + 64. */
const CROWD = 100;
const FEW = { connections: 2, readers: 2 };
let house: House;
const crowd: Socket[] = [];
const sessions: ClientHttp2Session[] = [];
beforeEach(() => {
  house = openHouse(["acceptance/hello.yaml", "acceptance/talk.yaml"]);
});
afterEach(async () => {
  for (const one of [...crowd.splice(0), ...sessions.splice(0)]) one.destroy();
  await house.leave();
});
const limited = (limits: { [name: string]: number }): Promise<Server> =>
  startServer(
    house,
    Object.entries(limits).flatMap(([name, value]) => ["--limit", `${name}=${value}`]),
    { TROUPE_TRUST: "1" },
  );

/** A connection that says this and no more. */
async function enter(port: number, text: string, localAddress = "127.0.0.1"): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1", localAddress });
  socket.on("error", () => undefined).resume();
  crowd.push(socket);
  await once(socket, "connect");
  if (text !== "") socket.write(text);
  return socket;
}
const slowBody = (port: number): string =>
  `POST /api/runs HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n{`;
/** The status of a request on a connection of its own. */
async function served({ port }: Server): Promise<number> {
  const reader = await SseReader.open(`http://127.0.0.1:${port}/api/runs`);
  reader.drop();
  return reader.status;
}

test.each([
  ["silent ones", () => ""],
  ["slow headers", () => "GET /acp HTTP/1.1\r\nHost: "],
  ["slow bodies", slowBody],
])("%s: others come in, by HTTP and on a socket, and stay", async (_, text) => {
  const server = await limited({ ...FEW, handshakeMs: 600_000, bodyMs: 600_000 });
  const client = await SocketClient.ready(server.url);
  const reader = await SseReader.open(
    `http://127.0.0.1:${server.port}/api/sessions/${await client.session(house.cwd)}/events`,
  );
  for (let n = 0; n < CROWD; n++) await enter(server.port, text(server.port));
  expect(await served(server)).toBe(200);
  const late = await SocketClient.ready(server.url);
  for (const one of [client, late]) expect(await one.request("session/list", {})).toMatchObject({ result: {} });
  expect(reader.response.closed).toBe(false);
  reader.drop();
  const gone = crowd.filter(({ closed }) => closed).length;
  expect([gone > 0, gone < CROWD]).toEqual([true, true]);
  // One line, however many had to go.
  const said = server.process.stderr
    .split("\n")
    .filter((line) => line.includes("ended a connection: too many were open"));
  expect(said).toHaveLength(1);
  await Promise.all([client.leave(), late.leave()]);
});

test("who has to go is of the address that has most of them there", async () => {
  const server = await limited({ ...FEW, handshakeMs: 600_000 });
  const lone = await enter(server.port, "", "127.0.0.2");
  for (let n = 0; n < CROWD; n++) await enter(server.port, "");
  expect(await served(server)).toBe(200);
  expect([lone.closed, crowd[1]?.closed, crowd.at(-1)?.closed]).toEqual([false, true, false]);
});

test("a body that does not come in time is 408, over HTTP/1.1 and HTTP/2", async () => {
  const server = await limited({ bodyMs: 300 });
  const slow = await enter(server.port, slowBody(server.port));
  let answer = "";
  slow.on("data", (bytes) => {
    answer += bytes.toString();
  });
  await once(slow, "close");
  expect(answer).toMatch(/^HTTP\/1\.1 408[\s\S]*"code":"USER.SERVE.TOO_SLOW"/);
  const session = connectHttp2(`http://127.0.0.1:${server.port}`);
  const head = { ":method": "POST", ":path": "/api/runs", "content-type": "application/json" };
  const stream = session.request(head, { endStream: false });
  stream.on("error", () => undefined).write("{");
  const [headers] = await once(stream, "response");
  expect((headers as { ":status": number })[":status"]).toBe(408);
  expect(String((await once(stream, "data"))[0])).toContain("--limit bodyMs");
  session.destroy();
  expect(await served(server)).toBe(200);
  expect(server.process.stderr.trimEnd().split("\n").slice(2)).toEqual([]);
});

test("a stream that was asked for with a body stays, over HTTP/1.1 and HTTP/2 (I3)", async () => {
  const server = await limited({ bodyMs: 300, heartbeatMs: 100 });
  /** Longer than a body may take. */
  const heartbeats = async (from: NodeJS.ReadableStream): Promise<number> => {
    let text = "";
    for await (const bytes of from) {
      text += String(bytes);
      if (text.split("still here").length > 6) break;
    }
    return text.split("still here").length - 1;
  };
  const head = `GET /api/changes HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\ncontent-length: 2\r\n\r\n{}`;
  const socket = connect({ port: server.port, host: "127.0.0.1" });
  crowd.push(socket);
  socket.write(head);
  const session = connectHttp2(`http://127.0.0.1:${server.port}`);
  const stream = session.request({ ":path": "/api/changes" }, { endStream: false });
  stream.end("{}");
  expect(await Promise.all([heartbeats(socket), heartbeats(stream)])).toEqual([6, 6]);
  session.destroy();
  const slow = await enter(server.port, head.replace("length: 2", "length: 3"));
  await once(slow, "close");
});

/** A connection that asks for the page's program, and takes nothing of it. */
async function leaveUnread(port: number): Promise<ClientHttp2Stream> {
  const session = connectHttp2(`http://127.0.0.1:${port}`, { settings: { initialWindowSize: 0 } });
  session.on("error", () => undefined);
  sessions.push(session);
  const stream = session.request({ ":path": "/page/page.js" });
  stream.on("error", () => undefined);
  await new Promise((resolve) => stream.once("response", resolve).once("close", resolve));
  return stream;
}

test("answers that nobody takes keep no one out; a stream that was read before stays (I4)", async () => {
  const server = await limited({ ...FEW, stallMs: 600_000 });
  const reader = await SseReader.open(`http://127.0.0.1:${server.port}/api/changes`);
  for (let n = 0; n < CROWD; n++) await leaveUnread(server.port);
  const status = (): Promise<number> => served(server).catch(() => 0);
  for (let seen = await status(); seen !== 200; seen = await status());
  expect(reader.response.closed).toBe(false);
  reader.drop();
});

test("an answer that nobody takes is cut in time (I4)", async () => {
  const server = await limited({ stallMs: 100 });
  await once(await leaveUnread(server.port), "close");
  expect(await served(server)).toBe(200);
});

test("who has not initialised gives its place to who comes, the oldest first; who has, keeps it", async () => {
  const server = await limited({ connections: 3, initializeMs: 600_000 });
  const ready = await SocketClient.ready(server.url);
  const [oldest, younger] = [await SocketClient.open(server.url), await SocketClient.open(server.url)];
  const late = await SocketClient.ready(server.url);
  await oldest.closed;
  expect(younger.ws.readyState).toBe(younger.ws.OPEN);
  const last = await SocketClient.ready(server.url);
  await younger.closed;
  await expect(SocketClient.open(server.url)).rejects.toThrow("503");
  for (const one of [ready, late, last]) expect(await one.request("session/list", {})).toMatchObject({ result: {} });
});

test("who has all of its own places takes none of another's, though that one has not begun yet", async () => {
  const file = join(house.root, "tokens");
  const [ann, bob] = ["a".repeat(32), "b".repeat(32)];
  writeFileSync(file, `ann ${ann}\nbob ${bob}\n`, { mode: 0o600 });
  const server = await startServer(house, ["--token-file", file, "--limit", "connections=4"]);
  const as = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });
  const own = [await SocketClient.ready(server.url, as(ann)), await SocketClient.ready(server.url, as(ann))];
  const silent = await SocketClient.open(server.url, as(bob));
  const at = `http://127.0.0.1:${server.port}/acp`;
  const begin = (token: string): Promise<Response> =>
    fetch(at, {
      method: "POST",
      headers: { "content-type": "application/json", ...as(token).headers },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: 1 } }),
    });
  const theirs = { ...as(bob).headers, "acp-connection-id": (await begin(bob)).headers.get("acp-connection-id") ?? "" };
  for (let n = 0; n < 3; n++) await expect(SocketClient.open(server.url, as(ann))).rejects.toThrow("503");
  for (let n = 0; n < 5; n++) expect((await begin(ann)).status).toBe(200); // each of them in the place of one of its own
  expect(await silent.request("initialize", { protocolVersion: 1 })).toMatchObject({ result: {} });
  expect((await fetch(at, { method: "DELETE", headers: theirs })).status).toBe(202);
  for (const { ws } of [...own, silent]) ws.terminate();
});

test("what is answered is not to be guessed a page", async () => {
  const server = await limited({});
  const at = `http://127.0.0.1:${server.port}`;
  const answers = await Promise.all(
    ["/api/runs", "/api/docs", "/acp", "/nothing", "/api/nothing"].map((path) => fetch(`${at}${path}`)),
  );
  expect(answers.map(({ headers }) => headers.get("x-content-type-options"))).toEqual(answers.map(() => "nosniff"));
});

test("bodies that are too much together: the largest is refused, a small one is read, over HTTP/1.1 and HTTP/2", async () => {
  const KIB = 1024;
  const server = await limited({ bodiesBytes: 100 * KIB, bodyBytes: 100 * KIB, frameBytes: 100 * KIB });
  const head = (length: number): string =>
    `POST /api/runs HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n`;
  const largest = await enter(server.port, `${head(100 * KIB)}${" ".repeat(60 * KIB)}`);
  largest.pause();
  const body = JSON.stringify({ workflow: "hello" });
  const small = await enter(server.port, head(body.length + 1) + body);
  small.pause();
  const session = connectHttp2(`http://127.0.0.1:${server.port}`);
  sessions.push(session);
  const asked = { ":method": "POST", ":path": "/api/runs", "content-type": "application/json" };
  const [first, second] = [session.request(asked), session.request(asked)];
  first.write(" ".repeat(30 * KIB));
  second.write(" ".repeat(20 * KIB));
  expect(String(((await once(largest.resume(), "data")) as [Buffer])[0])).toMatch(
    /^HTTP\/1.1 503 [\s\S]*--limit bodiesBytes/,
  );
  first.write(" ".repeat(60 * KIB));
  const [{ ":status": status }] = (await once(first, "response")) as [{ ":status": number }];
  expect(status).toBe(503);
  small.write(" ");
  expect(String(((await once(small.resume(), "data")) as [Buffer])[0])).toMatch(/^HTTP\/1.1 202 /);
  second.end(body);
  const [answer] = (await once(second, "response")) as [{ ":status": number }];
  expect(answer[":status"]).toBe(202);
});
