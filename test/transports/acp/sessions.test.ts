/** `session/list`, `session/resume` and `session/delete`, over a played facade. */
import { setImmediate as tick } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { TroupeError } from "../../../actors/troupe.ts";
import type { Row } from "../../../machines/exchange.ts";
import { faultsOf } from "../../support/acp-schema.ts";
import { Client } from "./support.ts";

const said = (text: string, block: string): Row => ({
  type: "message.assistant",
  run: "r",
  step: "ask",
  payload: { block, offset: 0, text },
});
const ended: Row = { type: "turn.completed", payload: { turn: "t", stopReason: "cancelled" } };
const at = { sessionId: "s1", cwd: "/", mcpServers: [] };

let client: Client;
beforeEach(() => {
  client = new Client();
});
afterEach(async () => {
  await client.hangUp();
  expect(faultsOf(client.trace, ["agent"])).toEqual([]);
});

test("a list is handed on with its filter, and times are ISO 8601", async () => {
  await client.ready();
  client.troupe.page = {
    sessions: [
      { id: "a", cwd: "/w", title: "/demo", updatedAt: 0, state: "parked" },
      { id: "b", cwd: "/v", title: null, updatedAt: 1_000, state: "idle" },
    ],
    nextCursor: "next",
  };
  expect((await client.request(3, "session/list", {}))["result"]).toEqual({
    sessions: [
      {
        sessionId: "a",
        cwd: "/w",
        title: "/demo",
        updatedAt: "1970-01-01T00:00:00.000Z",
        _meta: { "troupe/state": "parked" },
      },
      { sessionId: "b", cwd: "/v", updatedAt: "1970-01-01T00:00:01.000Z", _meta: { "troupe/state": "idle" } },
    ],
    nextCursor: "next",
  });
  await client.request(4, "session/list", { cwd: "/w", cursor: "c" });
  await client.request(5, "session/list", { cwd: null, cursor: null });
  expect(client.troupe.queries).toEqual([
    { cwd: null, cursor: null },
    { cwd: "/w", cursor: "c" },
    { cwd: null, cursor: null },
  ]);
});

test("a resumed session shows what comes, not what was", async () => {
  const session = await client.ready();
  session.write(said("before", "ask@1.0"));
  expect(await client.request(3, "session/resume", at)).toMatchObject({ result: {} });
  session.write(said("after", "ask@2.0"));
  session.deliver();
  await client.message(({ method }) => method === "session/update");
  expect(client.updates("agent_message_chunk")).toMatchObject([{ content: { text: "after" } }]);
  expect(session.followers).toBe(1);
});

test("a resumed session whose run was cut off shows what stands, then how to go on, then answers", async () => {
  const session = await client.ready();
  session.cutOff = "demo";
  const plan = [{ name: "ask", title: "ask", kind: "command" as const }];
  session.write(
    { type: "turn.started", payload: { turn: "t" } },
    { type: "run.started", run: "r", payload: { workflow: "demo", plan, inputs: {}, turn: "t" } },
    {
      type: "step.started",
      run: "r",
      step: "ask",
      payload: { name: "ask", kind: "command", title: "ask", parallel: false },
    },
  );
  const resuming = client.request(3, "session/resume", at);
  await expect.poll(() => session.followers).toBe(1);
  session.deliver();
  await resuming;
  const heard = client.heard.map(({ id, params }) => id ?? (params as { update: { sessionUpdate: string } }).update);
  expect(heard.slice(2, heard.indexOf(3) + 1)).toMatchObject([
    { sessionUpdate: "tool_call" },
    { sessionUpdate: "plan" },
    { sessionUpdate: "agent_message_chunk", content: { text: expect.stringContaining('"demo" was interrupted') } },
    3,
  ]);
});

test("a death while the session is loaded is told once, behind all that it has left; a later one again", async () => {
  const session = await client.ready();
  session.write({ type: "turn.started", payload: { turn: "t" } }, said("before", "ask@1.0"));
  const loading = client.request(3, "session/load", at);
  await expect.poll(() => session.followers).toBe(1);
  const dies = (turn: string) => {
    session.cutOff = "demo";
    session.viewer?.cutOff?.();
    session.write({ ...ended, payload: { ...ended.payload, turn } });
    session.deliver();
  };
  dies("t");
  expect(await loading).toMatchObject({ result: {} });
  session.viewer?.cutOff?.();
  await client.request(4, "session/list", {});
  const texts = () =>
    client.updates("agent_message_chunk").map((update) => (update["content"] as { text: string }).text);
  const told = expect.stringContaining('"demo" was interrupted');
  expect(texts()).toEqual(["before", told]);
  dies("u");
  await expect.poll(() => texts().filter((text) => text.includes("was interrupted"))).toHaveLength(2);
});

test.each(["session/load", "session/resume"])(
  "%s: of an unknown session, a relative cwd, a running prompt",
  async (method) => {
    const session = await client.ready();
    expect(await client.request(3, method, { ...at, sessionId: "../x" })).toMatchObject({ error: { code: -32002 } });
    expect(await client.request(4, method, { ...at, cwd: "x" })).toMatchObject({ error: { code: -32602 } });
    const answer = client.prompt(5, "/demo");
    expect(await client.request(6, method, at)).toMatchObject({ error: { code: -32600 } });
    expect(client.troupe.setups).toEqual([]);
    session.write(ended);
    session.deliver();
    await answer;
  },
);

