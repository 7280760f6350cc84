/** Covers `ingress.ts`: nodes that hang, that refuse and that answer, over real HTTP, in a time that the test moves. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Ingress } from "../../../../actors/host/restate/ingress.ts";
import { servicesOf } from "../../../../actors/host/restate/protocol.ts";
import { sessionKey } from "../../../support/host-machines.ts";
import { TestClock, until } from "../../../support/host-stage.ts";

const S = sessionKey("s");
const NOTHING = { n: 1, commits: [] };
type Node = { url: string; asked: { handler: string; name: string | undefined }[]; server: Server };

let time: TestClock;
let nodes: Node[];
let ingresses: Ingress[];
beforeEach(() => {
  [time, nodes, ingresses] = [new TestClock(), [], []];
});
afterEach(() => {
  for (const ingress of ingresses) ingress.stop();
  for (const { server } of nodes) server.closeAllConnections();
  for (const { server } of nodes) server.close();
});

/** `answer`: null, for a node that takes the call and says nothing. */
async function node(answer: ((response: ServerResponse) => void) | null): Promise<Node> {
  const asked: Node["asked"] = [];
  const server = createServer((request: IncomingMessage, response) => {
    const name = request.headers["idempotency-key"];
    asked.push({ handler: request.url?.split("/").at(-1) ?? "", name: name === undefined ? undefined : String(name) });
    if (answer !== null) answer(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const one = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked, server };
  nodes.push(one);
  return one;
}
const saying = (value: unknown) => (response: ServerResponse) => void response.end(JSON.stringify(value));
const over = (...of: Node[]): Ingress => {
  const sleep = (ms: number, signal?: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const forget = time.after(ms, resolve);
      const stop = (): void => {
        forget();
        reject(signal?.reason);
      };
      if (signal?.aborted === true) stop();
      signal?.addEventListener("abort", stop, { once: true });
    });
  const clock = { elapsed: () => time.elapsed(), sleep };
  const ingress = new Ingress(of.map(({ url }) => url).join(","), servicesOf("t"), clock);
  ingresses.push(ingress);
  return ingress;
};
const handlers = ({ asked }: Node): string[] => asked.map(({ handler }) => handler);

test("what a hanging node does not answer, the next one is asked after two seconds, and stays asked (I5)", async () => {
  const [hangs, answers] = [await node(null), await node(saying({ shards: [], cursorKey: "k" }))];
  const ingress = over(hangs, answers);
  const first = ingress.shards();
  await until(() => hangs.asked.length === 1);
  time.advance(1_999);
  expect(answers.asked).toEqual([]);
  time.advance(1);
  expect(await first).toEqual({ shards: [], cursorKey: "k" });
  await ingress.shards();
  expect([handlers(hangs), handlers(answers)]).toEqual([["shards"], ["shards", "shards"]]);
  expect(time.waiting).toBe(0);
});

test("an event is sent again by the name that it had: the engine takes it once (I1, I5)", async () => {
  const [hangs, answers] = [await node(null), await node(saying({ delivery: null, fault: null, commit: null }))];
  const ingress = over(hangs, answers);
  const posted = ingress.deliver(S, { is: "birth", input: "{}" });
  await until(() => hangs.asked.length === 1);
  time.advance(2_000);
  await posted;
  expect(hangs.asked[0]?.name).toMatch(/^[0-9a-f-]{36}$/);
  expect(answers.asked).toEqual(hangs.asked);
});

test("two nodes that hang are passed over one by one; one that refuses between them changes nothing (I5)", async () => {
  const refuses = await node((response) => void response.writeHead(503).end());
  const [one, two, answers] = [await node(null), await node(null), await node(saying(NOTHING))];
  const news = over(one, refuses, two, answers).since(S, { after: 1, waits: false });
  for (const next of [one, refuses, two]) {
    await until(() => next.asked.length === 1);
    time.advance(2_000);
  }
  expect(await news).toEqual(NOTHING);
  expect([one, refuses, two, answers].map(handlers)).toEqual(Array(4).fill(["since"]));
});

test("who waits for news is let wait; when its node is passed over it asks the next one (I5)", async () => {
  const [hangs, answers] = [await node(null), await node(saying(NOTHING))];
  const ingress = over(hangs, answers);
  const news = ingress.since(S, { after: 1, waits: true });
  await until(() => hangs.asked.length === 1);
  time.advance(15_000);
  expect(answers.asked).toEqual([]);
  const origin = ingress.origin(S);
  await until(() => hangs.asked.length === 2);
  time.advance(1_999);
  expect(answers.asked).toEqual([]);
  time.advance(1);
  await origin;
  expect(await news).toEqual(NOTHING);
  expect(handlers(answers)).toEqual(["origin", "since"]);
});

test("of one node alone nothing is asked twice; one that knows no worker is believed", async () => {
  const slow: ServerResponse[] = [];
  const [one, empty] = [
    await node((response) => void slow.push(response)),
    await node((r) => void r.writeHead(404).end()),
  ];
  const news = over(one).since(S, { after: 1, waits: false });
  await until(() => slow.length === 1);
  time.advance(9_000);
  saying(NOTHING)(slow[0]!);
  expect(await news).toEqual(NOTHING);
  expect(one.asked).toHaveLength(1);
  await expect(over(empty, one).shards()).rejects.toMatchObject({ code: "SYSTEM.ENGINE.NO_WORKER" });
});

test("of nodes one that says nothing is passed over also before anything is called", async () => {
  const [hangs, answers] = [await node(null), await node(saying(null))];
  await over(hangs, answers).ping();
  expect([handlers(hangs), handlers(answers)]).toEqual([["health"], ["health"]]);
});

test("at the end of its patience it says who is silent: the workers of an engine that runs, or the engine (I3)", async () => {
  const runs = await node((r) => void r.writeHead(r.req.url === "/restate/health" ? 200 : 503).end());
  const gone = await node((r) => void r.destroy());
  for (const [one, code] of [
    [runs, "SYSTEM.ENGINE.NO_WORKER"],
    [gone, "SYSTEM.ENGINE.UNREACHABLE"],
  ] as const) {
    const shards = expect(over(one).shards()).rejects.toMatchObject({ code });
    await until(() => one.asked.length === 1);
    time.advance(10_001);
    await shards;
  }
});
