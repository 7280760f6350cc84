/** Covers `line-times.ts`: when the lines of a text came. */
import { expect, test } from "vitest";
import { lineTimes } from "../../../projections/page/line-times.ts";

test("a line came with its beginning", () => {
  const times = [
    { from: 0, at: 10 },
    { from: 3, at: 20 },
    { from: 8, at: 30 },
  ];
  //  10: "a\nb", 20: "c\nd\n\n", 30: "e"
  expect(lineTimes({ text: "a\nbc\nd\n\ne", times })).toEqual([10, 10, 20, 20, 30]);
  expect(lineTimes({ text: "", times: [] })).toEqual([0]);
});
