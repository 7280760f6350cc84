import { expect, it } from "vitest";
import { Blocks } from "../../../../actors/agents/claude/blocks.ts";

const text = (said: string) => ({ type: "text", text: said });
const delta = (said: string) => ({ type: "text_delta", text: said });

it("tells what the deltas of a block left out when it comes whole (I1)", () => {
  const blocks = new Blocks();
  blocks.begin("m");
  blocks.delta(delta("Hel"));
  expect(blocks.whole("text", "Hello", "m")).toEqual([text("lo")]);
  blocks.open();
  blocks.delta(delta("Say"));
  blocks.delta(delta("you"));
  expect(blocks.whole("text", "Say to you", "m")).toEqual([text("Say to you")]);
});

it("knows a block by its words where its message has another name (I1)", () => {
  const blocks = new Blocks();
  blocks.begin("m");
  blocks.delta(delta("Hello"));
  expect(blocks.whole("text", "Hello", "another")).toEqual([]);
  expect(blocks.whole("text", "Bye", "another").at(-1)).toEqual(text("Bye"));
});

it("tells the sum of its pieces once (I3)", () => {
  const blocks = new Blocks();
  const said = ["Hel", "lo", "Hello", "Hello"].map((one) => blocks.whole("text", one, null));
  expect(said).toEqual([[text("Hel")], [text("lo")], [], [text("Hello")]]);
});
