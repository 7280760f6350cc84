/** The gate over real sockets: raw upgrades, byte for byte as an attacker may send them. */
import { describe, expect, test } from "vitest";
import { gateOf } from "../../../transports/serve/admission.ts";
import { SocketClient, startServer } from "../../support/server.ts";
import { guarded, host, house, server, upgrade } from "./upgrades.ts";

test("an upgrade's target may name the server, by its own name", async () => {
  const { port } = server;
  const status = async (target: string) => (await upgrade(port, [host(port)], target)).status;
  expect(await status(`http://127.0.0.1:${port}/acp`)).toBe(101);
  expect(await status(`http://127.0.0.1:${port}/nothing`)).toBe(404);
  expect(await status(`http://evil.example:${port}/acp`)).toBe(403);
});

test("what is refused is a problem with a code, as over the API", async () => {
  const problem = async (port: number, lines: readonly string[], path?: string): Promise<unknown> => {
    const { text } = await upgrade(port, lines, path);
    const [head = "", body = ""] = text.split("\r\n\r\n");
    expect(head).toContain("Content-Type: application/problem+json");
    const { status, code } = JSON.parse(body) as { status: number; code: string };
    return [status, code];
  };
  const { port } = server;
  expect(await problem(port, [host(port)], "/nothing")).toEqual([404, "USER.SERVE.NO_SUCH_PATH"]);
  expect(await problem(port, ["Host: evil.example"])).toEqual([403, "USER.SERVE.HOST_REFUSED"]);
  expect(await problem(port, [host(port), "Origin: null"])).toEqual([403, "USER.SERVE.ORIGIN_REFUSED"]);
  expect(await problem(guarded.port, [host(guarded.port)])).toEqual([401, "USER.SERVE.UNAUTHORIZED"]);
});

test.each([
  ["acp.v1", "acp.v1"],
  ["mqtt, acp.v1", "acp.v1"],
  ["acp", "acp"],
  ["acp.v2", "acp.v2"],
  ["bearer.x", null],
  ["undefined", "undefined"], // what the SDK's client offers in a browser, which ends a connection without an answer
])("of the subprotocols %s it takes %s", async (offered, taken) => {
  const { port } = server;
  const { status, text } = await upgrade(port, [host(port), `Sec-WebSocket-Protocol: ${offered}`]);
  const [, told = null] = /^Sec-WebSocket-Protocol: (.*)\r$/im.exec(text) ?? [];
  expect([status, told]).toEqual([101, taken]);
});

describe("T1: Origin", () => {
  test.each([
    ["none", [], 101],
    ["an allowed one", ["Origin: https://app.example"], 101],
    ["an allowed one of another scheme", ["Origin: vscode-webview://x"], 101],
    ["evil", ["Origin: https://evil.example"], 403],
    ["null", ["Origin: null"], 403],
    ["empty", ["Origin:"], 403],
    ["a scheme of an extension", ["Origin: chrome-extension://abc"], 403],
    ["another page of that scheme", ["Origin: vscode-webview://y"], 403],
    ["upper case", ["Origin: HTTPS://APP.EXAMPLE"], 403],
    ["an allowed name as a prefix", ["Origin: https://app.example.evil.com"], 403],
    ["another port", ["Origin: https://app.example:8443"], 403],
    ["another scheme", ["Origin: http://app.example"], 403],
    ["two", ["Origin: https://app.example", "Origin: https://evil.example"], 403],
    ["two in one", ["Origin: https://app.example, https://evil.example"], 403],
    ["two that are allowed", ["Origin: https://app.example", "Origin: vscode-webview://x"], 403],
    ["one twice", ["Origin: https://app.example", "Origin: https://app.example"], 403],
  ])("%s", async (_, lines, status) => {
    expect((await upgrade(server.port, [host(server.port), ...lines])).status).toBe(status);
  });
  test("our own address is an origin like any other", async () => {
    const own = `Origin: http://127.0.0.1:${server.port}`;
    expect((await upgrade(server.port, [host(server.port), own])).status).toBe(403);
  });
});

describe("T1: a browser's word on where a request comes from", () => {
  const CROSS = "Sec-Fetch-Site: cross-site";
  test.each([
    ["from another site", [CROSS], 403],
    ["from another page of this machine", ["Sec-Fetch-Site: same-site"], 403],
    ["unknown", ["Sec-Fetch-Site: elsewhere"], 403],
    ["both", ["Sec-Fetch-Site: none", CROSS], 403],
    ["from ours", ["Sec-Fetch-Site: same-origin"], 101],
    ["typed in", ["Sec-Fetch-Site: none"], 101],
    ["from another site that is allowed", [CROSS, "Origin: https://app.example"], 101],
  ])("%s", async (_, lines, status) => {
    expect((await upgrade(server.port, [host(server.port), ...lines])).status).toBe(status);
  });
  test("a picture, a script, a link", async () => {
    const { status } = await fetch(`http://127.0.0.1:${server.port}/api/runs`, {
      headers: { "sec-fetch-site": "cross-site" },
    });
    expect(status).toBe(403);
  });
});

