/** Sessions: opened, listed, resumed, forked, deleted; their options; who may have them. */
import { expect } from "vitest";
import { scenario } from "../scenario.ts";
import type { Stage } from "../stage.ts";
import type { Answer, Message, Wire } from "../wire.ts";

const codeOf = ({ error }: Answer): number | undefined => error?.code;
const at = (stage: Stage, sessionId: string) => ({ sessionId, cwd: stage.cwd, mcpServers: [] });
const INITIALIZE = { protocolVersion: 1, clientCapabilities: {} };
const AUTH = { auth: { methods: [{ id: "key", name: "A key" }], required: true } };
type Listed = { sessions: Message[]; nextCursor?: string | null };
const pages = async (wire: Wire, cwd: string): Promise<Listed[]> => {
  const found: Listed[] = [];
  let cursor: string | null = null;
  do {
    const params: object = cursor === null ? { cwd } : { cwd, cursor };
    const page = (await wire.result("session/list", params)) as Listed;
    found.push(page);
    cursor = page.nextCursor ?? null;
  } while (cursor !== null);
  return found;
};

scenario("S23", async (stage) => {
  const wire = await stage.wire({ initialize: null });
  expect(codeOf(await wire.request("initialize", { protocolVersion: 2, clientCapabilities: {} }))).toBe(-32602);
  expect(await wire.request("initialize", INITIALIZE)).toMatchObject({ result: { protocolVersion: 1 } });
  wire.show("initialize", "=initialize", "initialize", "=initialize");
});

scenario("S24", async (stage) => {
  const wire = await stage.wire({ config: { without: ["session/load"] }, initialize: null });
  const { agentCapabilities } = await wire.result("initialize", INITIALIZE);
  expect(agentCapabilities).toMatchObject({ loadSession: false });
  expect(codeOf(await wire.request("session/load", at(stage, await wire.open(stage.cwd))))).toBe(-32601);
  wire.show("=initialize", "session/load", "=session/load");
});

scenario("S30", async (stage) => {
  const wire = await stage.wire({ config: AUTH, initialize: null, own: true });
  const { authMethods } = await wire.result("initialize", INITIALIZE);
  expect(authMethods).toEqual([{ id: "key", name: "A key" }]);
  expect(codeOf(await wire.request("authenticate", { methodId: "password" }))).toBe(-32602);
  expect(codeOf(await wire.request("session/new", { cwd: stage.cwd, mcpServers: [] }))).toBe(-32000);
  expect(await wire.request("authenticate", { methodId: "key" })).toMatchObject({ result: {} });
  await wire.open(stage.cwd);
  wire.show("=initialize", "authenticate", "=authenticate", "session/new", "=session/new", "authenticate");
  wire.show("=authenticate", "session/new");
});

scenario("S31", async (stage) => {
  const wire = await stage.wire();
  const sessionId = await wire.open(stage.cwd);
  expect(await wire.request("session/set_mode", { sessionId, modeId: "reviewer" })).toMatchObject({ result: {} });
  await wire.hears("current_mode_update");
  expect(wire.updates(sessionId)).toContainEqual({ sessionUpdate: "current_mode_update", currentModeId: "reviewer" });
  expect(codeOf(await wire.request("session/set_mode", { sessionId, modeId: "nobody" }))).toBe(-32602);
  wire.show("session/set_mode", "~current_mode_update", "session/set_mode", "=session/set_mode");
});

scenario("S32", async (stage) => {
  const wire = await stage.wire();
  const sessionId = await wire.open(stage.cwd);
  const set = { sessionId, configId: "thought_level", value: "low" };
  const { configOptions } = await wire.result("session/set_config_option", set);
  await wire.hears("config_option_update");
  const told = wire.updates(sessionId).find(({ sessionUpdate }) => sessionUpdate === "config_option_update");
  expect(told).toEqual({ sessionUpdate: "config_option_update", configOptions });
  expect(configOptions).toContainEqual(expect.objectContaining({ id: "thought_level", currentValue: "low" }));
  wire.show("session/set_config_option", "~config_option_update");
});

