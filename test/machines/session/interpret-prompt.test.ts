import { describe, expect, it } from "vitest";
import type { Intent, Prompt } from "../../../machines/contracts.ts";
import type { Block } from "../../../machines/exchange.ts";
import { type Awaited, interpretPrompt } from "../../../machines/session/interpret-prompt.ts";
import { CONTEXT, command, workflow } from "../../support/documents.ts";

const RUN: Intent = {
  type: "run",
  run: null,
  workflow: workflow([command("a")]),
  inputs: {},
  env: {},
  context: CONTEXT,
  trust: "trusted",
};
const HELP: Extract<Intent, { type: "explain" }> = {
  type: "explain",
  text: "?",
  stopReason: "end_turn",
  fault: { code: "USER.X", message: "?" },
};
const EMPTY: Intent = { ...HELP, fault: { code: "USER.INPUT.EMPTY", message: "?" } };
const FAULTY: Intent = { ...HELP, command: "demo" };
const RESUME: Intent = { type: "resume", recover: "fail" };
const UNREADABLE: Prompt["asks"] = { type: "unreadable", explanation: HELP };
const text = (otherwise: Intent): Prompt["asks"] => ({ type: "text", otherwise });
const FREE: Awaited = { for: "nothing", workflow: "" };
const CUT: Awaited = { for: "resume", workflow: "demo" };
const PARKED: Awaited = { for: "answer", workflow: "demo" };
const BOTH: Awaited = { for: "either", workflow: "demo" };
const words = (text: string): Block => ({ type: "text", text });
const prompt = (asks: Prompt["asks"], blocks: Block[] = [words("hello")]): Prompt => ({ turn: "t1", blocks, asks });
const HELLO: Intent = { type: "answer", text: "hello" };
const ANSWER: Intent = { type: "answer", text: "as it was sent" };

describe("what a prompt means", () => {
  it.each([
    ["a command starts its run", RUN, FREE, RUN],
    ["an explanation stays one", HELP, FREE, HELP],
    ["so does that of an empty prompt", EMPTY, FREE, EMPTY],
    ["text keeps the meaning that it was given", text(RUN), FREE, RUN],
    ["text may be explained", text(HELP), FREE, HELP],
    ["an explanation stays one, with an interrupted run too", HELP, CUT, HELP],
    ["a resume keeps its answer", RESUME, CUT, RESUME],
    ["text resumes a run that was cut off, and lets its steps ask", text(RUN), CUT, { type: "resume", recover: "ask" }],
    ["text answers a parked run", text(RUN), PARKED, HELLO],
    ["an unknown command answers a parked run", HELP, PARKED, HELLO],
    ["text answers a run that a crash found parked", text(RUN), BOTH, HELLO],
    ["a resume continues that run and answers nothing", RESUME, BOTH, RESUME],
    ...[PARKED, BOTH].map((waiting) => ["what is an answer already stays as it is", ANSWER, waiting, ANSWER]),
    ...[FREE, CUT, PARKED, BOTH].map((waiting) => ["what is unreadable is explained", UNREADABLE, waiting, HELP]),
  ] as [string, Prompt["asks"], Awaited, Intent][])("%s", (_, asks, waiting, meaning) => {
    expect(interpretPrompt(prompt(asks), waiting)).toEqual(meaning);
  });

  it.each([
    ["a resume of nothing", RESUME, FREE, "USER.RUN.NOT_RESUMABLE", /no run of this session was interrupted/],
    ["a resume of a parked run", RESUME, PARKED, "USER.RUN.NOT_RESUMABLE", /"demo" waits for an answer/],
    ["a command beside a parked run", RUN, PARKED, "USER.RUN.PARKED", /"demo" waits for your answer.*lone "\."/],
    ["a command beside a run that a crash found parked", RUN, BOTH, "USER.RUN.PARKED", /"demo" waits for your answer/],
    ["one that would be explained", FAULTY, PARKED, "USER.RUN.PARKED", /this command would be that answer/],
    ["a command beside an interrupted run", RUN, CUT, "USER.RUN.INTERRUPTED", /"demo" was interrupted/],
    ["an empty prompt beside one", EMPTY, CUT, "USER.INPUT.EMPTY", /empty.*"demo" was interrupted.*Send any text/],
  ] as [string, Intent, Awaited, string, RegExp][])("%s is refused in words", (_, asks, waiting, code, message) => {
    const meaning = interpretPrompt(prompt(asks), waiting);
    expect(meaning).toMatchObject({ type: "explain", stopReason: "refusal", fault: { code } });
    if (meaning.type !== "explain") throw new Error("no explanation");
    expect(meaning.text).toMatch(message);
    expect(meaning.fault.message).toBe(meaning.text);
  });

  it("a command beside a parked run gets every way out explained", () => {
    const text =
      'A run of "demo" waits for your answer, and this command would be that answer: nothing was sent. ' +
      "To leave, cancel the session, which ends the run; where your editor cannot, `troupe cancel` in a terminal does. " +
      'Where a conversation waits, an empty prompt or a lone "." ends that alone. ' +
      "Then send the command again. To answer with these words, put others before them.";
    expect(interpretPrompt(prompt({ ...FAULTY, command: "work" }), PARKED)).toMatchObject({ text });
  });
});

describe("the words of an answer", () => {
  it.each([
    ["no block", [], ""],
    ["white space alone", [words(" \n ")], ""],
    ["a lone full stop", [words(" .\n")], ""],
    ["more than a full stop", [words("..")], ".."],
    ["several texts", [words("one"), words(""), words("two")], "one\ntwo"],
    ["a link", [{ type: "resource_link", uri: "file:///a.ts", name: "a.ts" }], "[a.ts](file:///a.ts)"],
    [
      "an image",
      [words("see"), { type: "image", id: "1f", mimeType: "image/png", bytes: 1 }],
      "see\n[image](attachment:1f)",
    ],
    ["a sound", [{ type: "audio", id: "2a", mimeType: "audio/wav", bytes: 1 }], "[audio](attachment:2a)"],
    ["a text sent with its address", [{ type: "resource", uri: "file:///a.ts", text: "its text" }], "its text"],
    [
      "blocks without words",
      [
        { type: "unknown", value: { type: "image" } },
        { type: "diff", path: "a", oldText: null, newText: "x" },
      ],
      "",
    ],
    ["a text as it was written", [words("  indented\n")], "  indented\n"],
  ] as [string, Block[], string][])("%s", (_, blocks, answer) => {
    expect(interpretPrompt(prompt(text(RUN), blocks), PARKED)).toEqual({ type: "answer", text: answer });
  });
});

it.each([PARKED, BOTH])("words that answer are those of who sent the prompt (%o)", (awaited) => {
  const sent = { ...prompt(text(RUN)), who: "ann" };
  expect(interpretPrompt(sent, awaited)).toEqual({ ...HELLO, who: "ann" });
});
