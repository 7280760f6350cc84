/** Covers `registering.ts` and `admin.ts`, over HTTP, against what stands for the engine's admin interface. */
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { PASSED_OVER_MS, type Pause } from "../../../../actors/host/restate/admin.ts";
import { isServedAt, register } from "../../../../actors/host/restate/registering.ts";

let server: Server;
let url: string;
let deployments: object[];
let posted: unknown[];
let status: number;
beforeEach(async () => {
  deployments = [];
  posted = [];
  status = 200;
  server = createServer(async (request, response) => {
    if (request.method === "POST") {
      let text = "";
      for await (const chunk of request) text += chunk;
      posted.push(JSON.parse(text));
      response.writeHead(status).end("not that");
    } else if (request.url === "/deployments") response.end(JSON.stringify({ deployments }));
    else response.writeHead(request.url === "/services/known" ? 200 : 404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => new Promise((resolve) => server.close(resolve)));

const URI = "http://127.0.0.1:9080";
const at = (uri: string, ...names: string[]) => ({ uri, services: names.map((name) => ({ name })) });
const ask = (tags: string[] = [], admins = url, pause?: Pause) =>
  register(admins, { uri: URI, work: "work", tags }, pause);

test("a worker is told where it is, and replaces those of its kind at that address", async () => {
  deployments = [at(`${URI}/`, "session", "work"), at("http://elsewhere", "work_shop"), at(URI, "other")];
  await ask();
  deployments = [at(`${URI}/`, "work_b", "work_a")];
  await ask(["a", "b"]);
  expect(posted).toEqual([
    { uri: URI, force: true },
    { uri: URI, force: true },
  ]);
});

test("workers with other tags, or with none, do not share an address (I1)", async () => {
  const refused = { code: "USER.CLI.USAGE", message: expect.stringContaining("--listen") };
  deployments = [at(`${URI}/`, "work")];
  await expect(ask(["shop"])).rejects.toMatchObject(refused);
  deployments = [at(URI, "work_shop")];
  await expect(ask()).rejects.toMatchObject(refused);
  await expect(ask(["shop", "more"])).rejects.toMatchObject(refused);
  expect(posted).toEqual([]);
});

test("of several nodes the first one that answers is taken; where none does, it is said what they said (I1 of admin.ts)", async () => {
  const gone = "http://127.0.0.1:1";
  await ask([], `${gone},${url}/`);
  expect(posted).toHaveLength(1);
  expect([await isServedAt(url)("known"), await isServedAt(`${gone},${url}`)("unknown")]).toEqual([true, false]);
  await expect(isServedAt(gone)("known")).rejects.toMatchObject({ code: "SYSTEM.ENGINE.UNREACHABLE" });
  status = 500;
  await expect(ask()).rejects.toMatchObject({
    ...{ code: "SYSTEM.ENGINE.UNREACHABLE", details: { engine: url } },
    message: expect.stringContaining("500 not that"),
  });
});

test("a node that takes a call and says nothing is passed over (I1 of admin.ts)", async () => {
  const silent = createServer(() => undefined);
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const at = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const paused: number[] = [];
  // The time passes once the first node has taken the call.
  await ask([], `${at},${url}`, (ms, signal) => {
    paused.push(ms);
    return once(silent, "request", { signal });
  });
  expect(posted).toHaveLength(1);
  expect(paused).toEqual(Array.from({ length: 4 }, () => PASSED_OVER_MS));
  silent.closeAllConnections();
  silent.close();
});
