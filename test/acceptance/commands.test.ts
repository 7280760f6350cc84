/**
 * What an editor hears of commands, and of how to leave a session that waits or was cut off.
 *
 * C1. New, changed and removed workflow files are announced without a prompt. Nothing is announced for a closed
 *     session.
 * C2. `session/cancel` while parked shows the end and closes the plan, also where it comes just as the turn parks.
 * C3. After a crash, a load ends with how to continue.
 * C4. The command of an existing workflow is no answer: that is explained, and the run keeps waiting.
 * C5. Commands come once, and before the answer of a prompt that is sent at once.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Answer, Editor, type Message, saidIn, updatesOf } from "../support/acp-editor.ts";
import { faultsOf, type Sent } from "../support/acp-schema.ts";
import { type House, openHouse, storedRows } from "../support/house.ts";
import { Thread } from "../support/thread.ts";

let house: House;
let editors: Editor[];
beforeEach(() => {
  editors = [];
  house = openHouse(["hello", "talk", "cut-off"].map((name) => `acceptance/${name}.yaml`));
});
afterEach(async () => {
  await house.leave();
  expect(editors.flatMap(({ trace }) => faultsOf(trace))).toEqual([]);
});

async function enter(): Promise<Editor> {
  const editor = new Editor(house.troupe(["acp"], { TROUPE_TRUST: "1" }));
  editors.push(editor);
  await editor.initialize();
  return editor;
}
type Command = { name: string; description: string };
/** Resolves with the commands of the first matching announcement at or after `from`. */
async function announced(editor: Editor, session: string, from: number, fits: (names: string) => boolean) {
  const commandsIn = (message: Message): Command[] | null => {
    const { sessionId, update } = (message["params"] ?? {}) as { sessionId?: string; update?: Message };
    if (sessionId !== session || update?.["sessionUpdate"] !== "available_commands_update") return null;
    return update["availableCommands"] as Command[];
  };
  const words = (commands: Command[]): string =>
    commands.map(({ name, description }) => `${name}: ${description}`).join("; ");
  const { message } = await editor.sees(({ message }) => {
    const commands = commandsIn(message);
    return commands !== null && fits(words(commands));
  }, from);
  return words(commandsIn(message) ?? []);
}
const workflow = (name: string, description: string): string =>
  `name: ${name}\ndescription: ${description}\nstates:\n  initial: done\n  done: {type: terminal}\n`;

test("new, changed and removed workflow files are announced, to sessions that are open (C1)", async () => {
  const editor = await enter();
  const [open, closed] = [await editor.open(house.cwd), await editor.open(house.cwd)];
  for (const session of [open, closed]) await announced(editor, session, 0, (all) => all.includes("hello"));
  await editor.request("session/close", { sessionId: closed });
  const from = editor.trace.length;
  const file = join(house.cwd, ".troupe", "workflows", "fresh.yaml");
  writeFileSync(file, workflow("fresh", "first"));
  await announced(editor, open, from, (all) => all.includes("fresh: first"));
  writeFileSync(file, workflow("fresh", "second"));
  await announced(editor, open, from, (all) => all.includes("fresh: second"));
  rmSync(file);
  await announced(editor, open, editor.trace.length - 1, (all) => !all.includes("fresh"));
  mkdirSync(join(house.cwd, ".awf", "workflows"), { recursive: true });
  writeFileSync(join(house.cwd, ".awf", "workflows", "later.yaml"), workflow("later", "third"));
  await announced(editor, open, from, (all) => all.includes("later: third"));
  expect(updatesOf(editor.trace.slice(from)).filter(({ session }) => session === closed)).toEqual([]);
});

test("no commands are announced to a session that is closed at once (C1)", async () => {
  const editor = await enter();
  const [closed, open] = [await editor.open(house.cwd), await editor.open(house.cwd)];
  await editor.request("session/close", { sessionId: closed });
  const from = editor.trace.length; // on a busy machine they came before it was closed
  await announced(editor, open, 0, (all) => all.includes("hello"));
  expect(updatesOf(editor.trace.slice(from)).filter(({ session }) => session === closed)).toEqual([]);
});

test("a prompt at once is answered when the commands have come, once (C5)", async () => {
  const editor = await enter();
  const sessions = await Promise.all([editor.open(house.cwd), editor.open(house.cwd)]);
  const prompted = await Promise.all(sessions.map((session) => editor.prompt(session, "/hello")));
  const upTo = (until: Answer): Sent[] =>
    editor.trace.slice(
      0,
      editor.trace.findIndex(({ message }) => message === until),
    );
  const heardBy = (session: string, trace: readonly Sent[]): number =>
    updatesOf(trace)
      .filter((one) => one.session === session)
      .filter(({ update }) => update["sessionUpdate"] === "available_commands_update").length;
  expect(sessions.map((session, n) => heardBy(session, upTo(prompted[n]!)))).toEqual([1, 1]);
  // One that is opened later hears what there is to say once the first ones would have heard it again.
  await announced(editor, await editor.open(house.cwd), 0, (all) => all.includes("hello"));
  expect(sessions.map((session) => heardBy(session, editor.trace))).toEqual([1, 1]);
});

