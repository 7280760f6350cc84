/** `troupe serve` with one client: both ends in processes of their own. */
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { faultsOf } from "../../support/acp-schema.ts";
import { type House, openHouse } from "../../support/house.ts";
import { SocketClient, startServer, updatesOf } from "../../support/server.ts";

let house: House;
beforeEach(() => {
  house = openHouse(["acceptance/hello.yaml", "acceptance/gate.yaml"]);
});
afterEach(() => house.leave());
const TRUST = { TROUPE_TRUST: "1" };

test.each(["", "acp"])("S1: initialize, session/new, session/prompt at /%s", async (path) => {
  const server = await startServer(house, [], TRUST);
  expect(server.pid).toBe(server.process.child.pid);
  expect(server.pid).not.toBe(process.pid);
  const client = await SocketClient.open(`ws://127.0.0.1:${server.port}/${path}`);
  expect(client.headers["acp-connection-id"]).toMatch(/^[0-9a-f-]{36}$/);
  expect(await client.request("initialize", { protocolVersion: 1 })).toMatchObject({ result: { protocolVersion: 1 } });
  const session = await client.session(house.cwd);
  expect(await client.prompt(session, "/hello")).toMatchObject({ result: { stopReason: "end_turn" } });
  expect(updatesOf(client, session).length).toBeGreaterThan(0);
  expect(faultsOf(client.trace, ["agent"])).toEqual([]);
  await client.leave();
});

test("asked to end, it ends what runs, answers, says goodbye, and exits with 0", async () => {
  const server = await startServer(house, [], TRUST);
  const client = await SocketClient.ready(server.url);
  const session = await client.session(house.cwd);
  const answer = client.prompt(session, "/gate");
  await client.asked();
  server.process.child.kill("SIGTERM");
  expect(await answer).toMatchObject({ result: { stopReason: "cancelled" } });
  expect(await client.closed).toEqual({ code: 1001, reason: "the server is shutting down" });
  expect(await server.process.ended).toEqual({ code: 0, signal: null });
  expect(server.process.lines).toEqual([]);
});

test("asked to end a second time, it ends at once", async () => {
  const command = "trap '' TERM; echo holding; while :; do sleep 600 & wait; done";
  const states = { initial: "hold", hold: { type: "step", command, on_success: "done" }, done: { type: "terminal" } };
  writeFileSync(join(house.cwd, ".troupe", "workflows", "hold.yaml"), JSON.stringify({ name: "hold", states }));
  const server = await startServer(house, [], TRUST);
  const client = await SocketClient.ready(server.url);
  client.prompt(await client.session(house.cwd), "/hold");
  await client.hears("holding");
  const held = connect(server.port, "127.0.0.1");
  await once(held, "connect");
  server.process.child.kill("SIGTERM");
  // It takes no one in any more, and waits for what does not end.
  await expect
    .poll(() => SocketClient.open(server.url).then(({ ws }) => ws.terminate(), String))
    .toContain("ECONNREFUSED");
  const lines = [
    "Connection: Upgrade",
    "Upgrade: websocket",
    "Sec-WebSocket-Version: 13",
    `Host: 127.0.0.1:${server.port}`,
  ];
  held.write(`GET /acp HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
  const [answer] = (await once(held, "data")) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 503/);
  server.process.child.kill("SIGTERM");
  expect(await server.process.ended).toEqual({ code: 1, signal: null });
  expect(server.process.stderr).not.toContain("Error");
});

test("frames may be text or binary; answers are text", async () => {
  const server = await startServer(house);
  const client = await SocketClient.open(server.url);
  const frames: boolean[] = [];
  client.ws.on("message", (_, isBinary) => frames.push(isBinary));
  client.ws.send(
    Buffer.from(JSON.stringify({ jsonrpc: "2.0", id: "b", method: "initialize", params: { protocolVersion: 1 } })),
  );
  await client.hears('"protocolVersion"');
  await client.session(house.cwd);
  expect(frames).toEqual([false, false]);
});
