/**
 * An agent's tool calls, asked of an editor. Every process is real, and ends by `kill -9` where a test says so. What is
 * remembered of the answers is `kept-gates.test.ts`.
 *
 * G1. The question shows the whole input and the places, beside the agent's own words. The log has the same.
 * G3. Silence, a cancel, an answer that was not offered, and an answer that comes too late are all a no.
 * G4. A no is passed to the agent, fails the step, or ends the run.
 * G5. A question that was open when its process died, or when its asker left, is closed in the log.
 */
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Exchange, Row } from "../../machines/exchange.ts";
import { type Asked, saidIn } from "../support/acp-editor.ts";
import { childrenOf, storedRows } from "../support/house.ts";
import { at, END, enter, furnishGated, house, pick, stop, story } from "./gated.ts";

furnishGated();

const rowsOf = <T extends Row["type"]>(session: string, type: T) =>
  storedRows(house.store, session).filter((row): row is Exchange<Extract<Row, { type: T }>> => row.type === type);

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

test("on a terminal without a person the answer is no (G3)", async () => {
  const run = house.troupe(["run", "tools", "--trust"]);
  expect(await run.ended).toEqual({ code: 0, signal: null });
  expect(run.lines.join("\n")).toContain("Bash was refused: The question whether Bash");
});