scenario("S38", async (stage) => {
  const wire = await stage.wire();
  const answer = await wire.result("session/new", { cwd: stage.cwd, mcpServers: [] });
  expect(answer).toMatchObject({
    sessionId: expect.any(String),
    modes: { currentModeId: expect.any(String) },
    configOptions: expect.arrayContaining([expect.objectContaining({ id: "mode" })]),
  });
  expect("models" in answer).toBe(stage.isSki);
  wire.show("session/new", "=session/new");
});

scenario("S39", async (stage) => {
  const wire = await stage.wire();
  const session = await wire.open(stage.cwd);
  await wire.prompt(session, "/hello");
  await wire.request("session/close", { sessionId: session });
  wire.mark();
  const replayed = wire.trace.length;
  const answer = await wire.result("session/load", at(stage, session));
  expect(answer).toMatchObject({ modes: {}, configOptions: expect.any(Array) });
  expect(wire.kinds(session, replayed)).toEqual(expect.arrayContaining(["user_message_chunk", "agent_message_chunk"]));
  wire.show("session/load", "~user_message_chunk", "~agent_message_chunk", "=session/load");
});

scenario("S49", async (stage) => {
  const wire = await stage.wire();
  const { sessionId, models } = await wire.result("session/new", { cwd: stage.cwd, mcpServers: [] });
  expect(models).toMatchObject({ currentModelId: ":default" });
  expect(await wire.request("session/set_model", { sessionId, modelId: "claude/opus" })).toMatchObject({ result: {} });
  const set = await wire.result("session/load", at(stage, String(sessionId)));
  expect(set["models"]).toMatchObject({ currentModelId: "claude/opus" });
  expect(codeOf(await wire.request("session/set_model", { sessionId, modelId: "no/model" }))).toBe(-32602);
  wire.show("session/set_model", "=session/set_model", "session/set_model", "=session/set_model");
});

scenario("S50", async (stage) => {
  const cwd = stage.elsewhere();
  const wire = await stage.wire();
  const session = await wire.open(cwd);
  await wire.prompt(session, "/hello");
  const { sessions } = (await wire.result("session/list", { cwd })) as Listed;
  expect(sessions).toMatchObject([{ sessionId: session, cwd, title: "/hello", updatedAt: expect.any(String) }]);
  wire.show("session/list", "=session/list");
});

scenario("S51", async (stage) => {
  const wire = await stage.wire();
  const session = await wire.open(stage.cwd);
  await wire.told(session);
  await wire.prompt(session, "/hello");
  await wire.request("session/close", { sessionId: session });
  wire.mark();
  const before = wire.trace.length;
  const answer = await wire.result("session/resume", at(stage, session));
  expect(answer).toMatchObject({ modes: {}, configOptions: expect.any(Array) });
  expect(wire.kinds(session, before)).toEqual([]);
  expect(await wire.prompt(session, "/hello")).toMatchObject({ result: { stopReason: "end_turn" } });
  expect(wire.kinds(session, before)).not.toContain("user_message_chunk");
  wire.show("session/resume", "=session/resume", "session/prompt", "=session/prompt");
});

scenario("S52", async (stage) => {
  const wire = await stage.wire({ config: { fork: true } });
  const sessionId = await wire.open(stage.cwd);
  await wire.result("session/set_mode", { sessionId, modeId: "reviewer" });
  await wire.result("session/set_config_option", { sessionId, configId: "model", value: "claude/opus" });
  const fork = await wire.result("session/fork", at(stage, sessionId));
  expect(fork["sessionId"]).not.toBe(sessionId);
  expect(fork).toMatchObject({
    modes: { currentModeId: "reviewer" },
    configOptions: expect.arrayContaining([expect.objectContaining({ id: "model", currentValue: "claude/opus" })]),
  });
  wire.show("session/set_mode", "session/set_config_option", "session/fork", "=session/fork");
});

scenario("S53", async (stage) => {
  const cwd = stage.elsewhere();
  const wire = await stage.wire();
  const opened = await Promise.all(Array.from({ length: 101 }, () => wire.open(cwd)));
  await Promise.all(opened.map((session) => wire.prompt(session, "/nothing-of-this-name")));
  wire.mark();
  const found = await pages(wire, cwd);
  expect(found.map(({ sessions }) => sessions.length)).toEqual([50, 50, 1]);
  const listed = found.flatMap(({ sessions }) => sessions.map(({ sessionId }) => sessionId));
  expect(listed.toSorted()).toEqual(opened.toSorted());
  wire.show("session/list", "=session/list", "session/list");
  wire.say(
    `pages of ${found.map(({ sessions }) => sessions.length).join(", ")} sessions; the last has nextCursor null`,
  );
  expect(found.at(-1)?.nextCursor ?? null).toBeNull();
});

