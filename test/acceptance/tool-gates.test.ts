/**
 * An agent's tool calls, asked of an editor. Every process is real, and ends by `kill -9` where a test says so.
 *
 * G1. The question shows the whole input and the places, beside the agent's own words. The log has the same.
 * G2. An answer for good is remembered by its session, across restarts, until the session is closed. No other session
 *     knows of it. It is listed, it expires, and it can be taken back, also where another process serves the session.
 * G3. Silence, a cancel, an answer that was not offered, and an answer that comes too late are all a no.
 * G4. A no is passed to the agent, fails the step, or ends the run.
 * G5. A question that was open when its process died, or when its asker left, is closed in the log.
 * G6. The user's rules decide before a person is asked.
 * G7. So do the session's choices, in every process that serves it.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Exchange, Row } from "../../machines/exchange.ts";
import { type Asked, Editor, saidIn } from "../support/acp-editor.ts";
import { faultsOf } from "../support/acp-schema.ts";
import { childrenOf, type House, openHouse, storedRows } from "../support/house.ts";

let house: House;
let editors: Editor[];
beforeEach(() => {
  editors = [];
  house = openHouse(["tools", "tools-error", "tools-abort", "tools-limit"].map((name) => `acceptance/${name}.yaml`));
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
const at = (sessionId: string) => ({ sessionId, cwd: house.cwd, mcpServers: [] });
const stop = async (editor: Editor, session: string, workflow: string): Promise<unknown> =>
  (await editor.prompt(session, `/${workflow}`)).result;
const END = { stopReason: "end_turn" };
const questions = ({ trace }: Editor): number =>
  trace.filter(({ message }) => message["method"] === "session/request_permission").length;
const rowsOf = <T extends Row["type"]>(session: string, type: T) =>
  storedRows(house.store, session).filter((row): row is Exchange<Extract<Row, { type: T }>> => row.type === type);
/** What was asked and answered, in order, questions by number. */
function story(session: string): string[] {
  const rows = storedRows(house.store, session);
  expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, index) => index + 1));
  const names = new Map<string, number>();
  return rows.flatMap((row) => {
    if (row.type !== "permission.requested" && row.type !== "permission.resolved") return [];
    const { permission } = row.payload;
    if (!names.has(permission)) names.set(permission, names.size + 1);
    const what = row.type === "permission.requested" ? "asked" : (row.payload.option ?? row.payload.outcome);
    return [`${names.get(permission)} ${what}`];
  });
}
const pick = (kind: string) => (asked: Asked) => asked.options.find((option) => option.kind === kind)?.optionId ?? null;

test("a question shows the whole call, and an answer for once holds once (G1)", async () => {
  const editor = await enter();
  const session = await editor.open(house.cwd);
  const seen: Asked[] = [];
  editor.decide = (asked) => {
    seen.push(asked);
    return seen.length === 1 ? "allow_once" : "reject_once";
  };
  expect(await stop(editor, session, "tools")).toEqual(END);
  expect(seen[0]).toMatchObject({
    options: [{ kind: "allow_once" }, { kind: "allow_always" }, { kind: "reject_once" }, { kind: "reject_always" }],
    toolCall: {
      title: "May the agent use Bash (execute)? command: rm -rf build, note: ```\\nend",
      kind: "execute",
      rawInput: { command: "rm -rf build", note: "```\nend" },
      locations: [{ path: join(house.cwd, "build") }],
      content: [
        {
          content: {
            text: [
              "The agent calls it: read the README",
              "````\ncommand: rm -rf build\nnote: ```\nend\n````",
              `Places: ${join(house.cwd, "build")}`,
            ].join("\n\n"),
          },
        },
      ],
    },
  });
  expect(saidIn(editor.trace)).toContain("Bash was allowed.\nBash was refused: The user did not allow this");
  expect(saidIn(editor.trace)).toContain("It went on.");
  expect(story(session)).toEqual(["1 asked", "1 allow_once", "2 asked", "2 reject_once"]);
  expect(rowsOf(session, "permission.requested")[0]?.payload).toMatchObject({ tool: "Bash" });
});

test.each([
  ["allow_always", "Bash was allowed.\nBash was allowed.\n"],
  ["reject_always", "Bash was refused"],
])("%s is asked once a session, across kill -9, until the session is closed (G2)", async (kind, said) => {
  const first = await enter();
  first.decide = pick(kind);
  const [session, other] = [await first.open(house.cwd), await first.open(house.cwd)];
  expect(await stop(first, session, "tools")).toEqual(END);
  expect(saidIn(first.trace)).toContain(said);
  expect(questions(first)).toBe(1);
  expect(await stop(first, other, "tools")).toEqual(END);
  expect(questions(first)).toBe(2);
  first.agent.kill();
  await first.agent.ended;

  const second = await enter();
  second.decide = pick("allow_once");
  await second.request("session/load", at(session));
  expect(await stop(second, session, "tools")).toEqual(END);
  expect(questions(second)).toBe(0);
  expect(story(session)).toEqual(["1 asked", `1 ${kind}`]);
  await second.request("session/close", { sessionId: session });
  await second.request("session/load", at(session));
  expect(await stop(second, session, "tools")).toEqual(END);
  expect(questions(second)).toBe(2);
});