/** The last plan that was shown. */
const plan = (editor: Editor): unknown =>
  updatesOf(editor.trace)
    .map(({ update }) => update)
    .findLast((update) => update["sessionUpdate"] === "plan")?.["entries"];

test("a cancel while parked, or as the turn parks, shows the end and closes the plan (C2)", async () => {
  const editor = await enter();
  const parked = await editor.open(house.cwd);
  await editor.prompt(parked, "/talk");
  expect(plan(editor)).toMatchObject([{ content: "chat", status: "in_progress" }]);
  editor.notify("session/cancel", { sessionId: parked });
  await editor.hears('Workflow \\"talk\\" was cancelled.');
  expect(plan(editor)).toMatchObject([{ content: "chat (cancelled)", status: "completed" }]);

  const parking = await editor.open(house.cwd);
  const from = editor.trace.length;
  const answer = editor.prompt(parking, "/talk");
  await editor.sees(({ message }) => JSON.stringify(message).includes("Who are you?"), from);
  editor.notify("session/cancel", { sessionId: parking });
  expect((await answer).result).toMatchObject({ stopReason: expect.stringMatching(/^(end_turn|cancelled)$/) });
  await editor.sees(({ message }) => JSON.stringify(message).includes("was cancelled."), from);
  expect(plan(editor)).toMatchObject([{ content: "chat (cancelled)", status: "completed" }]);
  expect((await editor.prompt(parking, "/hello")).result).toEqual({ stopReason: "end_turn" });
});

test("a prompt right after the cancel of a parked run is no answer to it: it waits until that has ended (C2)", async () => {
  const editor = await enter();
  const session = await editor.open(house.cwd);
  for (const said of ["/hello", "some words"]) {
    await editor.prompt(session, "/talk");
    const from = editor.trace.length;
    editor.notify("session/cancel", { sessionId: session });
    const { result } = await editor.prompt(session, said);
    expect(result).toMatchObject({ stopReason: "end_turn" });
    const shown = JSON.stringify(editor.trace.slice(from));
    expect(shown).toContain("was cancelled.");
    expect(shown).not.toContain("USER.RUN.PARKED");
    if (said === "/hello") expect(shown).toContain("Hello was said.");
  }
});

test("a load after a crash ends with how to continue; a load of a parked run does not (C3)", async () => {
  const first = await enter();
  const [cut, parked] = [await first.open(house.cwd), await first.open(house.cwd)];
  await first.prompt(parked, "/talk");
  void first.prompt(cut, "/cut-off");
  await first.hears("Look it up");
  first.agent.kill();
  await first.agent.ended;

  const second = await enter();
  const load = (sessionId: string) => second.request("session/load", { sessionId, cwd: house.cwd, mcpServers: [] });
  await load(cut);
  const said = saidIn(second.trace);
  expect(said.slice(said.indexOf("\n\nThe run"))).toMatch(
    /^\n\nThe run of "cut-off" was interrupted.*Send any text to resume it/,
  );
  second.decide = ({ options }) => options.find(({ optionId }) => optionId === "rerun")?.optionId ?? null;
  expect((await second.prompt(cut, "go on")).result).toEqual({ stopReason: "end_turn" });
  const from = second.trace.length;
  await load(parked);
  await load(cut);
  expect(saidIn(second.trace.slice(from))).not.toContain("was interrupted");
});

test("a known command is no answer to a parked run; other words are (C4)", async () => {
  const editor = await enter();
  const session = await editor.open(house.cwd);
  const thread = new Thread(editor, session);
  await thread.prompt("/talk");
  expect((await thread.prompt("/hello")).result).toMatchObject({
    stopReason: "end_turn",
    _meta: { "troupe/error": { code: "USER.RUN.PARKED" } },
  });
  expect(thread.kept[1]).toMatch(/"talk" waits for your answer, and this command would be that answer.*lone "\."/);
  await thread.prompt("/Ann");
  expect(thread.kept[2]).toContain("/Ann");
  await thread.prompt(".");
  expect(thread.kept[3]).toContain("bye");
  const answers = storedRows(house.store, session).filter(({ type }) => type === "input.answered");
  expect(answers).toMatchObject([{ payload: { text: "/Ann" } }, { payload: { text: "" } }]);
});