describe("T2: Host", () => {
  test.each([
    ["127.0.0.1", (port: number) => [`Host: 127.0.0.1:${port}`], 101],
    ["localhost", (port: number) => [`Host: localhost:${port}`], 101],
    ["localhost in upper case", (port: number) => [`Host: LOCALHOST:${port}`], 101],
    ["[::1]", (port: number) => [`Host: [::1]:${port}`], 101],
    ["missing", () => [], 403],
    ["empty", () => ["Host:"], 403],
    ["twice", (port: number) => [`Host: 127.0.0.1:${port}`, `Host: 127.0.0.1:${port}`], 403],
    ["without a port", () => ["Host: 127.0.0.1"], 403],
    ["another port", (port: number) => [`Host: 127.0.0.1:${port + 1}`], 403],
    ["another name", (port: number) => [`Host: evil.example:${port}`], 403],
    ["ours as a prefix", (port: number) => [`Host: 127.0.0.1.evil.com:${port}`], 403],
    ["ours as a user", (port: number) => [`Host: 127.0.0.1:${port}@evil.com`], 403],
    ["a user of ours", (port: number) => [`Host: u@127.0.0.1:${port}`], 403],
    ["a trailing dot", (port: number) => [`Host: localhost.:${port}`], 403],
    ["a number", (port: number) => [`Host: 2130706433:${port}`], 403],
    ["hexadecimal", (port: number) => [`Host: 0x7f000001:${port}`], 403],
    ["0.0.0.0", (port: number) => [`Host: 0.0.0.0:${port}`], 403],
    ["a path", (port: number) => [`Host: 127.0.0.1:${port}/`], 403],
  ])("%s", async (_, lines, status) => {
    expect((await upgrade(server.port, lines(server.port))).status).toBe(status);
  });
});

describe("T2: a Host without a port, as what ends TLS before us passes it on", () => {
  const lines = (port: number) => ["runs.example", "runs.example:443", `runs.example:${port}`, "evil.example"];
  test.each([
    ["runs.example", [101, 403, 101, 403]],
    ["runs.example:443", [101, 101, 403, 403]],
    ["runs.example:8443", [403, 403, 403, 403]],
  ])("--allow-host %s", async (name, statuses) => {
    const { port } = await startServer(house, ["--allow-host", name]);
    const got = await Promise.all(lines(port).map((line) => upgrade(port, [`Host: ${line}`])));
    expect(got.map(({ status }) => status)).toEqual(statuses);
  });
});

test("other paths are not found, and plain requests pass the same gate", async () => {
  expect((await upgrade(server.port, [host(server.port)], "/other")).status).toBe(404);
  const at = `http://127.0.0.1:${server.port}`;
  expect((await fetch(`${at}/acp`)).status).toBe(426);
  expect((await fetch(`${at}/nothing`)).status).toBe(404);
  expect((await fetch(`${at}/acp`, { headers: { origin: "https://evil.example" } })).status).toBe(403);
  expect((await fetch(`http://127.0.0.1:${guarded.port}/acp`)).status).toBe(401);
});

test("what is refused opens no connection of the agent: its place is free, and none of its messages is taken", async () => {
  const one = await startServer(house, ["--limit", "connections=1"]);
  const line = `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "session/new", params: { cwd: house.cwd, mcpServers: [] } })}`;
  for (let n = 0; n < 3; n++) {
    const evil = await upgrade(one.port, [host(one.port), "Origin: https://evil.example", `X: ${line}`]);
    const post = await fetch(`http://127.0.0.1:${one.port}/acp`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: "https://evil.example" },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: 1 } }),
    });
    expect([evil.status, post.status, post.headers.get("acp-connection-id")]).toEqual([403, 403, null]);
  }
  const run = await fetch(`http://127.0.0.1:${one.port}/api/runs`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: "https://evil.example" },
    body: JSON.stringify({ workflow: "hello" }),
  });
  expect(run.status).toBe(403);
  const runs = (await (await fetch(`http://127.0.0.1:${one.port}/api/runs`)).json()) as { runs: unknown[] };
  expect(runs.runs).toEqual([]);
  const client = await SocketClient.ready(one.url);
  expect(await client.request("session/list", {})).toMatchObject({ result: { sessions: [] } });
  await client.leave();
});

/** Each defence switched off lets in what it is there for: the tests above would fail without it. */
test.each([
  ["T1", { origins: ["https://evil.example"] }, ["Host", "127.0.0.1:1", "Origin", "https://evil.example"]],
  ["T2", { allowed: ["evil.example"] }, ["Host", "evil.example:1"]],
  ["T3", { tokens: null }, ["Host", "127.0.0.1:1"]],
])("%s without its defence", (_, off: { origins?: string[]; allowed?: string[]; tokens?: null }, rawHeaders) => {
  const gate = (o: typeof off) =>
    gateOf({
      naming: () => ({ port: 1, defaultPort: 80, allowed: o.allowed ?? [], ownAddresses: false }),
      origins: o.origins ?? [],
      tokens: o.tokens === null ? null : [{ subject: null, digest: Buffer.alloc(32) }],
    });
  const request = { rawHeaders, socket: {} } as unknown as Parameters<ReturnType<typeof gateOf>>[0];
  const others = { tokens: null } as const;
  expect(gate({ ...(off.tokens === null ? {} : others) })(request).admitted).toBe(false);
  expect(gate({ ...others, ...off })(request).admitted).toBe(true);
});
