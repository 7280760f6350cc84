/** Covers `pairs.ts`. */
import { expect, test } from "vitest";
import { isInPair } from "../../../projections/shared/pairs.ts";

test("only the place between the halves of a pair is within one", () => {
  const text = "a😀b\ud83d\ud83d😀\ude00";
  const within = Array.from({ length: text.length + 2 }, (_, at) => at - 1).filter((index) => isInPair(text, index));
  expect(within).toEqual([2, 7]);
});
