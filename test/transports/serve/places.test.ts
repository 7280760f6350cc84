/** One principal's calls of MCP, however long they take, keep no other out. */
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Api } from "../../support/api.ts";
import { type House, openHouse } from "../../support/house.ts";
import { trust } from "../../support/mcp-host.ts";
import { startServer } from "../../support/server.ts";

const CROWD = 10;
const [ANN, BOB] = ["a".repeat(32), "b".repeat(32)];
let house: House;
const crowd: Socket[] = [];
beforeEach(() => {
  house = openHouse(["acceptance/hello.yaml", "acceptance/asleep.yaml"]);
});
afterEach(async () => {
  for (const one of crowd.splice(0)) one.destroy();
  await house.leave();
});

/** A call of MCP that waits for the end of a run, on a connection of its own. */
function waiting(port: number, token: string, run: string): Socket {
  const params = { name: "troupe_run_wait", arguments: { run } };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  const head = [
    "POST /mcp HTTP/1.1",
    `Host: 127.0.0.1:${port}`,
    `Authorization: Bearer ${token}`,
    "Content-Type: application/json",
    "Accept: application/json, text/event-stream",
    "MCP-Protocol-Version: 2025-11-25",
    `Content-Length: ${body.length}`,
  ];
  const socket = connect(port, "127.0.0.1").on("error", () => undefined);
  socket.write(`${head.join("\r\n")}\r\n\r\n${body}`);
  crowd.push(socket);
  return socket;
}

test("calls of MCP that wait: no more than a principal's share, and another comes in", async () => {
  await trust(house, "hello");
  const file = join(house.root, "tokens");
  writeFileSync(file, `ann ${ANN}\nbob ${BOB}\n`, { mode: 0o600 });
  const limits = ["--limit", "readers=4"];
  const server = await startServer(house, ["--token-file", file, ...limits]);
  const { run } = await new Api(server, ANN).start("asleep");
  const answers = Array.from({ length: CROWD }, async () => {
    const [bytes] = (await once(waiting(server.port, ANN, run), "data")) as [Buffer];
    return bytes.toString().split("\r\n", 1)[0];
  });
  const said = await Promise.all(answers);
  expect(said.filter((line) => line === "HTTP/1.1 200 OK")).toHaveLength(2);
  expect(said).toContain("HTTP/1.1 429 Too Many Requests");
  expect((await new Api(server, BOB).get("/api/runs")).status).toBe(200);
});
