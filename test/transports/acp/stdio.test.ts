import { setImmediate as tick } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Row, TextRow } from "../../../machines/exchange.ts";
import { MAX_LINE_BYTES } from "../../../transports/acp/framer.ts";
import { faultsOf } from "../../support/acp-schema.ts";
import { Client, type PlayedSession } from "./support.ts";

const words = (offset: number, text: string): TextRow => ({
  type: "message.assistant",
  run: "r",
  step: "ask",
  payload: { block: "ask@1.0", offset, text },
});
const ended = (stopReason: "end_turn" | "cancelled" = "end_turn", turn = "t"): Row => ({
  type: "turn.completed",
  payload: { turn, stopReason },
});
const asked = (permission = "p"): Row => ({
  type: "permission.requested",
  payload: {
    permission,
    title: "Trust?",
    kind: "execute",
    message: "Read it.",
    options: [{ id: "trust", name: "Trust", kind: "allow_always" }],
  },
});
const answered = (permission = "p"): Row => ({
  type: "permission.resolved",
  payload: { permission, outcome: "cancelled" },
});

let client: Client;
beforeEach(() => {
  client = new Client();
});
afterEach(async () => {
  await client.hangUp();
  expect(faultsOf(client.trace, ["agent"])).toEqual([]);
});
/** A prompt that runs: the facade has taken it. */
async function running(): Promise<{ session: PlayedSession; answer: Promise<{ [name: string]: unknown }> }> {
  const session = await client.ready();
  const { promise, resolve } = Promise.withResolvers<void>();
  session.onPrompt = async () => {
    resolve();
    return { turn: "t" };
  };
  const answer = client.prompt(1, "/demo");
  await promise;
  await tick();
  return { session, answer };
}

describe("initialize", () => {
  test("is answered before the SDK is asked, and the SDK answers the same", async () => {
    const params = { protocolVersion: 2, clientInfo: { name: "c", version: "1" } };
    const early = await client.request(1, "initialize", params);
    expect(client.heard).toHaveLength(1);
    expect(client.opened).toBe(0);
    // What is not the first message is answered by the SDK itself.
    const other = new Client();
    await other.request(1, "initialize", {});
    const late = await other.request(2, "initialize", params);
    expect(early["result"]).toEqual(late["result"]);
    await other.hangUp();
  });

  test("succeeds once", async () => {
    await client.request(1, "initialize", { protocolVersion: 1 });
    expect(await client.request(2, "initialize", { protocolVersion: 1 })).toMatchObject({
      error: { code: -32600, data: { reason: "already_initialized" } },
    });
  });

  test("that the SDK refuses is refused by the SDK", async () => {
    expect(await client.request(1, "initialize", { protocolVersion: "x" })).toMatchObject({ error: { code: -32602 } });
    expect(await client.request(2, "initialize", { protocolVersion: 1 })).toMatchObject({
      result: { protocolVersion: 1 },
    });
  });

  test("must come first", async () => {
    expect(await client.request(1, "session/new", { cwd: "/", mcpServers: [] })).toMatchObject({
      error: { code: -32600 },
    });
  });

  test("may be followed at once by what needs it", async () => {
    const opened = client.message(({ id }) => id === 2);
    client.send(
      { jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: 1 } },
      { jsonrpc: "2.0", id: 2, method: "session/new", params: { cwd: "/", mcpServers: [] } },
    );
    expect(await opened).toMatchObject({ result: { sessionId: "s1" } });
    expect(client.heard.map(({ id }) => id)).toEqual([1, 2]);
  });
});

