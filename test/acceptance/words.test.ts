/**
 * Explanations reach the reader, also in an editor that drops a refused prompt with everything after it.
 *
 * W1. Every explanation is words, `end_turn`, and a code in `_meta`; `refusal` only where it is switched on.
 * W2. `cancelled` answers a cancel by any client and nothing else, with words and the code of a cancelled run.
 * W3. No turn ends without words.
 * W4. An update of an agent in an unknown form is kept whole, and shown once, in its place.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Asked, Editor, saidIn, updatesOf } from "../support/acp-editor.ts";
import { faultsOf } from "../support/acp-schema.ts";
import { type House, openHouse, storedRows } from "../support/house.ts";
import { SocketClient, startServer } from "../support/server.ts";
import { Thread } from "../support/thread.ts";

const WORKFLOWS = ["hello", "say", "footprint", "cut-off", "abort-gate", "tools-abort", "talk", "asleep"];
const AGENT = fileURLToPath(new URL("../actors/agents/acp/programs/agent.mjs", import.meta.url));
let house: House;
let editors: Editor[];
beforeEach(() => {
  editors = [];
  house = openHouse(WORKFLOWS.map((name) => `acceptance/${name}.yaml`));
});
afterEach(async () => {
  await house.leave();
  expect(editors.flatMap(({ trace }) => faultsOf(trace))).toEqual([]);
});

async function enter(
  env: { [name: string]: string } = { TROUPE_TRUST: "1", TROUPE_TRUST_AGENTS: "sky" },
): Promise<Editor> {
  const editor = new Editor(house.troupe(["acp"], env));
  editors.push(editor);
  await editor.initialize();
  return editor;
}
const explained = (code: string): object => ({
  result: { stopReason: "end_turn", _meta: { "troupe/error": { code } } },
});
const text = (words: string): object[] => [{ type: "text", text: words }];
const pick = (kind: string) => (asked: Asked) => asked.options.find((option) => option.kind === kind)?.optionId ?? null;

test.each([
  ["an unknown command", text("/hullo"), "USER.FACADE.WORKFLOW_NOT_FOUND", 'There is no workflow "hullo"'],
  ["a missing input", text("/say"), "USER.INPUT.MISSING", "/say was not run"],
  ["an input too many", text("/say a=1 b=2 c=3"), "USER.INPUT.UNKNOWN", "/say was not run"],
  ["no default workflow", text("hello there"), "USER.PROMPT.NO_COMMAND", "Troupe runs workflows"],
  ["an empty prompt", [], "USER.INPUT.EMPTY", "The prompt is empty"],
  ["too much", text("x".repeat(1024 * 1024 + 1)), "USER.PROMPT.TOO_LARGE", "The prompt is longer than"],
  [
    "content that is not taken",
    [{ type: "image", mimeType: "image/png", data: "AAAA" }],
    "USER.PROMPT.UNSUPPORTED_BLOCK",
    "",
  ],
])("%s is explained, also in an editor that drops refused prompts (W1)", async (_, prompt, code, words) => {
  const editor = await enter();
  const thread = new Thread(editor, await editor.open(house.cwd));
  await thread.prompt("/hello");
  expect(await thread.send(prompt)).toMatchObject(explained(code));
  expect(thread.kept).toHaveLength(2);
  expect(thread.kept[1]).toContain(words);
  expect(thread.kept[1]).not.toBe("");
});

test.each([
  ["a no", pick("reject_once"), "This directory is not trusted"],
  ["a dismissed question", () => null, "the question had no answer"],
])("trust denied by %s is explained (W1, W2)", async (_, decide, words) => {
  const editor = await enter({});
  const thread = new Thread(editor, await editor.open(house.cwd));
  editor.decide = decide;
  expect(await thread.prompt("/footprint")).toMatchObject(explained("USER.TRUST.REFUSED"));
  expect(thread.kept).toEqual([expect.stringContaining(words)]);
});

test("a question that is answered with an error is explained (W2)", async () => {
  const editor = await enter({});
  const thread = new Thread(editor, await editor.open(house.cwd));
  editor.decide = () => undefined;
  const asked = editor.sees(({ message }) => message["method"] === "session/request_permission");
  const answer = thread.prompt("/footprint");
  const error = { code: -32603, message: "no dialog" };
  editor.send({ jsonrpc: "2.0", id: (await asked).message["id"], error });
  expect(await answer).toMatchObject(explained("USER.TRUST.REFUSED"));
  expect(thread.kept[0]).toContain("the question had no answer");
});

test("a command in a session whose run was interrupted is explained (W1)", async () => {
  const first = await enter();
  const session = await first.open(house.cwd);
  void first.prompt(session, "/cut-off");
  await first.hears("Look it up");
  first.agent.kill();
  await first.agent.ended;
  const second = await enter();
  await second.request("session/load", { sessionId: session, cwd: house.cwd, mcpServers: [] });
  const thread = new Thread(second, session);
  expect(await thread.prompt("/hello")).toMatchObject(explained("USER.RUN.INTERRUPTED"));
  expect(thread.kept[0]).toContain('A run of "cut-off" was interrupted in this session');
});

test("a session whose run was interrupted is loaded without a card that is at work, and ends with how to resume it", async () => {
  const first = await enter();
  const session = await first.open(house.cwd);
  void first.prompt(session, "/asleep");
  await first.hears("in_progress");
  first.agent.kill();
  await first.agent.ended;
  const second = await enter();
  await second.request("session/load", { sessionId: session, cwd: house.cwd, mcpServers: [] });
  const cards = updatesOf(second.trace).flatMap(({ update: { toolCallId, status } }) =>
    status === undefined ? [] : [[toolCallId, status] as const],
  );
  expect([...new Map(cards)].map(([, status]) => status)).toEqual(["failed"]);
  expect(saidIn(second.trace)).toMatch(/A command runs nothing until then\.$/);
});

test.each([
  ["abort-gate", 'Workflow "abort-gate" was stopped at "ship": the step was not approved'],
  ["tools-abort", 'Workflow "tools-abort" was stopped at "work": The user did not allow'],
])("a gate of %s that is denied ends the turn with words, and is no cancel (W2)", async (workflow, words) => {
  const editor = await enter();
  const thread = new Thread(editor, await editor.open(house.cwd));
  editor.decide = pick("reject_once");
  expect(await thread.prompt(`/${workflow}`)).toMatchObject(explained("EXECUTION.STEP.DENIED"));
  expect(thread.kept[0]).toContain(words);
});

const CANCELLED = {
  result: { stopReason: "cancelled", _meta: { "troupe/error": { code: "EXECUTION.RUN.CANCELLED" } } },
};

test("a cancel is `cancelled`, with words and its code (W2)", async () => {
  const editor = await enter();
  const session = await editor.open(house.cwd);
  const thread = new Thread(editor, session);
  const own = thread.prompt("/asleep");
  await editor.hears("asleep now");
  editor.notify("session/cancel", { sessionId: session });
  expect(await own).toMatchObject(CANCELLED);
  expect(thread.kept[0]).toContain('Workflow "asleep" was cancelled.');
});

test("so is a cancel from another connection (W2)", async () => {
  const server = await startServer(house, [], { TROUPE_TRUST: "1" });
  const [one, other] = [await SocketClient.ready(server.url), await SocketClient.ready(server.url)];
  const session = await one.session(house.cwd);
  const answer = one.prompt(session, "/asleep");
  await one.hears("asleep now");
  await other.request("session/load", { sessionId: session, cwd: house.cwd, mcpServers: [] });
  other.notify("session/cancel", { sessionId: session });
  expect(await answer).toMatchObject(CANCELLED);
  expect(saidIn(one.trace)).toContain('Workflow "asleep" was cancelled.');
});

test("a trust question that is cancelled with its prompt is `cancelled`, in either order (W2)", async () => {
  const editor = await enter({});
  const session = await editor.open(house.cwd);
  const thread = new Thread(editor, session);
  const cancel = () => editor.notify("session/cancel", { sessionId: session });
  editor.decide = () => {
    cancel();
    return null;
  };
  expect(await thread.prompt("/footprint")).toMatchObject(CANCELLED);
  editor.decide = () => {
    setImmediate(cancel);
    return null;
  };
  expect(await thread.prompt("/footprint")).toMatchObject(CANCELLED);
  expect(thread.kept).toHaveLength(2);
  for (const said of thread.kept) expect(said).toContain("The prompt was cancelled: no workflow was run");
});

test("an unknown update of an agent is kept in its place, and shown once (W4)", async () => {
  const folder = join(house.env["HOME"] ?? "", ".config", "troupe");
  mkdirSync(folder, { recursive: true });
  const agent = `{command: ${process.execPath}, args: [${AGENT}]}`;
  writeFileSync(join(folder, "config.yaml"), `agents: {acp: {sky: ${agent}}}\n`, { mode: 0o600 });
  const prompt = ["say one", "odd blue", "say two", "odd grey", "say three"].join("\\n");
  writeFileSync(
    join(house.cwd, ".troupe", "workflows", "sky.yaml"),
    `name: sky\nstates:\n  initial: look\n  look: {type: agent, provider: sky, prompt: "${prompt}", on_success: done}\n  done: {type: terminal}\n`,
  );
  const editor = await enter();
  const session = await editor.open(house.cwd);
  expect(await editor.prompt(session, "/sky")).toMatchObject({ result: { stopReason: "end_turn" } });
  const texts = updatesOf(editor.trace).flatMap(({ update }) =>
    /^agent_(message|thought)_chunk$/.test(String(update["sessionUpdate"]))
      ? [(update["content"] as { text: string }).text]
      : [],
  );
  const line = '[an update of the agent of an unknown kind or form: "weather_update"]';
  expect(texts.filter((text) => text === line)).toHaveLength(1);
  expect(texts.join("").replaceAll("\n", "")).toBe(`one${line}twothree`);
  const kept = storedRows(house.store, session).flatMap((row) =>
    row.type === "notice" && row.payload.kept !== undefined ? [row.payload.kept] : [],
  );
  expect(kept).toEqual(["blue", "grey"].map((sky) => ({ sessionUpdate: "weather_update", sky })));
});

test.each([
  ["the switch", { refusals: true }],
  ["the older profile", { profile: "ski" }],
])("with %s a refused prompt is refused (W1)", async (_, config) => {
  const folder = join(house.env["HOME"] ?? "", ".config", "troupe");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "acp.json"), JSON.stringify(config));
  const editor = await enter();
  const thread = new Thread(editor, await editor.open(house.cwd));
  expect(await thread.prompt("/hullo")).toMatchObject({
    result: { stopReason: "refusal", _meta: { "troupe/error": { code: "USER.FACADE.WORKFLOW_NOT_FOUND" } } },
  });
  expect(thread.kept).toEqual([]);
});
