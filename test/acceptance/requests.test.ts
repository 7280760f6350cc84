/** Requests of a client beside its prompts, over ACP: real processes, real files. */
import { expect, test } from "vitest";
import type { Message } from "../support/acp-editor.ts";
import { storedRows } from "../support/house.ts";
import { configure, enter, furnishEntering, house } from "./entering.ts";

furnishEntering();

test("a folder that is no absolute path is reported in one form by every method that takes one", async () => {
  configure({ fork: true });
  const editor = await enter();
  const sessionId = await editor.open(house.cwd);
  for (const method of ["new", "load", "resume", "fork", "list"])
    expect(await editor.request(`session/${method}`, { sessionId, cwd: "x", mcpServers: [] })).toMatchObject({
      error: {
        code: -32602,
        message: 'cwd must be an absolute path, not "x"',
        data: { code: "USER.SESSION.CWD", details: { field: "cwd", cwd: "x" } },
      },
    });
});

test("a request that is taken back is answered with -32800, a prompt whose session is stopped with cancelled", async () => {
  const editor = await enter();
  const session = await editor.open(house.cwd);
  const taken = editor.prompt(session, "/stubborn");
  const requestId = editor.trace.at(-1)?.message["id"];
  await editor.sees(({ message }) => JSON.stringify(message).includes('"tool_call"'));
  editor.notify("$/cancel_request", { requestId });
  expect(await taken).toMatchObject({ error: { code: -32800 } });
  const stopped = editor.prompt(session, "/stubborn");
  const before = editor.trace.length;
  await editor.sees(
    (sent) => JSON.stringify(sent.message).includes('"tool_call"') && editor.trace.indexOf(sent) >= before,
  );
  const stop = editor.request("_troupe/session/stop", { sessionId: session });
  expect(await stopped).toMatchObject({ result: { stopReason: "cancelled" } });
  expect(await stop).toMatchObject({ result: {} });
});

test("a session is exported as its masked log, a page at a time; unknown methods get their answer", async () => {
  const editor = await enter();
  const session = await editor.open(house.cwd);
  await editor.prompt(session, "/hello");
  const { result } = await editor.request("_troupe/session/export", { sessionId: session });
  const { content, next } = result as { content: string; next: number | null };
  expect(next).toBeNull();
  const [header, ...rows] = content
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Message);
  expect(header).toEqual({ type: "session", id: session, cwd: house.cwd, format: 1 });
  expect(rows).toEqual(storedRows(house.store, session));
  const after = await editor.request("_troupe/session/export", { sessionId: session, after: rows.length - 1 });
  expect((after.result as { content: string }).content.trim().split("\n")).toHaveLength(1);
  for (const [method, params, code] of [
    ["_troupe/session/export", { sessionId: session, format: "html" }, -32602],
    ["_troupe/session/export", { sessionId: "../x" }, -32002],
    ["_troupe/session/export", {}, -32602],
    ["_troupe/nothing", {}, -32601],
    ["session/export", { sessionId: session }, -32601],
  ] as const)
    expect(await editor.request(method, params)).toMatchObject({ error: { code } });
});

test("a client that has to authenticate learns how; logout gives up its sessions", async () => {
  configure({
    auth: {
      required: true,
      methods: [
        { id: "key", name: "The key", variable: "THE_KEY" },
        { id: "free", name: "No key" },
      ],
    },
  });
  const editor = await enter();
  const { authMethods } = (await editor.request("session/list", {})) as Message;
  expect(authMethods).toBeUndefined();
  expect(editor.trace[1]?.message["result"]).toMatchObject({
    authMethods: [
      { id: "key", name: "The key" },
      { id: "free", name: "No key" },
    ],
    agentCapabilities: { auth: { logout: {} } },
  });
  const open = () => editor.request("session/new", { cwd: house.cwd, mcpServers: [] });
  expect(await open()).toMatchObject({ error: { code: -32000 } });
  expect(await editor.request("authenticate", { methodId: "nokey" })).toMatchObject({ error: { code: -32602 } });
  expect(await editor.request("authenticate", { methodId: "key" })).toMatchObject({
    error: { code: -32000, message: expect.stringContaining("THE_KEY") },
  });
  expect(await editor.request("authenticate", { methodId: "free" })).toMatchObject({ result: {} });
  const { result } = await open();
  expect(await editor.request("logout", {})).toMatchObject({ result: {} });
  expect(await editor.prompt((result as { sessionId: string }).sessionId, "/hello")).toMatchObject({
    error: { code: -32000 },
  });
});

test("a configuration that cannot be understood ends the start with one line", async () => {
  configure({ profile: "ski", compat: { updateOrder: "sideways" } });
  const agent = house.troupe(["acp"]);
  const lines: string[] = [];
  agent.onLine = (line) => lines.push(line);
  expect(await agent.ended).toEqual({ code: 1, signal: null });
  expect(lines).toEqual([]);
  expect(agent.stderr).toMatch(/^troupe: USER\.ACP\.CONFIG: .*acp\.json: "compat\.updateOrder" must be one of .*\n$/);
});
