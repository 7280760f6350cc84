/** One port, HTTP/1.1 and HTTP/2, with and without TLS; and what a browser of another origin gets. */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type ClientHttp2Session, connect as connectHttp2, type IncomingHttpHeaders } from "node:http2";
import { get } from "node:https";
import { connect } from "node:net";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type House, openHouse } from "../../support/house.ts";
import { type Server, SocketClient, startServer } from "../../support/server.ts";

const TRUST = { TROUPE_TRUST: "1" };
let house: House;
let plain: Server;
let secure: Server;
let ca: Buffer;
beforeAll(async () => {
  house = openHouse(["acceptance/hello.yaml"]);
  const [cert, key] = [join(house.root, "cert.pem"), join(house.root, "key.pem")];
  const words =
    "req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost,IP:127.0.0.1";
  execFileSync("openssl", [...words.split(" "), "-keyout", key, "-out", cert], { stdio: "ignore" });
  ca = readFileSync(cert);
  plain = await startServer(house, ["--allow-origin", "https://app.example", "--limit", "handshakeMs=500"], TRUST);
  secure = await startServer(house, ["--tls-cert", cert, "--tls-key", key], TRUST);
});
afterAll(() => house.leave());

type Told = { status: number; headers: IncomingHttpHeaders; text: string };
/** One request on a session of HTTP/2; a stream of events is read to its end. */
function ask(session: ClientHttp2Session, headers: object, body?: unknown): Promise<Told> {
  return new Promise((resolve, reject) => {
    const json = body === undefined ? {} : { "content-type": "application/json" };
    const stream = session.request({ ...json, ...headers });
    let head: IncomingHttpHeaders & { ":status"?: number | undefined } = {};
    let text = "";
    stream.on("response", (response) => {
      head = response;
    });
    stream.setEncoding("utf8").on("data", (part: string) => {
      text += part;
    });
    stream.on("end", () => resolve({ status: head[":status"] ?? 0, headers: head, text }));
    stream.on("error", reject);
    stream.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
const opened = (server: Server, isSecure: boolean): ClientHttp2Session =>
  connectHttp2(`${isSecure ? "https" : "http"}://127.0.0.1:${server.port}`, isSecure ? { ca } : {});

describe.each([
  ["by prior knowledge", false],
  ["over TLS", true],
])("HTTP/2 %s", (_, isSecure) => {
  const server = (): Server => (isSecure ? secure : plain);
  test("answers who speaks to a socket's path without one, and stays", async () => {
    const session = opened(server(), isSecure);
    for (const path of ["/acp", "/acp/"]) {
      const told = await ask(session, { ":path": path });
      expect([told.status, JSON.parse(told.text)]).toMatchObject([426, { code: "USER.SERVE.UPGRADE_NEEDED" }]);
    }
    expect((await ask(session, { ":path": "/healthz" })).status).toBe(200);
    session.close();
  });
  test("starts a run, follows it to its end, and answers problems", async () => {
    const session = opened(server(), isSecure);
    const started = await ask(session, { ":method": "POST", ":path": "/api/runs" }, { workflow: "hello" });
    expect(started.status).toBe(202);
    const { run } = JSON.parse(started.text) as { run: string };
    const events = await ask(session, { ":path": `/api/runs/${run}/events` });
    expect([events.status, events.headers["content-type"]]).toEqual([200, "text/event-stream; charset=utf-8"]);
    expect(events.text).toMatch(/event: run\.completed\ndata: .*\n\n$/);
    const none = await ask(session, { ":path": "/api/nothing" });
    expect([none.status, none.headers["content-type"]]).toEqual([404, "application/problem+json"]);
    session.close();
  });
  test("carries ACP: initialize, a connection's stream, DELETE", async () => {
    const session = opened(server(), isSecure);
    const params = { protocolVersion: 1, clientCapabilities: {} };
    const first = await ask(
      session,
      { ":method": "POST", ":path": "/acp" },
      { jsonrpc: "2.0", id: 0, method: "initialize", params },
    );
    expect([first.status, JSON.parse(first.text)]).toMatchObject([200, { result: { protocolVersion: 1 } }]);
    const head = { ":path": "/acp", "acp-connection-id": String(first.headers["acp-connection-id"]) };
    const stream = session.request({ ...head, accept: "text/event-stream" });
    const heard = new Promise<string>((resolve) => {
      let text = "";
      stream.setEncoding("utf8").on("data", (part: string) => {
        text += part;
        if (text.includes('"sessionId"')) resolve(text);
      });
    });
    const body = { jsonrpc: "2.0", id: 1, method: "session/new", params: { cwd: house.cwd, mcpServers: [] } };
    expect((await ask(session, { ...head, ":method": "POST" }, body)).status).toBe(202);
    expect(await heard).toContain('"id":1');
    expect((await ask(session, { ...head, ":method": "DELETE" })).status).toBe(202);
    session.destroy();
  });
  test("passes the same gate: `:authority` is the name, and a Host beside it must be the same", async () => {
    const session = opened(server(), isSecure);
    const path = { ":path": "/api/workflows" };
    const own = `127.0.0.1:${server().port}`;
    const statuses = async (...heads: object[]): Promise<number[]> =>
      Promise.all(heads.map(async (head) => (await ask(session, { ...path, ...head })).status));
    expect(
      await statuses(
        {},
        { ":authority": own, host: own },
        { ":authority": "evil.example" },
        { ":authority": own, host: "evil.example" },
        { origin: "https://evil.example" },
      ),
    ).toEqual([200, 200, 403, 403, 403]);
    session.close();
  });
});

test("over TLS a client of HTTP/1.1 is served as well, and a socket", async () => {
  const status = await new Promise<number>((resolve, reject) => {
    get(`https://127.0.0.1:${secure.port}/api/workflows`, { ca }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    }).on("error", reject);
  });
  expect(status).toBe(200);
  expect(secure.url).toMatch(/^wss:/);
  const client = await SocketClient.ready(secure.url, { ca });
  const session = await client.session(house.cwd);
  expect(await client.prompt(session, "/hello")).toMatchObject({ result: { stopReason: "end_turn" } });
  await client.leave();
});

describe.each(["plain", "secure"])("an upgrade to no WebSocket is passed over (%s)", (kind) => {
  /** What is answered to requests on one connection, each sent when the one before it was answered. */
  async function answers(...requests: string[]): Promise<string[]> {
    const { port } = kind === "plain" ? plain : secure;
    const socket = kind === "plain" ? connect(port, "127.0.0.1") : connectTls({ port, host: "127.0.0.1", ca });
    const lines: string[] = [];
    for (const request of requests) {
      socket.write(request.replace("HOST", `127.0.0.1:${port}`).replaceAll("\n", "\r\n"));
      let text = "";
      for (let body = 0; !text.includes("\r\n\r\n") || text.length < body; ) {
        text += String((await once(socket, "data"))[0]);
        const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
        body = text.indexOf("\r\n\r\n") + 4 + length;
        if (/transfer-encoding: chunked/i.test(text) && !text.endsWith("0\r\n\r\n")) body = text.length + 1;
      }
      lines.push(text.split("\r\n", 1)[0] ?? "");
    }
    socket.destroy();
    return lines;
  }
  const offer = (to: string): string =>
    `HTTP/1.1\nHost: HOST\nConnection: Upgrade, HTTP2-Settings\nUpgrade: ${to}\nHTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA\n`;
  test("a read, a body, and what comes after them on their connection are answered", async () => {
    const body = '{"workflow":"hello"}';
    const type = `Content-Type: application/json\nContent-Length: ${body.length}\n`;
    const found = await answers(
      `GET /api/runs ${offer("h2c")}\n`,
      `POST /api/runs ${offer("h2c")}${type}\n${body}`,
      `GET /healthz ${offer("TLS/1.0")}\n`,
      "GET /api/runs HTTP/1.1\nHost: HOST\n\n",
    );
    expect(found).toEqual(["HTTP/1.1 200 OK", "HTTP/1.1 202 Accepted", "HTTP/1.1 200 OK", "HTTP/1.1 200 OK"]);
  });
  test("and on the path of sockets one to a WebSocket is asked for", async () => {
    expect(await answers(`GET /acp ${offer("h2c")}\n`)).toEqual(["HTTP/1.1 426 Upgrade Required"]);
  });
});

describe("without TLS the first bytes tell", () => {
  const raw = (pieces: string[]): Promise<string> =>
    new Promise((resolve) => {
      const socket = connect(plain.port, "127.0.0.1");
      let text = "";
      socket.on("data", (bytes) => {
        text += bytes.toString("latin1");
      });
      socket.on("error", () => undefined);
      socket.on("close", () => resolve(text));
      const next = (): void => {
        const piece = pieces.shift();
        if (piece === undefined) return;
        socket.write(piece, "latin1", () => setImmediate(next));
      };
      next();
    });
  const request = (method: string): string =>
    `${method} /api/nothing HTTP/1.1\r\nHost: 127.0.0.1:${plain.port}\r\nConnection: close\r\n\r\n`;
  test.each(["GET", "POST", "PUT", "PATCH", "P"])("HTTP/1.1 with %s, byte for byte", async (method) => {
    expect(await raw([...request(method)])).toMatch(/^HTTP\/1\.1 40[0-9]/);
  });
  test("a target that names the server is its path; the name must be ours, and the Host's", async () => {
    const own = `127.0.0.1:${plain.port}`;
    const status = async (target: string, host = own): Promise<string> =>
      (await raw([`GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`])).slice(9, 12);
    expect([
      await status(`http://${own}/api/runs`),
      await status(`HTTP://${own}/api/runs?limit=1`),
      await status(`http://${own}`),
      await status(`http://${own}?`),
      await status(`http://${own}/api/nothing`),
      await status("http://evil.example/api/runs"),
      await status(`http://${own}/api/runs`, "evil.example"),
      await status("http://evil.example/api/runs", "evil.example"),
      await status(`http://user@${own}/api/runs`),
    ]).toEqual(["200", "200", "200", "200", "404", "403", "403", "403", "403"]);
  });
  test("who says nothing, or half of it, is ended in time", async () => {
    expect(await raw([])).toMatch(/^HTTP\/1\.1 408/);
    expect(await raw(["PR"])).toMatch(/^HTTP\/1\.1 408/);
  });
});

describe("a browser of another origin", () => {
  const at = (): string => `http://127.0.0.1:${plain.port}/api/workflows`;
  const preflight = (origin: string): Promise<Response> =>
    fetch(at(), { method: "OPTIONS", headers: { origin, "access-control-request-method": "POST" } });
  test("that is allowed is answered, and may read; the name is its own", async () => {
    const asked = await preflight("https://app.example");
    expect(asked.status).toBe(204);
    expect(asked.headers.get("access-control-allow-headers")).toContain("last-event-id");
    const taken = asked.headers.get("access-control-allow-headers")?.split(", ");
    for (const name of ["mcp-protocol-version", "mcp-session-id", "mcp-method", "mcp-name"])
      expect(taken).toContain(name);
    const answer = await fetch(at(), { headers: { origin: "https://app.example" } });
    expect([answer.status, answer.headers.get("access-control-allow-origin"), answer.headers.get("vary")]).toEqual([
      200,
      "https://app.example",
      "origin",
    ]);
  });
  test("that is not, is refused both ways; programs are told nothing", async () => {
    expect((await preflight("https://evil.example")).status).toBe(403);
    const answer = await fetch(at(), { headers: { origin: "https://evil.example" } });
    expect([answer.status, answer.headers.get("access-control-allow-origin")]).toEqual([403, null]);
    expect((await fetch(at())).headers.get("access-control-allow-origin")).toBe(null);
  });
});
