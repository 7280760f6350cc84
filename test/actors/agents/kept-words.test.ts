import { expect, test } from "vitest";
import { MOST_SAID, withMore } from "../../../actors/agents/kept-words.ts";
import { Paragraphs } from "../../../actors/agents/paragraphs.ts";

test("of an agent's words so much is kept that who cuts them sees that there was more (I1)", () => {
  const words = new Paragraphs();
  const piece = "x".repeat(MOST_SAID / 4);
  for (let n = 0; n < 6; n++) words.take([{ type: "text", text: piece }]);
  expect(words.said.length).toBe(MOST_SAID + 1);
  expect(withMore("a", "b")).toBe("ab");
  expect(withMore(piece.repeat(4), "")).toHaveLength(MOST_SAID);
});
