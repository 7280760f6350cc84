/** A connection over standard input and output: its first words, its sessions, hostile lines, and its end. */
import { setImmediate as tick } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { MAX_LINE_BYTES } from "../../../transports/acp/framer.ts";
import { client, ended, running, words } from "./played.ts";
import { Client } from "./support.ts";

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