describe("session/new", () => {
  test("announces the commands after the answer, with one listing for sessions opened together", async () => {
    client.troupe.workflows = [
      {
        id: "demo",
        name: "demo",
        description: "Shows",
        version: null,
        source: "troupe",
        file: null,
        inputs: [],
        fault: null,
      },
    ];
    await client.ready();
    await client.request(3, "session/new", { cwd: "/", mcpServers: [] });
    const { sessionId } = (await client.message((message) => "params" in message && client.updates().length === 2))[
      "params"
    ] as { sessionId: string };
    expect(sessionId).toBe("s2");
    expect(client.heard.map(({ id, method }) => id ?? method)).toEqual([
      "i",
      "n",
      3,
      "session/update",
      "session/update",
    ]);
    expect(client.updates()).toEqual(
      Array(2).fill({
        sessionUpdate: "available_commands_update",
        availableCommands: [
          { name: "demo", description: "Shows" },
          { name: "rerun", description: expect.any(String), input: { hint: expect.any(String) } },
        ],
      }),
    );
    expect(client.troupe.listed).toEqual(["/"]);
  });

  test.each([
    ["USER.SESSION.CWD", -32602, { code: "USER.SESSION.CWD" }],
    ["SYSTEM.STORE.UNUSABLE", -32603, { code: "SYSTEM.STORE.UNUSABLE", details: "why" }],
    ["NO.SUCH.CODE", -32603, { code: "SYSTEM.INTERNAL.UNMAPPED", details: "why" }],
  ])("gives the facade's %s as %i", async (code, rpc, data) => {
    await client.request("i", "initialize", { protocolVersion: 1 });
    client.troupe.fault = Object.assign(new Error("why"), { code });
    const { error } = await client.request(1, "session/new", { cwd: "/", mcpServers: [] });
    expect(error).toMatchObject({ code: rpc, data });
  });
});

