import { expect, test } from "vitest";
import { pairwise } from "./pairs.ts";

const FACTORS = { a: [false, true], b: [0, 1, 2], c: [undefined, { x: {} }], d: ["p", "q"] };

test("every two values meet (I1), in fewer rows than all there are", () => {
  const rows = pairwise(FACTORS);
  const names = Object.keys(FACTORS) as (keyof typeof FACTORS)[];
  for (const one of names)
    for (const other of names.filter((name) => name > one))
      for (const x of FACTORS[one])
        for (const y of FACTORS[other]) expect(rows.some((row) => row[one] === x && row[other] === y)).toBe(true);
  expect(rows.length).toBeLessThan(10);
});
