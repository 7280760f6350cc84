import { expect, test } from "vitest";
import type { Guidance } from "../../../machines/exchange.ts";
import { toldAnswer, toldLine } from "../../../projections/runs/told-words.ts";

const text = (words: string): Guidance["blocks"][number] => ({ type: "text", text: words });

test("what was told is on one line: to whom, the words of it, and when its agent gets it", () => {
  const picture = { type: "image", mimeType: "image/png", bytes: 9 } as unknown as Guidance["blocks"][number];
  expect(toldLine("review", { tell: "t", reach: "now", blocks: [text("use"), picture, text("tabs")] })).toBe(
    'Told "review": use tabs (its agent gets it while it works)',
  );
  expect(toldLine("review", { tell: "t", reach: "next turn", blocks: [text("a\u202eb")] })).toBe(
    'Told "review": a\\u202eb (its agent gets it with its next turn)',
  );
});

test("who said it is answered with the step, as other commands take it", () => {
  expect(toldAnswer({ step: "each/0.look", reach: "now" })).toBe(
    'Told "each[1]/look": its agent gets it while it works.',
  );
});