describe("session/prompt", () => {
  test("is answered after the turn's last update, however late the follower is", async () => {
    const { session, answer } = await running();
    session.write(words(0, "hello"), ended());
    await tick();
    expect(client.updates()).toEqual([]);
    session.deliver();
    expect(await answer).toMatchObject({ result: { stopReason: "end_turn" } });
    expect(client.heard.slice(-2).map(({ id, method }) => id ?? method)).toEqual(["session/update", 1]);
    expect(session.followers).toBe(0);
  });

  test("whose turn ends before the facade has named it is answered all the same", async () => {
    const session = await client.ready();
    session.onPrompt = async () => {
      session.write(ended());
      session.deliver();
      await tick();
      return { turn: "t" };
    };
    expect(await client.prompt(1, "x")).toMatchObject({ result: { stopReason: "end_turn" } });
  });

  test("is not answered by the end of another turn", async () => {
    const { session, answer } = await running();
    session.write(ended("cancelled", "other"));
    session.deliver();
    session.write(ended());
    session.deliver();
    expect(await answer).toMatchObject({ result: { stopReason: "end_turn" } });
  });

  test("while one runs is refused, and the first continues", async () => {
    const { session, answer } = await running();
    expect(await client.prompt(2, "again")).toMatchObject({
      error: { code: -32600, data: { reason: "prompt_in_flight", sessionId: "s1" } },
    });
    session.write(ended());
    session.deliver();
    expect(await answer).toMatchObject({ result: { stopReason: "end_turn" } });
    expect(session.calls.filter(([call]) => call === "prompt")).toHaveLength(1);
  });

  test("sent twice in one write is taken once", async () => {
    const session = await client.ready();
    const second = client.message(({ id }) => id === 2);
    const prompt = { sessionId: "s1", prompt: [{ type: "text", text: "x" }] };
    client.send(
      { jsonrpc: "2.0", id: 1, method: "session/prompt", params: prompt },
      { jsonrpc: "2.0", id: 2, method: "session/prompt", params: prompt },
    );
    expect(await second).toMatchObject({ error: { code: -32600 } });
    expect(session.calls).toHaveLength(1);
    session.write(ended());
    session.deliver();
    await client.message(({ id }) => id === 1);
  });

  test("that the facade refuses is answered with its error, and the next one is taken", async () => {
    const session = await client.ready();
    session.onPrompt = () => Promise.reject(Object.assign(new Error("busy"), { code: "USER.SESSION.BUSY_ELSEWHERE" }));
    expect(await client.prompt(1, "x")).toMatchObject({ error: { code: -32600, message: "busy" } });
    expect(client.updates()).toMatchObject([{ sessionUpdate: "available_commands_update" }]);
    session.onPrompt = async () => ({ turn: "t" });
    const answer = client.prompt(2, "x");
    await tick();
    session.write(ended());
    session.deliver();
    expect(await answer).toMatchObject({ result: { stopReason: "end_turn" } });
  });

  test("whose log cannot be written is answered with -32603", async () => {
    const { session, answer } = await running();
    session.lost.reject(Object.assign(new Error("disk full"), { code: "SYSTEM.IO.WRITE_FAILED" }) as never);
    expect(await answer).toMatchObject({
      error: { code: -32603, data: { code: "SYSTEM.IO.WRITE_FAILED", details: "disk full" } },
    });
  });

  test("of a session that belongs to no one is -32002", async () => {
    await client.ready();
    expect(await client.prompt(1, "x", "s9")).toMatchObject({ error: { code: -32002, data: { sessionId: "s9" } } });
  });

  test("passes texts, links and images on", async () => {
    const { session } = await running().then(async (one) => {
      one.session.write(ended());
      one.session.deliver();
      await one.answer;
      return one;
    });
    const link = { type: "resource_link", uri: "file:///a", name: "a" };
    const answer = client.request(5, "session/prompt", {
      sessionId: "s1",
      prompt: [{ type: "text", text: "x" }, link, { type: "image", data: "aGk=", mimeType: "image/png" }],
    });
    await tick();
    session.write(ended());
    session.deliver();
    await answer;
    expect(session.calls.at(-1)).toEqual([
      "prompt",
      {
        blocks: [{ type: "text", text: "x" }, link, { type: "image", data: "aGk=", mimeType: "image/png" }],
        by: "1",
        consent: "ask",
      },
    ]);
  });

  test("is cancelled by session/cancel: the answer is the turn's own end", async () => {
    const { session, answer } = await running();
    session.onCancel = () => {
      session.write(ended("cancelled"));
      session.deliver();
    };
    client.notify("session/cancel", { sessionId: "s1" });
    expect(await answer).toMatchObject({ result: { stopReason: "cancelled" } });
  });

  test("is taken back by $/cancel_request: the answer says so, after the turn's end", async () => {
    const { session, answer } = await running();
    session.onCancel = () => {
      session.write(ended("cancelled"));
      session.deliver();
    };
    client.notify("$/cancel_request", { requestId: 1 });
    expect(await answer).toMatchObject({ error: { code: -32800 } });
  });
});

