/** ACP over HTTP from a real server: the SDK's own client through a whole job, and what the transport refuses. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { client as acpClient, methods, type SessionUpdate } from "@agentclientprotocol/sdk";
import { createHttpStream } from "@agentclientprotocol/sdk/experimental/http-client";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type House, openHouse, storedRows } from "../../../support/house.ts";
import { type Server, startServer } from "../../../support/server.ts";
import { SseReader } from "../../../support/sse.ts";

const TRUST = { TROUPE_TRUST: "1" };
let house: House;
beforeEach(() => {
  house = openHouse(["talk", "gate", "hello"].map((name) => `acceptance/${name}.yaml`));
});
afterEach(() => house.leave());
const at = ({ port }: Server): string => `http://127.0.0.1:${port}/acp`;
const served = (...args: string[]): Promise<Server> => startServer(house, args, TRUST);
const limited = (...limits: string[]): Promise<Server> => served(...limits.flatMap((limit) => ["--limit", limit]));

type Head = { [name: string]: string };
const JSON_HEAD = { "content-type": "application/json" };
const INITIALIZE = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: 1, clientCapabilities: {} },
};
const LIST = { jsonrpc: "2.0", id: 5, method: "session/list", params: {} };
const post = (server: Server, body: unknown, head: Head = {}): Promise<Response> =>
  fetch(at(server), {
    method: "POST",
    headers: { ...JSON_HEAD, ...head },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
async function connected(server: Server, head: Head = {}): Promise<Head> {
  const answer = await post(server, INITIALIZE, head);
  expect([answer.status, ((await answer.json()) as { result: unknown }).result]).toMatchObject([
    200,
    { protocolVersion: 1 },
  ]);
  return { ...head, "acp-connection-id": answer.headers.get("acp-connection-id") ?? "" };
}
const stream = (server: Server, head: Head): Promise<Response> =>
  fetch(at(server), { headers: { accept: "text/event-stream", ...head } });

test("another method is answered with those that there are", async () => {
  const server = await startServer(house);
  for (const method of ["PUT", "PATCH", "OPTIONS"]) {
    const { status, headers } = await fetch(at(server), { method });
    expect([method, status, headers.get("allow")]).toEqual([method, 405, "GET, POST, DELETE"]);
  }
});

test("the SDK's client finishes a job with a parked question and a permission", async () => {
  const server = await served();
  const updates: SessionUpdate[] = [];
  const app = acpClient({ name: "far" })
    .onRequest(methods.client.session.requestPermission, ({ params }) => ({
      outcome: {
        outcome: "selected",
        optionId: params.options.find(({ kind }) => kind === "allow_once")?.optionId ?? "",
      },
    }))
    .onNotification(methods.client.session.update, ({ params }) => void updates.push(params.update));
  await app.connectWith(createHttpStream(at(server)), async (agent) => {
    await agent.request(methods.agent.initialize, { protocolVersion: 1, clientCapabilities: {} });
    const { sessionId } = await agent.request(methods.agent.session.new, { cwd: house.cwd, mcpServers: [] });
    const prompt = (text: string) =>
      agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: "text", text }] });
    for (const text of ["/talk", "Ann", "", "/gate"])
      expect(await prompt(text)).toMatchObject({ stopReason: "end_turn" });
    const rows = storedRows(house.store, sessionId);
    expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => index + 1));
    const ends = rows.flatMap((row) => (row.type === "run.completed" ? [row.payload.status] : []));
    expect(ends).toEqual(["completed", "completed"]);
    expect(rows.filter(({ type }) => type === "permission.resolved")).toHaveLength(1);
    expect(JSON.stringify(updates)).toContain("The gate is open.");
  });
});

describe("a client that names no session in a header", () => {
  type Data = { [name: string]: unknown };
  const isAnswer =
    (id: number) =>
    ({ data }: { data: Data }) =>
      data["id"] === id && !("method" in data);
  const opened = async (server: Server, head: Head, reader: SseReader): Promise<string> => {
    await post(
      server,
      { jsonrpc: "2.0", id: 1, method: "session/new", params: { cwd: house.cwd, mcpServers: [] } },
      head,
    );
    return ((await reader.sees(isAnswer(1))).data["result"] as { sessionId: string }).sessionId;
  };

  test("answers what it was asked: its answer belongs to the session that asked", async () => {
    const server = await served();
    const head = await connected(server);
    const sessionId = await opened(server, head, await SseReader.open(at(server), head));
    const named = { ...head, "acp-session-id": sessionId };
    const events = await SseReader.open(at(server), named);
    const prompt = {
      jsonrpc: "2.0",
      id: 2,
      method: "session/prompt",
      params: { sessionId, prompt: [{ type: "text", text: "/gate" }] },
    };
    expect((await post(server, prompt, head)).status).toBe(400); // the transport asks for it here
    await post(server, prompt, named);
    const { data } = await events.sees(({ data }) => data["method"] === "session/request_permission");
    const { options } = data["params"] as { options: { optionId: string; kind: string }[] };
    const optionId = options.find(({ kind }) => kind === "allow_once")?.optionId;
    const answer = { jsonrpc: "2.0", id: data["id"], result: { outcome: { outcome: "selected", optionId } } };
    expect((await post(server, answer, { ...head, "acp-session-id": "another" })).status).toBe(404);
    expect((await post(server, answer, head)).status).toBe(202);
    expect((await events.sees(isAnswer(2))).data).toMatchObject({ result: { stopReason: "end_turn" } });
    expect(JSON.stringify(events.events)).toContain("The gate is open.");
  });

  test.each(["session/load", "session/resume"])(
    "%s: is sent on the connection's stream, then on the session's",
    async (method) => {
      const server = await served();
      const before = await connected(server);
      const sessionId = await opened(server, before, await SseReader.open(at(server), before));
      const first = await SseReader.open(at(server), { ...before, "acp-session-id": sessionId });
      const ask = (id: number, text: string, head: Head) =>
        post(
          server,
          { jsonrpc: "2.0", id, method: "session/prompt", params: { sessionId, prompt: [{ type: "text", text }] } },
          { ...head, "acp-session-id": sessionId },
        );
      await ask(2, "/hello", before);
      await first.sees(isAnswer(2));

      const head = await connected(server);
      const own = await SseReader.open(at(server), head);
      const attach = { jsonrpc: "2.0", id: 3, method, params: { sessionId, cwd: house.cwd, mcpServers: [] } };
      expect((await post(server, attach, head)).status).toBe(202);
      await own.sees(isAnswer(3));
      const told = own.events.slice(0, own.events.findIndex(isAnswer(3)));
      expect(JSON.stringify(told).includes("Hello was said.")).toBe(method === "session/load");
      await ask(4, "/talk", head);
      await own.sees(isAnswer(4));
      expect(JSON.stringify(own.events)).toContain("Who are you?");
      const events = await SseReader.open(at(server), { ...head, "acp-session-id": sessionId });
      expect(events.status).toBe(200);
      await ask(5, "Ann", head);
      await events.sees(isAnswer(5));
      expect(JSON.stringify(events.events)).toContain("Ann");
      expect(JSON.stringify(own.events)).not.toContain("Ann");
    },
  );

  test("a session that is not there is 404", async () => {
    const server = await served();
    const head = await connected(server);
    const attach = {
      jsonrpc: "2.0",
      id: 3,
      method: "session/load",
      params: { sessionId: "none", cwd: house.cwd, mcpServers: [] },
    };
    expect((await post(server, attach, head)).status).toBe(404);
  });
});

describe("what does not fit", () => {
  test("a batch is 501, other types 415, no JSON 400, a long body 413, a bare GET 426, a GET without a name 400", async () => {
    const server = await limited("frameBytes=2000");
    const head = await connected(server);
    const batch = await post(server, [INITIALIZE], head);
    expect([batch.status, await batch.json()]).toMatchObject([501, { id: null, error: { code: -32600 } }]);
    const statuses = await Promise.all([
      post(server, "{}", { ...head, "content-type": "text/plain" }),
      post(server, "{nope", head),
      post(server, { jsonrpc: "2.0", id: 1, method: "x", params: { long: "x".repeat(3_000) } }, head),
      fetch(at(server)),
      stream(server, {}),
      fetch(at(server), { headers: head }),
      post(server, INITIALIZE, head),
      post(server, { jsonrpc: "2.0", id: 1, method: "session/list", params: {} }),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([415, 400, 413, 426, 400, 406, 400, 400]);
  });
  test("an unknown connection and an unknown session are 404, on a stream as in a request", async () => {
    const server = await served();
    const head = await connected(server);
    const unknown = { "acp-connection-id": "00000000-0000-4000-8000-000000000000" };
    const session = { ...head, "acp-session-id": "not-there" };
    const prompt = { jsonrpc: "2.0", id: 1, method: "session/prompt", params: { sessionId: "not-there", prompt: [] } };
    const answers = await Promise.all([
      post(server, prompt, unknown),
      stream(server, unknown),
      fetch(at(server), { method: "DELETE", headers: unknown }),
      stream(server, session),
      post(server, prompt, session),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404, 404]);
    expect((await post(server, prompt, head)).status).toBe(400); // its header is missing
  });
  test("a second reader of a stream is 409", async () => {
    const server = await served();
    const head = await connected(server);
    const first = await stream(server, head);
    expect([first.status, (await stream(server, head)).status]).toEqual([200, 409]);
    await first.body?.cancel();
  });
});

describe("a connection", () => {
  test("ends with DELETE: its name is unknown from then on, and its place is free", async () => {
    const server = await limited("connections=1");
    const head = await connected(server);
    const reading = await stream(server, head);
    expect((await post(server, INITIALIZE)).status).toBe(503);
    expect((await fetch(at(server), { method: "DELETE", headers: head })).status).toBe(202);
    await reading.body?.cancel();
    expect((await stream(server, head)).status).toBe(404);
    await expect.poll(async () => (await post(server, INITIALIZE)).status).toBe(200);
  });
  test("ends by itself when it is not used; an open stream is use", async () => {
    const server = await limited("idleMs=200");
    const held = await connected(server);
    const reading = await stream(server, held);
    expect(reading.status).toBe(200);
    const left = await connected(server);
    const isThere = async (): Promise<number> => (await post(server, LIST, left)).status;
    await expect.poll(isThere, { interval: 1_000 }).toBe(404); // to ask is use too
    expect((await post(server, LIST, held)).status).toBe(202);
    await reading.body?.cancel();
  });
  test("without a stream makes room for who comes, the one that was used longest ago; others stay", async () => {
    const server = await limited("connections=3");
    const held = await connected(server);
    const reading = await stream(server, held);
    const [oldest, younger] = [await connected(server), await connected(server)];
    // Thirty clients that come and are lost shut no one out.
    const fresh = await connected(server);
    expect((await post(server, LIST, oldest)).status).toBe(404);
    for (const head of [held, younger, fresh]) expect((await post(server, LIST, head)).status).toBe(202);
    for (let n = 0; n < 30; n++) await connected(server);
    expect((await post(server, LIST, held)).status).toBe(202);
    await reading.body?.cancel();
  });
  test("of another subject is unknown (I1)", async () => {
    const file = join(house.root, "tokens");
    const [own, theirs] = ["o".repeat(32), "t".repeat(32)];
    writeFileSync(file, `ann ${own}\nmallory ${theirs}\n`, { mode: 0o600 });
    const server = await served("--token-file", file);
    expect((await post(server, INITIALIZE)).status).toBe(401);
    const head = await connected(server, { authorization: `Bearer ${own}` });
    const stolen = { ...head, authorization: `Bearer ${theirs}` };
    const list = { jsonrpc: "2.0", id: 1, method: "session/list", params: {} };
    expect((await post(server, list, stolen)).status).toBe(404);
    expect((await stream(server, stolen)).status).toBe(404);
    expect((await fetch(at(server), { method: "DELETE", headers: stolen })).status).toBe(404);
    expect((await post(server, list, head)).status).toBe(202);
  });
  test("has streams of the places that readers of events have too; one principal does not take all (T19)", async () => {
    const file = join(house.root, "tokens");
    const [ann, bob] = ["a".repeat(32), "b".repeat(32)].map((token) => ({ authorization: `Bearer ${token}` }));
    writeFileSync(file, `ann ${"a".repeat(32)}\nbob ${"b".repeat(32)}\n`, { mode: 0o600 });
    const server = await served("--token-file", file, "--limit", "readers=4");
    const heads = [await connected(server, ann), await connected(server, ann), await connected(server, ann)];
    const open = [await stream(server, heads[0] ?? {}), await stream(server, heads[1] ?? {})];
    expect([...open.map(({ status }) => status), (await stream(server, heads[2] ?? {})).status]).toEqual([
      200, 200, 429,
    ]);
    const more = await connected(server, bob);
    const other = await stream(server, more);
    expect(other.status).toBe(200);
    await open[0]?.body?.cancel();
    await expect
      .poll(async () => {
        const again = await stream(server, heads[2] ?? {});
        await again.body?.cancel();
        return again.status;
      })
      .toBe(200);
    await Promise.all([open[1]?.body?.cancel(), other.body?.cancel()]);
  });
  test("does not outgrow what a client leaves unread: its requests wait", async () => {
    const server = await limited("unreadBytes=4096", "stallMs=500");
    const head = await connected(server);
    const params = { cwd: `/${"x".repeat(900)}` };
    let status = 202;
    for (let id = 1; status === 202 && id <= 1000; id++)
      ({ status } = await post(server, { jsonrpc: "2.0", id, method: "session/list", params }, head));
    // Once the stall is over the connection is gone, and says so.
    expect(status).toBe(404);
    // The SDK says so on the console: that is a line of the log, and nothing else is written.
    await expect.poll(() => server.process.stderr).toContain("a library says: Closing ACP connection");
    expect(
      server.process.stderr
        .trimEnd()
        .split("\n")
        .every((line) => line.startsWith("troupe: ")),
    ).toBe(true);
    expect(server.process.lines).toEqual([]);
  });
  test("closed twice at once, and prompted meanwhile, ends once; each request is answered", async () => {
    const server = await served();
    const head = await connected(server);
    const own = await SseReader.open(at(server), head);
    await post(
      server,
      { jsonrpc: "2.0", id: 1, method: "session/new", params: { cwd: house.cwd, mcpServers: [] } },
      head,
    );
    const opened = await own.sees(({ data }) => data["id"] === 1);
    const { sessionId } = opened.data["result"] as { sessionId: string };
    const ofSession = { ...head, "acp-session-id": sessionId };
    const events = await SseReader.open(at(server), ofSession);
    const ask = (id: number, method: string, more: object = {}): Promise<Response> =>
      post(server, { jsonrpc: "2.0", id, method, params: { sessionId, ...more } }, ofSession);
    await ask(2, "session/prompt", { prompt: [{ type: "text", text: "/gate" }] });
    await events.sees(({ data }) => data["method"] === "session/request_permission");
    const closing = await Promise.all([3, 4, 5].map((id) => ask(id, "session/close")));
    expect(closing.map(({ status }) => status)).toEqual([202, 202, 202]);
    for (const id of [2, 3, 4, 5]) await events.sees(({ data }) => data["id"] === id && !("method" in data));
    const answer = events.events.find(({ data }) => data["id"] === 2 && !("method" in data));
    expect(answer?.data).toMatchObject({ result: { stopReason: "cancelled" } });
    const ends = storedRows(house.store, sessionId).filter(({ type }) => type === "run.completed");
    expect(ends).toHaveLength(1);
    const both = { method: "DELETE", headers: head };
    const deleted = await Promise.all([fetch(at(server), both), fetch(at(server), both)]);
    for (const { status } of deleted) expect([202, 404]).toContain(status);
    await Promise.all([own.ended, events.ended]);
    expect(server.process.child.exitCode).toBeNull();
  });
});