async function say(...args: string[]) {
  const said = house.troupe(args);
  const { code } = await said.ended;
  return { code, told: said.lines.join("\n") + said.stderr };
}

test("an answer for good is listed by what was asked, and taken back while an editor serves its session (G2, H38)", async () => {
  const editor = await enter();
  editor.decide = pick("allow_always");
  const session = await editor.open(house.cwd);
  await stop(editor, session, "tools");
  await stop(editor, session, "tools");
  expect(questions(editor)).toBe(1);
  const listed = JSON.parse((await say("trust", "list", "--format", "json")).told);
  expect(listed).toEqual([
    {
      ...{
        answer: expect.stringMatching(/^[0-9a-f]{64}$/),
        session,
        cwd: house.cwd,
        agent: "understudy",
        allowed: true,
      },
      ...{
        title: "May the agent use Bash (execute)?",
        tool: "Bash",
        input: { command: "rm -rf build", note: "```\nend" },
      },
      ...{ at: expect.any(Number), until: listed[0].at + 30 * 24 * 3_600_000 },
    },
  ]);
  const { answer } = listed[0];
  expect((await say("trust", "list")).told).toMatch(
    new RegExp(`${answer.slice(0, 8)} +allowed +understudy +May the agent use Bash .* in 30 days`),
  );
  expect(await say("trust", "forget", "ffffffff")).toMatchObject({
    code: 1,
    told: expect.stringContaining("TRUST.UNKNOWN"),
  });
  expect(await say("trust", "forget", answer.slice(0, 8))).toMatchObject({ code: 0 });
  expect((await say("trust", "list", "--format", "json")).told).toBe("[]");
  await stop(editor, session, "tools");
  expect(questions(editor)).toBe(2);
});

test("an answer for good holds no longer than the user says (G2, H38)", async () => {
  const folder = join(house.env["HOME"] ?? "", ".config", "troupe");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "config.yaml"), "permissions: {remember: 0}\n");
  const editor = await enter();
  editor.decide = pick("allow_always");
  const session = await editor.open(house.cwd);
  await stop(editor, session, "tools");
  expect(questions(editor)).toBe(2);
  expect((await say("trust", "list", "--format", "json")).told).toBe("[]");
});

test.each([
  ["a cancel", null],
  ["an answer that was not offered", "allow"],
  ["another question's answer", "trust"],
])("%s is a no (G3)", async (_, option) => {
  const editor = await enter();
  const session = await editor.open(house.cwd);
  editor.decide = () => option;
  expect(await stop(editor, session, "tools")).toEqual(END);
  expect(saidIn(editor.trace)).toContain("Bash was refused: The question whether Bash may be used here had no answer");
  expect(story(session)).toEqual(["1 asked", "1 cancelled", "2 asked", "2 cancelled"]);
});

test("silence is a no after the time that the question names, and a later answer changes nothing (G3)", async () => {
  const editor = await enter();
  const session = await editor.open(house.cwd);
  editor.decide = () => undefined;
  expect(await stop(editor, session, "tools-limit")).toEqual(END);
  const asked = editor.trace.filter(({ message }) => message["method"] === "session/request_permission");
  expect(asked.map(({ message }) => (message["params"] as Asked)._meta)).toEqual([
    { "troupe/timeoutMs": 300 },
    { "troupe/timeoutMs": 300 },
  ]);
  for (const { message } of asked) editor.answer(message["id"], "allow_always");
  editor.decide = pick("reject_once");
  expect(await stop(editor, session, "tools")).toEqual(END);
  expect(story(session).slice(0, 4)).toEqual(["1 asked", "1 cancelled", "2 asked", "2 cancelled"]);
  expect(story(session).slice(4)).toEqual(["3 asked", "3 reject_once", "4 asked", "4 reject_once"]);
});

test.each([
  ["tools-error", "failed"],
  ["tools-abort", "cancelled"],
])("%s: a no ends the step as %s (G4)", async (workflow, status) => {
  const editor = await enter();
  const session = await editor.open(house.cwd);
  editor.decide = pick("reject_once");
  await stop(editor, session, workflow);
  expect(story(session)).toEqual(["1 asked", "1 reject_once"]);
  const error = { code: "EXECUTION.STEP.DENIED" };
  expect(rowsOf(session, "step.completed")).toMatchObject([{ payload: { status, error } }]);
  expect(rowsOf(session, "run.completed")).toMatchObject([{ payload: { status } }]);
  expect(saidIn(editor.trace)).not.toContain("It went on.");
});