test("a resume with a cursor of another session changes nothing", async () => {
  const session = await client.ready();
  const cursor = { "troupe/cursor": { seq: 99 } };
  expect(await client.request(3, "session/resume", { ...at, _meta: cursor })).toMatchObject({
    error: { code: -32602, data: { field: "_meta" } },
  });
  expect([client.troupe.setups, session.calls.filter(([name]) => name === "leave")]).toEqual([[], []]);
});

test.each(["session/load", "session/resume"])(
  "%s, and session/close right behind it: the session is closed",
  async (method) => {
    const session = await client.ready();
    expect(await client.request(3, "session/close", { sessionId: "s1" })).toMatchObject({ result: {} });
    const reopened = client.request(4, method, at);
    expect(await client.request(5, "session/close", { sessionId: "s1" })).toMatchObject({ result: {} });
    await reopened;
    expect(await client.request(6, "session/close", { sessionId: "s1" })).toMatchObject({ error: { code: -32002 } });
    expect(session.followers).toBe(0);
  },
);

test.each(["loads", "is refused"])(
  "a client that loads a session again is shown nothing of before from then on: it %s",
  async (how) => {
    const session = await client.ready();
    await client.request(3, "session/resume", at);
    const opened = Promise.withResolvers<void>();
    client.troupe.open = async () => {
      await opened.promise;
      if (how === "is refused") throw Object.assign(new Error("no such session"), { code: "USER.SESSION.UNKNOWN" });
      return session;
    };
    const loading = client.request(4, "session/load", at);
    await expect.poll(() => session.followers).toBe(0);
    session.write(said("once", "ask@1.0"));
    opened.resolve();
    await expect.poll(() => session.followers).toBe(1);
    session.deliver();
    expect(await loading).toMatchObject(how === "loads" ? { result: {} } : { error: { code: -32002 } });
    await expect.poll(() => client.updates("agent_message_chunk")).toMatchObject([{ content: { text: "once" } }]);
  },
);

test("a load whose session is loaded again, or closed, before all was shown is refused", async () => {
  const session = await client.ready();
  session.write(said("before", "ask@1.0"));
  const first = client.request(3, "session/load", at);
  await expect.poll(() => session.followers).toBe(1);
  const second = client.request(4, "session/load", at);
  expect(await first).toMatchObject({ error: { code: -32600, data: { reason: "load_superseded" } } });
  await expect.poll(() => session.followers).toBe(1);
  expect(await client.request(5, "session/close", { sessionId: "s1" })).toMatchObject({ result: {} });
  expect(await second).toMatchObject({ error: { code: -32600, data: { reason: "load_superseded" } } });
});

test("a session that is loaded again while it is closed stays the client's", async () => {
  const session = await client.ready();
  const closing = Promise.withResolvers<void>();
  session.close = () => closing.promise;
  const closed = client.request(3, "session/close", { sessionId: "s1" });
  expect(await client.request(4, "session/resume", at)).toMatchObject({ result: {} });
  closing.resolve();
  expect(await closed).toMatchObject({ result: {} });
  expect(await client.request(5, "session/close", { sessionId: "s1" })).toMatchObject({ result: {} });
  expect(await client.prompt(6, "/demo")).toMatchObject({ error: { code: -32002 } });
});

test("a session that another process runs is closed here, and is not said to be stopped", async () => {
  const session = await client.ready();
  session.cancel = async () => {
    throw new TroupeError("USER.SESSION.BUSY_ELSEWHERE", "it runs elsewhere");
  };
  const refused = { error: { code: -32600, data: { code: "USER.SESSION.BUSY_ELSEWHERE" } } };
  expect(await client.request(3, "_troupe/session/stop", { sessionId: "s1" })).toMatchObject(refused);
  expect(await client.request(4, "session/close", { sessionId: "s1" })).toMatchObject({ result: {} });
});

test("a session is deleted after its prompt was answered, and a second time as well", async () => {
  const session = await client.ready();
  const answer = client.prompt(3, "/demo");
  await expect.poll(() => session.calls.at(-1)?.[0]).toBe("prompt");
  const deleted = client.request(4, "session/delete", { sessionId: "s1" });
  await expect.poll(() => session.calls.at(-1)).toEqual(["close"]);
  await tick();
  expect(client.troupe.deleted).toEqual([]);
  session.write(ended);
  session.deliver();
  expect(await deleted).toMatchObject({ result: {} });
  expect(await answer).toMatchObject({ result: { stopReason: "cancelled" } });
  expect(client.heard.findIndex(({ id }) => id === 3)).toBeLessThan(client.heard.findIndex(({ id }) => id === 4));
  expect(await client.prompt(5, "/demo")).toMatchObject({ error: { code: -32002 } });
  expect(await client.request(6, "session/delete", { sessionId: "s1" })).toMatchObject({ result: {} });
  expect(client.troupe.deleted).toEqual(["s1", "s1"]);
  expect(session.followers).toBe(0);
});
