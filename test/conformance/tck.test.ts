/** The demands of the official conformance kit on a v1 agent: one test for each, over real pipes. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { Editor, type Message, updatesOf } from "../support/acp-editor.ts";
import { faultOf, faultsOf } from "../support/acp-schema.ts";
import { type House, openHouse } from "../support/house.ts";

let house: House;
let editor: Editor;
beforeEach(() => {
  house = openHouse(["acceptance/hello.yaml", "acceptance/stubborn.yaml", "acceptance/gate.yaml"]);
  editor = new Editor(house.troupe(["acp"], { TROUPE_TRUST: "1" }));
});
afterEach(() => house.leave());
const link = { type: "resource_link", uri: "file:///w/a.md", name: "a.md" };
const ready = async (): Promise<string> => {
  await editor.initialize();
  return await editor.open(house.cwd);
};

test.each([1, 0, 2, 65_535])("initialize for version %i succeeds with our version", async (protocolVersion) => {
  const { result } = await editor.request("initialize", { protocolVersion, clientCapabilities: {} });
  expect(result).toMatchObject({ protocolVersion: 1, authMethods: [] });
  expect(faultOf("InitializeResponse", result)).toBeNull();
});

test("sessions: their ids are not empty and differ, and every advertised method answers", async () => {
  const first = await ready();
  const second = await editor.open(house.cwd);
  expect(first).not.toBe("");
  expect(second).not.toBe(first);
  const at = { sessionId: first, cwd: house.cwd, mcpServers: [], additionalDirectories: [house.cwd] };
  for (const [method, params] of [
    ["session/list", {}],
    ["session/load", at],
    ["session/resume", at],
    ["session/close", { sessionId: first }],
    ["session/delete", { sessionId: second }],
    ["session/delete", { sessionId: second }],
  ] as const)
    expect(await editor.request(method, params)).not.toHaveProperty("error");
  expect(faultsOf(editor.trace)).toEqual([]);
});

test("a prompt: all updates belong to its session and come before its answer; a text with a link is taken", async () => {
  const sessionId = await ready();
  const prompt = [{ type: "text", text: "/hello" }];
  const { result } = await editor.request("session/prompt", { sessionId, prompt });
  expect(result).toMatchObject({ stopReason: "end_turn" });
  const updates = updatesOf(editor.trace);
  expect(new Set(updates.map(({ session }) => session))).toEqual(new Set([sessionId]));
  const linked = await editor.request("session/prompt", { sessionId, prompt: [...prompt, link] });
  expect(linked).toHaveProperty("result.stopReason");
  expect(faultsOf(editor.trace)).toEqual([]);
});

test("a cancel ends the prompt as cancelled; when nothing runs it does no harm; the next prompt works", async () => {
  const sessionId = await ready();
  editor.notify("session/cancel", { sessionId });
  const answer = editor.prompt(sessionId, "/stubborn");
  await editor.sees(({ message }) => JSON.stringify(message).includes('"tool_call"'));
  editor.notify("session/cancel", { sessionId });
  expect(await answer).toMatchObject({ result: { stopReason: "cancelled" } });
  expect(await editor.prompt(sessionId, "/hello")).toMatchObject({ result: { stopReason: "end_turn" } });
});

test("config options: a value that was set is listed, and every answer is complete", async () => {
  await editor.initialize();
  const { result } = await editor.request("session/new", { cwd: house.cwd, mcpServers: [] });
  const { sessionId, configOptions } = result as { sessionId: string; configOptions: (Message & { id: string })[] };
  for (const { id, options } of configOptions) {
    const value = (options as { value: string }[]).at(-1)?.value;
    const answer = await editor.request("session/set_config_option", { sessionId, configId: id, value });
    const listed = (answer.result as { configOptions: Message[] }).configOptions;
    expect(listed.map((option) => option["id"])).toEqual(configOptions.map((option) => option.id));
    expect(listed.find((option) => option["id"] === id)?.["currentValue"]).toBe(value);
  }
});

test("content that is not advertised is refused, with an explanation", async () => {
  const sessionId = await ready();
  for (const block of [
    { type: "image", data: "aGk=", mimeType: "image/png" },
    { type: "audio", data: "aGk=", mimeType: "audio/wav" },
  ])
    expect(await editor.request("session/prompt", { sessionId, prompt: [block] })).toMatchObject({
      result: { stopReason: "end_turn", _meta: { "troupe/error": { code: expect.stringMatching(/^USER\.PROMPT\./) } } },
    });
});

test("authenticate: without configured methods there is none", async () => {
  await editor.initialize();
  expect(await editor.request("authenticate", { methodId: "x" })).toMatchObject({ error: { code: -32601 } });
  expect(await editor.request("logout", {})).toMatchObject({ error: { code: -32601 } });
});

test("nothing is called that the client did not advertise", async () => {
  const sessionId = await ready();
  editor.decide = ({ options }) => options[0]?.optionId ?? null;
  await editor.prompt(sessionId, "/gate");
  const called = editor.trace.flatMap(({ from, message }) =>
    from === "agent" && "method" in message && "id" in message ? [message["method"]] : [],
  );
  expect(new Set(called)).toEqual(new Set(["session/request_permission"]));
});

test("extensions: an unknown request that begins with _ gets its answer; `_meta` passes", async () => {
  await editor.initialize();
  expect(await editor.request("_x/y", {})).toMatchObject({ error: { code: -32601 } });
  expect(await editor.request("session/list", { _meta: { "x/y": 1 } })).toHaveProperty("result.sessions");
});

test("transport: an unknown method is -32601, a broken line does not stop the agent, the end of the input does", async () => {
  await editor.initialize();
  expect(await editor.request("no/such", {})).toMatchObject({ error: { code: -32601, message: expect.any(String) } });
  editor.agent.child.stdin.write("{broken\n");
  expect((await editor.sees(({ message }) => message["id"] === null)).message).toMatchObject({
    error: { code: -32700 },
  });
  expect(await editor.request("session/list", {})).toHaveProperty("result");
  expect(await editor.leave()).toEqual({ code: 0, signal: null });
});
