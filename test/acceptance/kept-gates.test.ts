/**
 * What decides about an agent's tool calls before a person is asked: answers for good, the user's rules, and the session's
 * choices. Every process is real, and ends by `kill -9` where a test says so.
 *
 * G2. An answer for good is remembered by its session, across restarts, until the session is closed. No other session
 *     knows of it. It is listed, it expires, and it can be taken back, also where another process serves the session.
 * G6. The user's rules decide before a person is asked.
 * G7. So do the session's choices, in every process that serves it.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Editor, saidIn } from "../support/acp-editor.ts";
import { at, END, enter, furnishGated, house, pick, stop, story } from "./gated.ts";

furnishGated();

const questions = ({ trace }: Editor): number =>
  trace.filter(({ message }) => message["method"] === "session/request_permission").length;

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
