/** Covers `short.ts`: an answer that has ended with a call that is not there. */
import { expect, test } from "vitest";
import { shortOf } from "../../../../actors/agents/openai_compatible/short.ts";

const CALL = { id: "c", name: "look", arguments: "{}" };
const answer = (over: object) => ({ reason: "tool_calls", refusal: "", calls: [], text: "I look.", ...over });

test.each<[string, object, boolean]>([
  ["tools were offered", {}, true],
  ["by the older word", { reason: "function_call" }, true],
  ["nothing was said", { text: " " }, false],
])("a call that did not come is no answer: %s", (_, over, awaitsCalls) => {
  expect(shortOf(answer(over), awaitsCalls)).toEqual({
    class: "cut",
    message: "the model called a tool, and its server gave no call that can be read",
  });
});

test.each<[string, object, boolean]>([
  ["a call", { calls: [CALL], text: "" }, true],
  ["words for which no tool was offered, or a form was asked", {}, false],
  ["another end", { reason: "stop" }, true],
])("there is nothing wrong with %s", (_, over, awaitsCalls) => {
  expect(shortOf(answer(over), awaitsCalls)).toBeNull();
});
