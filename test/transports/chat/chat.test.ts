/** Covers I1 of `chat.ts`: what a question takes of what is typed. */
import { expect, test } from "vitest";
import type { ChatEvent, ChatSetting, Conversation } from "../../../actors/troupe.ts";
import { Chat } from "../../../transports/chat/chat.ts";
import type { Canvas, Io } from "../../../transports/cli/io.ts";

const QUESTION = {
  ...{ id: "q", title: "May it?", kind: "execute", message: "", diffs: [], locations: [] },
  options: [
    { id: "yes", name: "Yes", kind: "allow_once" },
    { id: "no", name: "No", kind: "reject_once" },
  ],
};

function talking(settings: readonly ChatSetting[] = []) {
  const drawn: string[] = [];
  const answers: (string | null)[] = [];
  const prompts: string[] = [];
  let now = 0;
  let tell: (event: ChatEvent) => void = () => undefined;
  let press: (key: string) => void = () => undefined;
  const conversation = {
    ...{ agent: { slug: "a" }, edits: [], fault: null, cwd: "/" },
    state: { status: "idle", settings, usage: null, mode: null, modes: [], waiting: [], commands: [] },
    follow: (hear: (event: ChatEvent) => void) => {
      tell = hear;
      return () => undefined;
    },
    open: async () => undefined,
    answer: (_: string, option: string | null) => void answers.push(option),
    cancel: () => undefined,
    prompt: async (text: string) => void prompts.push(text),
  } as unknown as Conversation;
  const canvas: Canvas = {
    ...{ measure: () => undefined, columns: () => 80, rows: () => 24, write: (text: string) => void drawn.push(text) },
    ...{ onChange: () => () => undefined, onLeave: () => () => undefined, later: () => () => undefined },
  };
  const io = {
    ...{ colours: false, now: () => now, onStop: () => () => undefined, out: () => undefined, err: () => undefined },
    keys: (hear: (key: string) => void) => {
      press = hear;
      return () => undefined;
    },
  } as unknown as Io;
  const left = new Chat(conversation, io, canvas).talk([]);
  return {
    ...{ answers, prompts, left, drawn },
    ask: () => tell({ type: "asked", question: QUESTION } as unknown as ChatEvent),
    answered: () => tell({ type: "answered", question: QUESTION, option: "no" } as unknown as ChatEvent),
    pass: (ms: number) => {
      now += ms;
    },
    keys: (...keys: string[]) => {
      for (const key of keys) press(key);
    },
  };
}

test("what is pasted while a question stands answers nothing, and is text of the next prompt (I1)", async () => {
  const { answers, prompts, left, ask, answered, keys } = talking();
  ask();
  keys("paste-start", "1", "enter", "ctrl-c", "tab", "x", "paste-end");
  expect(answers).toEqual([]);
  keys("2");
  expect(answers).toEqual(["no"]);
  answered();
  keys("enter");
  expect(prompts).toEqual(["1\n    x"]);
  keys("ctrl-d");
  expect(await left).toBe("left");
});

test("a question that comes in the midst of a paste leaves the next enter what it is", async () => {
  const { answers, prompts, left, ask, answered, pass, keys } = talking();
  keys("paste-start", "a");
  ask();
  keys("1", "paste-end");
  expect(answers).toEqual([]);
  pass(1_000);
  keys("1");
  answered();
  keys("enter", "ctrl-d");
  expect([answers, prompts, await left]).toEqual([["yes"], ["a1"], "left"]);
});

test("a question that comes while somebody types is answered by none of those keys (I1)", async () => {
  const { answers, prompts, left, ask, answered, pass, keys } = talking();
  keys("d", "o");
  pass(5_000);
  ask();
  pass(100);
  keys(" ", "1", "enter");
  pass(100);
  keys("1", "backspace");
  expect([answers, prompts]).toEqual([[], ["do 1"]]);
  pass(1_000);
  keys("2");
  answered();
  keys("o", "n", "enter");
  expect([answers, prompts]).toEqual([["no"], ["do 1", "on"]]);
  ask();
  keys("escape");
  expect(answers).toEqual(["no", null]);
  answered();
  pass(1_000);
  ask();
  keys("enter");
  expect(answers).toEqual(["no", null, "yes"]);
  answered();
  keys("ctrl-d");
  await left;
});

test("words that are typed at a question are sent, and answer nothing (I1)", async () => {
  const { answers, prompts, left, ask, answered, pass, keys } = talking();
  ask();
  pass(5_000);
  keys("g", "o", " ", "1", "enter");
  expect([answers, prompts]).toEqual([[], ["go 1"]]);
  pass(1_000);
  keys("enter");
  expect(answers).toEqual(["yes"]);
  answered();
  keys("ctrl-d");
  await left;
});

test.each([
  ["opus", "opus"],
  [":default", "Each step's own"],
])("a model of the value %s is shown as the agent calls it", async (current, shown) => {
  const values = [{ value: ":default", name: "Each step's own" }];
  const { left, drawn, keys } = talking([{ id: "m", name: "Model", category: "model", current, values }]);
  keys("x", "backspace");
  expect(drawn.join("")).toContain(shown);
  keys("ctrl-d");
  await left;
});
