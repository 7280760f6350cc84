/** Covers `rerun-words.ts`. */
import { expect, test } from "vitest";
import { rerunWords } from "../../../projections/runs/rerun-words.ts";

const AGAIN = { run: "r1", from: null, taken: [] } as const;

test("where it begins", () => {
  expect(rerunWords(AGAIN as never)).toBe("Run r1 again from the beginning");
  expect(rerunWords({ ...AGAIN, from: "build" } as never)).toBe('Run r1 again from "build"');
  expect(rerunWords({ ...AGAIN, from: "each", round: "each[3]" } as never)).toBe('Run r1 again from "each[3]"');
});

test("what it has taken over: at most eight names", () => {
  const taken = (count: number) => Array.from({ length: count }, (_, at) => `s${at}`);
  expect(rerunWords({ ...AGAIN, taken: ["a", "b"] } as never)).toBe(
    "Run r1 again from the beginning; taken over: a, b",
  );
  expect(rerunWords({ ...AGAIN, taken: taken(8) } as never)).toBe(
    "Run r1 again from the beginning; taken over: s0, s1, s2, s3, s4, s5, s6, s7",
  );
  expect(rerunWords({ ...AGAIN, taken: taken(10) } as never)).toBe(
    "Run r1 again from the beginning; taken over: s0, s1, s2, s3, s4, s5, s6, s7 and 2 more",
  );
});

test("rounds, what differs, and all of it", () => {
  expect(rerunWords({ ...AGAIN, rounds: { taken: 3, of: 5 } } as never)).toBe(
    "Run r1 again from the beginning; 3 of 5 rounds taken over",
  );
  expect(rerunWords({ ...AGAIN, rounds: { taken: 3, of: 3 } } as never)).toBe(
    "Run r1 again from the beginning; 3 rounds taken over",
  );
  expect(rerunWords({ ...AGAIN, taken: ["a"], rounds: { taken: 1, of: 2 }, differs: ["x", "y"] } as never)).toBe(
    "Run r1 again from the beginning; taken over: a; 1 of 2 rounds taken over; what differs now: x; y",
  );
});

test("what cannot be seen is made visible", () => {
  expect(rerunWords({ ...AGAIN, taken: ["a\u202eb\nc"] } as never)).not.toMatch(/[\u202e\n]/);
});
