/** What a server says to its operators: health, readiness, numbers, and its log. */
import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type LogFlags, serverLog } from "../../../transports/serve/log.ts";
import { type House, openHouse } from "../../support/house.ts";
import { SocketClient, startServer } from "../../support/server.ts";

let house: House;
beforeEach(() => {
  house = openHouse(["acceptance/hello.yaml", "acceptance/gate.yaml"]);
});
afterEach(() => house.leave());
const TRUST = { TROUPE_TRUST: "1" };
const TOKEN = "t".repeat(32);
const OTHER = "o".repeat(32);

test("it lives, it is ready, it counts; the log says what ran", async () => {
  const server = await startServer(house, ["--log-level", "debug", "--log-format", "json"], TRUST);
  const at = (path: string, init: RequestInit = {}) => fetch(`http://127.0.0.1:${server.port}${path}`, init);
  expect(await (await at("/healthz")).json()).toEqual({ status: "ok" });
  expect(await (await at("/readyz")).json()).toEqual({ status: "ready" });
  for (const path of ["/metrics", "/healthz", "/readyz"]) {
    const { status, headers } = await at(path, { method: "POST" });
    expect([path, status, headers.get("allow")]).toEqual([path, 405, "GET, HEAD"]);
  }
  expect(await (await at("/healthz", { method: "HEAD" })).text()).toBe("");
  const client = await SocketClient.ready(server.url);
  await client.session(house.cwd);
  await client.prompt(await client.session(house.cwd), "/hello");
  const answer = await at("/metrics");
  expect(answer.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
  const numbers = await answer.text();
  expect(numbers).toContain('troupe_runs_total{workflow="hello",status="completed"} 1\n');
  expect(numbers).toContain('troupe_run_duration_seconds_count{workflow="hello",status="completed"} 1\n');
  expect(numbers).toMatch(/^troupe_connections 1$/m);
  // One session has had its turn, another one none yet.
  expect(numbers).toMatch(/^troupe_turns_active 0$/m);
  expect(numbers).toMatch(/^process_memory_usage_bytes \d{7,}$/m);
  await client.leave();
  server.process.child.kill("SIGTERM");
  await server.process.ended;
  const lines = server.process.stderr
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { [name: string]: unknown });
  expect(lines.every(({ time, level }) => !Number.isNaN(Date.parse(String(time))) && level !== undefined)).toBe(true);
  expect(lines).toContainEqual(
    expect.objectContaining({ level: "info", message: "a run has ended", status: "completed" }),
  );
  expect(lines).toContainEqual(
    expect.objectContaining({ level: "debug", method: "GET", path: "/metrics", status: 200 }),
  );
});

test("all of it is behind the gate; numbers are for the user of the server alone (I2)", async () => {
  const tokens = join(house.root, "tokens");
  writeFileSync(tokens, `${TOKEN}\nanna ${OTHER}\n`);
  chmodSync(tokens, 0o600);
  const server = await startServer(house, ["--token-file", tokens], TRUST);
  const status = async (path: string, headers: { [name: string]: string } = {}): Promise<number> =>
    (await fetch(`http://127.0.0.1:${server.port}${path}`, { headers })).status;
  const as = (token: string) => ({ authorization: `Bearer ${token}` });
  for (const path of ["/healthz", "/readyz", "/metrics"]) {
    expect([path, await status(path)]).toEqual([path, 401]);
    expect([path, await status(path, as(TOKEN))]).toEqual([path, 200]);
    expect([path, await status(path, { ...as(TOKEN), origin: "https://evil.example" })]).toEqual([path, 403]);
  }
  expect(await status("/metrics", as(OTHER))).toBe(403);
  expect(await status("/healthz", as(OTHER))).toBe(200);
});

test("it lives and is not ready while its store cannot be used (I1)", async () => {
  mkdirSync(dirname(house.store), { recursive: true });
  writeFileSync(house.store, "this is no store");
  const server = await startServer(house, [], TRUST);
  const at = (path: string) => fetch(`http://127.0.0.1:${server.port}${path}`);
  expect((await at("/healthz")).status).toBe(200);
  const answer = await at("/readyz");
  expect(answer.status).toBe(503);
  expect(await answer.json()).toMatchObject({ status: 503, code: "SYSTEM.STORE.DAMAGED" });
});

test("a store that is taken away takes no run, and none once it is another one; put back, it does (I1)", async () => {
  const server = await startServer(house, [], TRUST);
  const at = async (path: string, body?: object) => {
    const init = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, body === undefined ? {} : init);
    const { code } = (await answer.json()) as { code?: string };
    return [answer.status, code];
  };
  const begun = () => at("/api/runs", { workflow: "hello" });
  const folder = dirname(house.store);
  expect(await begun()).toEqual([202, undefined]);
  expect(await at("/readyz")).toEqual([200, undefined]);
  renameSync(folder, `${folder}.away`);
  const refused = [
    [500, "SYSTEM.STORE.MOVED"],
    [503, "SYSTEM.STORE.MOVED"],
  ];
  expect([await begun(), await at("/readyz")]).toEqual(refused);
  renameSync(`${folder}.away`, folder);
  expect([await begun(), await at("/readyz")]).toEqual([
    [202, undefined],
    [200, undefined],
  ]);
  rmSync(folder, { recursive: true });
  expect([await begun(), await at("/readyz")]).toEqual(refused);
});

test.each<[LogFlags["logLevel"], string[]]>([
  ["error", ["troupe: error: e\n"]],
  ["warn", ["troupe: error: e\n", "troupe: w\n"]],
  ["info", ["troupe: error: e\n", "troupe: w\n", "troupe: i a=1\n"]],
  ["debug", ["troupe: error: e\n", "troupe: w\n", "troupe: i a=1\n", "troupe: debug: d\n"]],
])("at the level %s it says no less (I1)", (logLevel, said) => {
  const heard: string[] = [];
  const write = (text: string): void => void heard.push(text);
  const log = serverLog({ logLevel, logFormat: "text", write, safe: (text) => text, now: () => 0 });
  log("e", "error");
  log("w", "warn");
  log("i", "info", { a: 1 });
  log("d", "debug");
  expect(heard).toEqual(said);
});
