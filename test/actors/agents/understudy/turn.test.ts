import { describe, expect, test } from "vitest";
import { parseScript } from "../../../../actors/agents/understudy/script.ts";
import { cue } from "../../../../actors/agents/understudy/turn.ts";
import { scriptOf } from "./support.ts";

const say = (text: string) => ({ say: text });
const said = (text: string) => [{ type: "say", speech: { type: "text", text, chunks: 1, repeat: 1, rate: null } }];
const talk = scriptOf(
  parseScript({
    turns: [{ when: "fix", play: [say("one")] }, { play: [say("two")] }, { when: "^end$", play: [say("three")] }],
    conversation: "talk",
  }),
);

describe(cue, () => {
  test.each([
    ["a new conversation plays the first entry", "please fix", null, "one", "talk-1"],
    ["I2: an entry that does not fit is passed over", "hello", null, "two", "talk-1"],
    ["I2: turn n starts at entry n", "please fix", "talk-1", "two", "talk-2"],
    ["I2: the third turn plays the third entry", "end", "talk-2", "three", "talk-3"],
  ])("%s", (_, prompt, conversation, text, next) => {
    expect(cue(talk, prompt, conversation)).toEqual({ ok: true, play: said(text), conversation: next });
  });

  test("a list plays in every turn, and counts them", () => {
    const list = scriptOf(parseScript([say("again")]));
    expect(cue(list, "x", null)).toEqual({ ok: true, play: said("again"), conversation: "understudy-1" });
    expect(cue(list, "x", "understudy-41")).toEqual({ ok: true, play: said("again"), conversation: "understudy-42" });
  });

  test.each([
    [
      "no entry fits",
      "the end",
      "talk-2",
      "The understudy has nothing to play in turn 3: the `when` of no entry from there on fits the prompt. Add an entry to `turns`.",
    ],
    [
      "the script is over",
      "end",
      "talk-3",
      "The understudy has nothing to play in turn 4: the script has 3. Add an entry to `turns`.",
    ],
    [
      "another conversation",
      "end",
      "understudy-1",
      'The understudy does not know the conversation "understudy-1": expected talk-<number of turns>.',
    ],
    [
      "a broken id",
      "end",
      "talk-0",
      'The understudy does not know the conversation "talk-0": expected talk-<number of turns>.',
    ],
  ])("%s", (_, prompt, conversation, message) => {
    expect(cue(talk, prompt, conversation)).toEqual({ ok: false, message });
  });
});