scenario("S54", async (stage) => {
  const wire = await stage.wire();
  const answer = await wire.request("session/list", { cursor: "of-another-time" });
  expect([codeOf(answer), answer.error?.message]).toEqual([-32602, expect.stringContaining("cursor")]);
  wire.show("session/list", "=session/list");
});

scenario("S56", async (stage) => {
  const cwd = stage.elsewhere();
  const wire = await stage.wire();
  const sessionId = await wire.open(cwd);
  await wire.prompt(sessionId, "/hello");
  wire.mark();
  for (const _ of ["once", "twice"])
    expect(await wire.request("session/delete", { sessionId })).toMatchObject({ result: {} });
  expect(await wire.result("session/list", { cwd })).toMatchObject({ sessions: [] });
  wire.show("session/delete", "=session/delete", "session/delete", "=session/delete", "session/list", "=session/list");
});

scenario("S57", async (stage) => {
  const wire = await stage.wire({ config: { without: ["session/delete"] }, initialize: null });
  const { agentCapabilities } = await wire.result("initialize", INITIALIZE);
  expect(agentCapabilities).not.toHaveProperty("sessionCapabilities.delete");
  expect(codeOf(await wire.request("session/delete", { sessionId: await wire.open(stage.cwd) }))).toBe(-32601);
  wire.show("=initialize", "session/delete", "=session/delete");
});

scenario("S60", async (stage) => {
  const wire = await stage.wire({ config: AUTH, initialize: null, own: true });
  const { agentCapabilities } = await wire.result("initialize", INITIALIZE);
  expect(agentCapabilities).toMatchObject({ auth: { logout: {} } });
  if (stage.isSki) expect(agentCapabilities).toMatchObject({ authCapabilities: { logout: {} } });
  await wire.result("authenticate", { methodId: "key" });
  const session = await wire.open(stage.cwd);
  expect(await wire.request("logout", {})).toMatchObject({ result: {} });
  expect(codeOf(await wire.prompt(session, "/hello"))).toBe(-32000);
  await wire.result("authenticate", { methodId: "key" });
  // Earlier sessions no longer belong to this connection.
  expect(codeOf(await wire.prompt(session, "/hello"))).toBe(stage.isSki ? -32602 : -32002);
  wire.show("=initialize", "logout", "=logout", "session/prompt", "=session/prompt", "session/prompt");
  wire.show("=session/prompt");
});

scenario("S63", async (stage) => {
  const wire = await stage.wire();
  const sessionId = await wire.open(stage.cwd);
  await wire.prompt(sessionId, "/hello");
  const { content } = await wire.result("session/export", { sessionId, format: "jsonl" });
  const lines = String(content).trimEnd().split("\n");
  const [header, ...rows] = lines.map((line) => JSON.parse(line) as Message);
  expect(header).toMatchObject({ type: "session", id: sessionId, cwd: stage.cwd });
  expect(rows.map(({ type }) => type)).toEqual(expect.arrayContaining(["message.user", "turn.completed"]));
  wire.show("session/export", "=session/export");
  wire.say(`(the types of the lines: ${[header, ...rows].map((row) => row?.["type"]).join(", ")})`);
});

scenario("S64", async (stage) => {
  const cwd = stage.elsewhere();
  const wire = await stage.wire({ config: { fork: true } });
  const sessionId = await wire.open(cwd);
  await wire.prompt(sessionId, "/hello");
  const fork = await wire.result("session/fork", { sessionId, cwd, mcpServers: [] });
  const { sessions } = (await wire.result("session/list", { cwd })) as Listed;
  const listed = sessions.find((one) => one["sessionId"] === fork["sessionId"]);
  expect(listed).toMatchObject({ parentSessionId: sessionId, _meta: { "troupe/parentSessionId": sessionId } });
  wire.show("session/fork", "=session/list");
});