test("a cancel of the turn closes the question (G5)", async () => {
  const editor = await enter();
  const session = await editor.open(house.cwd);
  editor.decide = () => {
    editor.notify("session/cancel", { sessionId: session });
    return undefined;
  };
  expect(await stop(editor, session, "tools")).toMatchObject({ stopReason: "cancelled" });
  expect(story(session)).toEqual(["1 asked", "1 cancelled"]);
  expect(childrenOf(editor.agent.owner)).toEqual([]);
});

test("an editor that leaves takes the question along (G5)", async () => {
  const editor = await enter();
  const session = await editor.open(house.cwd);
  editor.decide = () => {
    editor.agent.child.stdin.end();
    return undefined;
  };
  void editor.prompt(session, "/tools").catch(() => undefined);
  expect(await editor.agent.ended).toEqual({ code: 0, signal: null });
  expect(story(session)).toEqual(["1 asked", "1 cancelled"]);
  expect(rowsOf(session, "run.completed")).toMatchObject([{ payload: { status: "cancelled" } }]);
});

test("a kill while the question is open closes it, and the step's own question decides how to continue (G5)", async () => {
  const first = await enter();
  const session = await first.open(house.cwd);
  first.decide = () => {
    first.agent.kill();
    return undefined;
  };
  void first.prompt(session, "/tools").catch(() => undefined);
  await first.agent.ended;
  expect(story(session)).toEqual(["1 asked"]);

  const second = await enter();
  second.decide = (asked) => asked.options[0]?.optionId ?? null;
  await second.request("session/load", at(session));
  expect((await second.prompt(session, "go on")).result).toEqual(END);
  expect(story(session)).toEqual([
    ...["1 asked", "1 cancelled", "2 asked", "2 rerun"],
    ...["3 asked", "3 allow_once", "4 asked", "4 allow_once"],
  ]);
  expect(rowsOf(session, "run.completed")).toMatchObject([{ payload: { status: "completed" } }]);
});

test.each([
  ["allow: [{kind: execute, command: rm -rf}]", "Bash was allowed.\nBash was allowed.\n"],
  ["deny: [{path: build}]", "Bash was refused: The permissions of this run do not allow"],
])("the user's %s asks no one; a repository's file does nothing (G6)", async (rule, said) => {
  for (const folder of [join(house.env["HOME"] ?? "", ".config", "troupe"), join(house.cwd, ".troupe")]) {
    mkdirSync(folder, { recursive: true });
    const text = folder.startsWith(house.cwd) ? "permissions: {default: allow}\n" : `permissions: {${rule}}\n`;
    writeFileSync(join(folder, "config.yaml"), text);
  }
  const editor = await enter();
  const session = await editor.open(house.cwd);
  expect(await stop(editor, session, "tools")).toEqual(END);
  expect([questions(editor), story(session)]).toEqual([0, []]);
  expect(saidIn(editor.trace)).toContain(said);
});

test("on a terminal without a person the answer is no (G3)", async () => {
  const run = house.troupe(["run", "tools", "--trust"]);
  expect(await run.ended).toEqual({ code: 0, signal: null });
  expect(run.lines.join("\n")).toContain("Bash was refused: The question whether Bash");
});

test("a choice for a session decides for it alone, also in another process (G7)", async () => {
  const first = await enter();
  const [session, other] = [await first.open(house.cwd), await first.open(house.cwd)];
  const choose = (editor: Editor, value: string) =>
    editor.request("session/set_config_option", { sessionId: session, configId: "permissions", value });
  expect(await choose(first, "allow")).toMatchObject({
    result: {
      configOptions: expect.arrayContaining([expect.objectContaining({ id: "permissions", currentValue: "allow" })]),
    },
  });
  expect(await choose(first, "always")).toMatchObject({ error: { code: -32602 } });
  expect(await stop(first, session, "tools")).toEqual(END);
  expect(saidIn(first.trace)).toContain("Bash was allowed.\nBash was allowed.\n");
  expect(questions(first)).toBe(0);
  first.decide = pick("reject_always");
  expect(await stop(first, other, "tools")).toEqual(END);
  expect(questions(first)).toBe(1);
  await choose(first, "deny");
  await first.leave();

  const second = await enter();
  await second.request("session/load", at(session));
  const shown = saidIn(second.trace).length;
  expect(await stop(second, session, "tools")).toEqual(END);
  expect(saidIn(second.trace).slice(shown)).toContain("The permissions of this run do not allow this use of Bash.");
  expect(questions(second)).toBe(0);
  expect(story(session)).toEqual([]);
});
