import { expect, test } from "vitest";
import { leftLine } from "../../../projections/chat/left.ts";

test("who leaves is told how it goes on: the same conversation, or a new one where that can only be viewed", () => {
  expect(leftLine("c1", "mine", true)).toBe("mine: continue with troupe chat --resume c1");
  expect(leftLine("c1", "mine", false)).toBe(
    "mine: it can only be viewed; a new one begins with its summary: troupe chat --from c1",
  );
});
