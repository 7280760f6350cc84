/** Connections over HTTP: how they end, whose they are, and what room they take. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { storedRows } from "../../../support/house.ts";
import { SseReader } from "../../../support/sse.ts";
import { at, connected, house, INITIALIZE, limited, post, served, stream } from "./route-house.ts";

const LIST = { jsonrpc: "2.0", id: 5, method: "session/list", params: {} };

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