describe("a question", () => {
  const permission = (message: { [name: string]: unknown }): boolean =>
    message["method"] === "session/request_permission";

  test.each([
    ["an option", { outcome: { outcome: "selected", optionId: "trust" } }, "trust"],
    ["a cancel", { outcome: { outcome: "cancelled" } }, null],
  ])("is asked of the client, and %s is the decision", async (_, result, decision) => {
    const { session, answer } = await running();
    session.write(asked());
    session.deliver();
    const { id, params } = await client.message(permission);
    expect(params).toMatchObject({
      sessionId: "s1",
      options: [{ optionId: "trust", name: "Trust", kind: "allow_always" }],
    });
    client.send({ jsonrpc: "2.0", id, result });
    session.write(answered(), ended());
    session.onCancel = () => undefined;
    await expect.poll(() => session.calls.at(-1)).toEqual(["decide", "p", decision]);
    session.deliver();
    await answer;
  });

  test("that the client answers with an option of its own, or an error, has no one left to answer it", async () => {
    const { session, answer } = await running();
    session.write(asked());
    session.deliver();
    const first = await client.message(permission);
    client.send({
      jsonrpc: "2.0",
      id: first["id"],
      result: { outcome: { outcome: "selected", optionId: "none of them" } },
    });
    await expect.poll(() => session.calls.at(-1)).toEqual(["decide", "p", null]);
    session.write(answered(), asked("q"));
    session.deliver();
    const second = await client.message((message) => permission(message) && message["id"] !== first["id"]);
    client.send({ jsonrpc: "2.0", id: second["id"], error: { code: -32601, message: "Method not found" } });
    await expect.poll(() => session.calls.at(-1)).toEqual(["decide", "q", null]);
    session.write(answered("q"), ended());
    session.deliver();
    await answer;
  });

  test("that was answered meanwhile is withdrawn, after a grace for the client's own answer", async () => {
    const { session, answer } = await running();
    session.write(asked());
    session.deliver();
    const { id } = await client.message(permission);
    session.write(answered(), ended("cancelled"));
    session.deliver();
    await answer;
    const isWithdrawn = ({ method }: { [name: string]: unknown }) => method === "$/cancel_request";
    expect(client.heard.filter(isWithdrawn)).toEqual([]);
    expect(await client.message(isWithdrawn)).toMatchObject({ params: { requestId: id } });
    expect(session.calls.filter(([call]) => call === "decide")).toEqual([]);
  });

  test("that is answered in the same page of the log is not asked", async () => {
    const { session, answer } = await running();
    session.write(asked(), answered(), ended());
    session.deliver();
    await answer;
    await client.request(9, "session/list", {}); // what was put after the answer has come by now
    expect(client.heard.filter(permission)).toEqual([]);
  });
});

describe("session/load", () => {
  test("replays the log, then answers; the next prompt is not echoed and asks what is asked anew", async () => {
    const session = await client.ready();
    session.write(
      { type: "message.user", payload: { turn: "t0", blocks: [{ type: "text", text: "/demo" }] } },
      words(0, "hello"),
      ended("end_turn", "t0"),
      asked(),
    );
    const loading = client.request(4, "session/load", { sessionId: "s1", cwd: "/", mcpServers: [] });
    await expect.poll(() => session.followers).toBe(1);
    session.deliver();
    expect(await loading).toMatchObject({ result: {} });
    const before = client.heard.findIndex(({ id }) => id === 4);
    const shown = client.heard.slice(0, before).map(({ id, params }) => id ?? (params as { update: object }).update);
    expect(shown).toMatchObject([
      "i",
      "n",
      { sessionUpdate: "user_message_chunk" },
      { sessionUpdate: "agent_message_chunk" },
      { sessionUpdate: "tool_call" },
    ]);
    const answer = client.prompt(5, "go on");
    await expect.poll(() => session.calls.at(-1)?.[0]).toBe("prompt");
    await tick();
    expect(client.heard.filter(({ method }) => method === "session/request_permission")).toEqual([]);
    session.write({ type: "message.user", payload: { turn: "t", blocks: [{ type: "text", text: "go on" }] } }, asked());
    session.deliver();
    const { id } = await client.message(({ method }) => method === "session/request_permission");
    client.send({ jsonrpc: "2.0", id, result: { outcome: { outcome: "selected", optionId: "trust" } } });
    await expect.poll(() => session.calls.at(-1)).toEqual(["decide", "p", "trust"]);
    session.write(ended());
    session.deliver();
    await answer;
    expect(client.updates("user_message_chunk")).toHaveLength(1);
  });

  test("of a session that does not exist is -32002", async () => {
    await client.ready();
    expect(await client.request(4, "session/load", { sessionId: "nope", cwd: "/", mcpServers: [] })).toMatchObject({
      error: { code: -32002 },
    });
  });

  test("is refused while a prompt of the session runs", async () => {
    const { session, answer } = await running();
    expect(await client.request(4, "session/load", { sessionId: "s1", cwd: "/", mcpServers: [] })).toMatchObject({
      error: { code: -32600, data: { reason: "prompt_in_flight" } },
    });
    session.write(ended());
    session.deliver();
    await answer;
  });
});

