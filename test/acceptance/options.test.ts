/**
 * Choices for a session over ACP: real processes, real files.
 *
 * P1. Modes are roles. The mode and the config option "mode" are one choice, and every change is sent in full.
 * P2. A choice lasts: it holds in another process, and in the next run.
 * P3. What is not offered is refused with -32602, and nothing changes.
 * P4. Secrets that a client brings with its MCP servers are nowhere in the store.
 * P5. A fork begins with the choices of its origin, and names it.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { type Message, saidIn, updatesOf } from "../support/acp-editor.ts";
import { storedRows } from "../support/house.ts";
import { configure, enter, furnishEntering, house } from "./entering.ts";

furnishEntering();

const role = (name: string, text: string) => {
  const file = join(house.cwd, ".troupe", "roles", name, "AGENTS.md");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
};

const at = (sessionId: string, more: object = {}) => ({ sessionId, cwd: house.cwd, mcpServers: [], ...more });
type Option = { id: string; category: string; currentValue: string; options: { value: string }[] };
const optionsIn = (result: unknown): Option[] => (result as { configOptions: Option[] }).configOptions;
const current = (result: unknown): { [id: string]: string } =>
  Object.fromEntries(optionsIn(result).map(({ id, currentValue }) => [id, currentValue]));

test("a mode is a role, in sync with its option, in every process and in the next run (P1, P2)", async () => {
  role("pirate", "Talk like a pirate.");
  const first = await enter();
  const { result } = await first.request("session/new", { cwd: house.cwd, mcpServers: [] });
  const { sessionId, modes } = result as { sessionId: string; modes: Message };
  expect(modes).toMatchObject({ currentModeId: ":default", availableModes: [{ id: ":default" }, { id: "pirate" }] });
  expect(optionsIn(result).map(({ id, category }) => [id, category])).toEqual([
    ["mode", "mode"],
    ["model", "model"],
    ["thought_level", "thought_level"],
    ["permissions", "_troupe_permissions"],
    ["workflow", "_troupe_workflow"],
  ]);
  expect((await first.request("session/set_mode", { sessionId, modeId: "pirate" })).result).toEqual({});
  await first.sees(({ message }) => JSON.stringify(message).includes("config_option_update"));
  const told = updatesOf(first.trace).map(({ update }) => update);
  expect(told).toContainEqual({ sessionUpdate: "current_mode_update", currentModeId: "pirate" });
  expect(current(told.find(({ sessionUpdate }) => sessionUpdate === "config_option_update"))["mode"]).toBe("pirate");

  const set = (configId: string, value: string) =>
    first.request("session/set_config_option", { sessionId, configId, value });
  await set("thought_level", "high");
  const answer = await set("workflow", "told");
  expect(current(answer.result)).toEqual({
    mode: "pirate",
    model: ":default",
    thought_level: "high",
    permissions: ":default",
    workflow: "told",
  });
  expect(await first.prompt(sessionId, "just words")).toMatchObject({ result: { stopReason: "end_turn" } });
  expect(saidIn(first.trace)).toContain("prompt=just words system=Talk like a pirate. effort=high model=");
  first.agent.kill();
  await first.agent.ended;

  const second = await enter();
  const loaded = await second.request("session/load", at(sessionId));
  expect(loaded.result).toMatchObject({ modes: { currentModeId: "pirate" } });
  expect(current(loaded.result)).toEqual(current(answer.result));
  await second.prompt(sessionId, "again");
  expect(saidIn(second.trace)).toContain("prompt=again system=Talk like a pirate. effort=high model=");
});

test("models that the user has configured are offered, and reach the steps of their provider (P2)", async () => {
  const file = join(house.root, "home", ".config", "troupe", "config.yaml");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, "models: {understudy: [deep], codex: [gpt-5.5]}");
  const editor = await enter();
  const { result } = await editor.request("session/new", { cwd: house.cwd, mcpServers: [] });
  const { sessionId } = result as { sessionId: string };
  const offered =
    optionsIn(result)
      .find(({ id }) => id === "model")
      ?.options.map(({ value }) => value) ?? [];
  expect(offered).toEqual(expect.arrayContaining([":default", "claude/opus", "understudy/deep", "codex/gpt-5.5"]));
  const choice = { sessionId, configId: "model", value: "understudy/deep" };
  expect(await editor.request("session/set_config_option", choice)).toHaveProperty("result");
  await editor.prompt(sessionId, "/told what=words");
  expect(saidIn(editor.trace)).toContain("model=deep");
});

test("what is not offered is refused, session/set_model sets the model; without roles there is no mode (P3)", async () => {
  const editor = await enter();
  const { result } = await editor.request("session/new", { cwd: house.cwd, mcpServers: [] });
  const { sessionId } = result as { sessionId: string };
  expect(result).not.toHaveProperty("modes");
  expect(optionsIn(result).map(({ id }) => id)).toEqual(["model", "thought_level", "permissions", "workflow"]);
  for (const [method, params] of [
    ["session/set_mode", { modeId: "pirate" }],
    ["session/set_config_option", { configId: "mode", value: ":default" }],
    ["session/set_config_option", { configId: "model", value: "claude/opsu" }],
    ["session/set_config_option", { configId: "model", type: "boolean", value: true }],
  ] as const)
    expect(await editor.request(method, { sessionId, ...params })).toMatchObject({ error: { code: -32602 } });
  expect(await editor.request("session/set_model", { sessionId, modelId: "claude/opus" })).toMatchObject({
    result: {},
  });
  const { result: after } = await editor.request("session/resume", at(sessionId));
  expect(current(after)["model"]).toBe("claude/opus");
  expect(storedRows(house.store, sessionId).map(({ type, payload }) => [type, payload])).toEqual([
    ["session.opened", expect.anything()],
    ["session.updated", { options: { model: "claude/opus" } }],
  ]);
});

test("no secret of an MCP server is written (P4), and servers and directories are counted", async () => {
  const editor = await enter();
  const secret = (name: string): string => `${name}-1f6f2c77aa0e`;
  const servers = [
    {
      type: "http",
      name: "wiki",
      url: "https://wiki.example/mcp",
      headers: [{ name: "X-Any", value: secret("header") }],
    },
    {
      type: "sse",
      name: "feed",
      url: "https://feed.example/sse",
      headers: [{ name: "Authorization", value: `Bearer ${secret("bearer")}` }],
    },
    { name: "files", command: "/bin/files", args: [], env: [{ name: "FILES_TOKEN", value: secret("variable") }] },
  ];
  const opened = await editor.request("session/new", {
    cwd: house.cwd,
    mcpServers: servers,
    additionalDirectories: ["/tmp"],
  });
  expect(opened.result).toHaveProperty("sessionId");
  await editor.prompt((opened.result as { sessionId: string }).sessionId, "/told what=header-1f6f2c77aa0e");
  expect(saidIn(editor.trace)).toContain("prompt=***");
  await editor.leave();
  const state = dirname(house.store);
  for (const { name: file } of readdirSync(state, { withFileTypes: true }).filter((one) => one.isFile()))
    for (const name of ["header", "bearer", "variable"])
      expect(readFileSync(join(state, file)).includes(secret(name)), `${name} in ${file}`).toBe(false);

  const other = await enter();
  const many = Array.from({ length: 65 }, (_, n) => ({ name: `s${n}`, command: "/bin/x", args: [], env: [] }));
  for (const wrong of [{ mcpServers: many }, { mcpServers: [many[0], many[0]] }, { additionalDirectories: ["x"] }])
    expect(await other.request("session/new", { cwd: house.cwd, mcpServers: [], ...wrong })).toMatchObject({
      error: { code: -32602, data: { code: "USER.SESSION.SETUP" } },
    });
});

test("a fork has the choices of its origin, and is offered only where it is configured (P5)", async () => {
  const plain = await enter();
  const session = await plain.open(house.cwd);
  expect(await plain.request("session/fork", at(session))).toMatchObject({ error: { code: -32601 } });
  await plain.request("session/set_config_option", { sessionId: session, configId: "model", value: "claude/haiku" });
  await plain.prompt(session, "/hello");
  await plain.leave();

  configure({ fork: true });
  const editor = await enter();
  const { result } = await editor.request("session/fork", at(session));
  expect(current(result)["model"]).toBe("claude/haiku");
  const { sessionId } = result as { sessionId: string };
  expect(sessionId).not.toBe(session);
  const { sessions } = (await editor.request("session/list", {})).result as { sessions: Message[] };
  expect(sessions).toContainEqual(
    expect.objectContaining({
      sessionId,
      title: "/hello (2)",
      _meta: { "troupe/state": "idle", "troupe/parentSessionId": session },
    }),
  );
  expect(await editor.request("session/fork", at("nobody"))).toMatchObject({ error: { code: -32002 } });
});
