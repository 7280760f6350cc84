/**
 * The profile `ski` over standard input and output: scenarios of the older specification, to the letter, each by its
 * number. What is told here of `acp` is the form that the same scenario has there.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Editor, type Message, updatesOf } from "../support/acp-editor.ts";
import { type House, openHouse } from "../support/house.ts";

let house: House;
beforeEach(() => {
  house = openHouse([
    "acceptance/told.yaml",
    "acceptance/hello.yaml",
    "acceptance/stubborn.yaml",
    "acceptance/journey.yaml",
  ]);
});
afterEach(() => house.leave());

async function enter(profile: "acp" | "ski", config: object = {}): Promise<Editor> {
  const file = join(house.root, "acp.json");
  writeFileSync(file, JSON.stringify(config));
  const args = ["acp", "--profile", profile, "--config", file];
  const editor = new Editor(house.troupe(args, { TROUPE_TRUST: "1" }));
  await editor.initialize();
  return editor;
}
const kinds = (editor: Editor, from = 0): unknown[] =>
  updatesOf(editor.trace)
    .filter(({ at }) => at >= from)
    .map(({ update }) => update["sessionUpdate"]);
const codeOf = ({ error }: { error?: { code: number } }): number | undefined => error?.code;
const toolCall = (editor: Editor) => editor.sees(({ message }) => JSON.stringify(message).includes('"tool_call"'));

test.each([
  ["ski", -32602, -32602],
  ["acp", -32600, -32002],
] as const)(
  "S7, S13a, S61 under %s: a second prompt, a cancel, a request taken back",
  async (profile, second, unknown) => {
    const editor = await enter(profile);
    const session = await editor.open(house.cwd);
    const first = editor.prompt(session, "/stubborn");
    await toolCall(editor);
    expect(await editor.prompt(session, "/hello")).toMatchObject({
      error: { code: second, data: { reason: "prompt_in_flight", sessionId: session } },
    });
    expect(codeOf(await editor.prompt("nobody", "/hello"))).toBe(unknown);
    const cancelled = editor.trace.length;
    editor.notify("session/cancel", { sessionId: session });
    expect(await first).toMatchObject({ result: { stopReason: "cancelled" } });
    // S13: nothing in `ski`; in `acp` the card is closed, and that before the answer (C9).
    const closing = kinds(editor, cancelled).filter((kind) => kind !== "available_commands_update");
    if (profile === "ski") expect(closing).toEqual([]);
    else expect(closing).toContain("tool_call_update");
    const answered = editor.trace.findIndex(({ message }) => JSON.stringify(message).includes('"cancelled"}'));
    expect(kinds(editor, answered + 1)).toEqual([]);
    const taken = editor.prompt(session, "/stubborn");
    editor.notify("$/cancel_request", { requestId: editor.trace.at(-1)?.message["id"] });
    expect(codeOf(await taken)).toBe(-32800);
  },
);

test("S23: another version is refused in ski, and answered with 1 in acp (C3)", async () => {
  for (const [profile, expected] of [
    ["ski", { error: { code: -32602 } }],
    ["acp", { result: { protocolVersion: 1 } }],
  ] as const) {
    const editor = new Editor(house.troupe(["acp", "--profile", profile]));
    expect(await editor.request("initialize", { protocolVersion: 2 })).toMatchObject(expected);
    await editor.leave();
  }
});

test("S42, S43: commands and plan, then tools, then the words; the end comes last", async () => {
  const editor = await enter("ski");
  const session = await editor.open(house.cwd);
  await editor.hears("available_commands_update");
  const from = editor.trace.length;
  expect(await editor.prompt(session, "/hello")).toMatchObject({ result: { stopReason: "end_turn" } });
  const seen = kinds(editor, from).filter((kind) => kind !== "session_info_update");
  const first = seen.filter((kind, index) => seen.indexOf(kind) === index);
  expect(first).toEqual(["available_commands_update", "plan", "tool_call", "tool_call_update", "agent_message_chunk"]);
  expect(seen.lastIndexOf("tool_call_update")).toBeLessThan(seen.indexOf("agent_message_chunk"));
});

test("S31, S32, S49, S52, S63, S64: modes, options, a model, a fork, an export, where it is from", async () => {
  const editor = await enter("ski", { fork: true });
  const { result } = await editor.request("session/new", { cwd: house.cwd, mcpServers: [] });
  const { sessionId, models } = result as { sessionId: string; models: Message };
  expect(models).toMatchObject({ currentModelId: ":default" });
  const set = { sessionId, configId: "thought_level", value: "low" };
  expect((await editor.request("session/set_config_option", set)).result).toHaveProperty("configOptions");
  await editor.hears("config_option_update");
  expect(codeOf(await editor.request("session/set_model", { sessionId, modelId: "no/model" }))).toBe(-32602);
  expect(await editor.request("session/set_model", { sessionId, modelId: "claude/opus" })).toMatchObject({
    result: {},
  });
  const fork = (await editor.request("session/fork", { sessionId, cwd: house.cwd })).result as typeof result;
  expect(fork).toMatchObject({ models: { currentModelId: "claude/opus" } });
  const { sessions } = (await editor.request("session/list", {})).result as { sessions: Message[] };
  expect(sessions).toContainEqual(expect.objectContaining({ parentSessionId: sessionId }));
  const exported = (await editor.request("session/export", { sessionId, format: "jsonl" })).result;
  expect((exported as { content: string }).content.split("\n")[0]).toContain(sessionId);
});

test("S67, S68, S75: the states of a prompt where they are on, in order; a stop", async () => {
  const quiet = await enter("ski");
  await quiet.prompt(await quiet.open(house.cwd), "/hello");
  expect(kinds(quiet)).not.toContain("execution_state_update");
  const editor = await enter("ski", { compat: { executionState: "update" } });
  const session = await editor.open(house.cwd);
  const states = () => updatesOf(editor.trace).flatMap(({ update }) => ("state" in update ? [update["state"]] : []));
  await editor.prompt(session, "/hello");
  expect(states()).toEqual(["queued", "running", "completed"]);
  const prompt = editor.prompt(session, "/stubborn");
  await toolCall(editor);
  expect(await editor.request("session/stop", { sessionId: session })).toMatchObject({ result: {} });
  expect(await prompt).toMatchObject({ result: { stopReason: "cancelled" } });
  expect(states().slice(3)).toEqual(["queued", "running", "cancelled"]);
});

test("S45: a text that is embedded is passed on; bytes are refused by name, and nothing is started", async () => {
  const editor = await enter("acp");
  const session = await editor.open(house.cwd);
  const text = { type: "text", text: "/told what=" };
  const resource = { uri: "file:///w/notes.md", text: "one\n```\ntwo" };
  await editor.request("session/prompt", { sessionId: session, prompt: [text, { type: "resource", resource }] });
  await editor.hears("prompt=[notes.md](file:///w/notes.md)\\n````\\none\\n```\\ntwo\\n````");
  for (const block of [
    { type: "image", data: "aGk=", mimeType: "image/png" },
    { type: "resource", resource: { uri: "file:///w/x", blob: "aGk=" } },
  ])
    expect(await editor.request("session/prompt", { sessionId: session, prompt: [text, block] })).toMatchObject({
      result: { stopReason: "refusal", _meta: { "troupe/error": { code: "USER.PROMPT.UNSUPPORTED_BLOCK" } } },
    });
});