test("session/close ends what runs and forgets the session", async () => {
  const session = await client.ready();
  expect(await client.request(4, "session/close", { sessionId: "s1" })).toMatchObject({ result: {} });
  expect(session.calls).toEqual([["close"], ["forget"], ["leave"]]);
  expect(await client.prompt(5, "x")).toMatchObject({ error: { code: -32002 } });
});

test("session/close in a prompt answers the prompt first, with its updates", async () => {
  const { session, answer } = await running();
  session.write(words(0, "hello"), ended("cancelled"));
  const closing = client.request(4, "session/close", { sessionId: "s1" });
  await expect.poll(() => session.calls).toContainEqual(["close"]);
  await tick();
  session.deliver();
  expect(await answer).toMatchObject({ result: { stopReason: "cancelled" } });
  await closing;
  expect(client.heard.slice(-3).map(({ id, method }) => id ?? method)).toEqual(["session/update", 1, 4]);
});

test("session/load takes an absolute cwd only", async () => {
  await client.ready();
  expect(await client.request(4, "session/load", { sessionId: "s1", cwd: "x", mcpServers: [] })).toMatchObject({
    error: { code: -32602, data: { code: "USER.SESSION.CWD", details: { field: "cwd", cwd: "x" } } },
  });
});

test("unknown methods, and those that are not offered, are -32601", async () => {
  await client.ready();
  expect(await client.request(4, "session/fork", { sessionId: "s1", cwd: "/", mcpServers: [] })).toMatchObject({
    error: { code: -32601 },
  });
  expect(await client.request(5, "authenticate", { methodId: "x" })).toMatchObject({ error: { code: -32601 } });
});

test("hostile lines are answered, and the connection stays", async () => {
  await client.ready();
  client.send("{nonsense", "[]", "42", `"${"x".repeat(MAX_LINE_BYTES)}"`);
  expect(await client.request(4, "session/new", { cwd: "/", mcpServers: [] })).toMatchObject({
    result: { sessionId: "s2" },
  });
  const refusals = client.heard.filter(({ id }) => id === null).map(({ error }) => (error as { code: number }).code);
  expect(refusals).toEqual([-32700, -32600, -32600, -32600]);
});

test("a client that does not read pauses the follower, and nothing is lost", async () => {
  const { session, answer } = await running();
  client.output.pause();
  const text = "x".repeat(64 * 1024);
  let said = 0;
  for (; session.paused === 0 && said < 100; said++) {
    session.deliver({ ...words(said * text.length, text), after: session.log.length });
    await tick();
  }
  expect(said).toBeLessThan(40);
  const more = "y".repeat(1000);
  session.write(words(0, text.repeat(said) + more), ended());
  session.deliver();
  client.output.resume();
  await expect.poll(() => session.paused).toBe(0);
  session.deliver();
  await answer;
  const joined = client.updates("agent_message_chunk").map(({ content }) => (content as { text: string }).text);
  expect(joined.join("") === text.repeat(said) + more).toBe(true);
});

test("20,000 chunks are 20,000 updates while the client reads", async () => {
  const { session, answer } = await running();
  for (let i = 0; i < 20_000; i++) {
    session.deliver({ ...words(i, "x"), after: session.log.length });
    if (i % 1000 === 999) await tick();
  }
  session.write(words(0, "x".repeat(20_000)), ended());
  session.deliver();
  await answer;
  expect(client.updates("agent_message_chunk")).toHaveLength(20_000);
});

describe("the end", () => {
  test("of the input closes the facade once and resolves", async () => {
    await running();
    await client.hangUp();
    expect(client.troupe.closed).toBe(1);
  });

  test("of the output does the same", async () => {
    await running();
    client.output.destroy();
    await client.ended;
    expect(client.troupe.closed).toBe(1);
  });

  test("before anything was said opens nothing", async () => {
    await client.hangUp();
    expect(client.opened).toBe(0);
  });
});
