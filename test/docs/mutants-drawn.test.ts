import { expect, test } from "vitest";
// @ts-expect-error: a script of the project's own, without types.
import { drawn } from "../../.ci/mutants-drawn.mjs";

const mutant = (line: number, fileName = "/p/machines/a.ts") => ({
  fileName,
  location: { start: { line, column: 1 }, end: { line, column: 9 } },
  mutatorName: "BooleanLiteral",
  replacement: "true",
});
const linesDrawn = (seed: string, share: number, fileName?: string): number[] =>
  Array.from({ length: 1_000 }, (_, line) => line).filter((line) =>
    drawn(mutant(line, fileName), { share, seed, root: "/p" }),
  );

test("a seed draws the same changes again, wherever the project lies, and another seed draws others", () => {
  const first = linesDrawn("first", 20);
  expect(linesDrawn("first", 20)).toEqual(first);
  expect(drawn(mutant(first[0]!, "/q/machines/a.ts"), { share: 20, seed: "first", root: "/q" })).toBe(true);
  expect(linesDrawn("second", 20)).not.toEqual(first);
  expect(linesDrawn("first", 20, "/p/projections/a.ts")).not.toEqual(first);
});

test("about as many are drawn as the share says; all and none are all and none", () => {
  expect(Math.abs(linesDrawn("first", 20).length - 200)).toBeLessThan(40);
  expect(linesDrawn("first", 100)).toHaveLength(1_000);
  expect(linesDrawn("first", 0)).toEqual([]);
});
