/** Covers `opened.ts` without a browser: the step that is shown where the address names none. */
import { expect, test } from "vitest";
import { browserPart } from "../../support/browser-part.ts";

const { stepShown } = await browserPart("opened");
type Status = "completed" | "failed";
/** Begins at a row, and ends at the next one where it has a status. */
const step = (name: string, seq: number, { status, waits = 0 }: { status?: Status; waits?: number } = {}) => ({
  ...{ name, seq, at: seq, tries: [], steps: [] },
  end: status === undefined ? null : { seq: seq + 1, at: seq + 1, said: { status } },
  waits: Array.from({ length: waits }, () => ({ seq, until: null })),
});
const shown = (moment: { seq: number; isAlive: boolean }, ...steps: ReturnType<typeof step>[]): string =>
  stepShown({ history: { steps, at: () => undefined } }, null, { at: 99, isEnd: true, ...moment }).name;
const [alive, over] = [
  { seq: 99, isAlive: true },
  { seq: 99, isAlive: false },
];

const failed = step("test", 1, { status: "failed" });
const done = step("mend", 3, { status: "completed" });

test("while a run goes on, what is at work stands before what failed, also between two steps", () => {
  expect(shown(alive, failed, step("again", 5))).toBe("again");
  expect(shown(alive, failed, done)).toBe("mend");
  expect(shown(alive, step("asks", 1, { waits: 1 }), step("beside", 2))).toBe("asks");
});

test("of one that is over what failed is shown, else the last", () => {
  expect(shown(over, failed, done)).toBe("test");
  expect(shown(over, failed, step("again", 5))).toBe("test");
  expect(shown(over, done, step("last", 5, { status: "completed" }))).toBe("last");
});

test("at an earlier row what was at work then is shown", () => {
  const past = (seq: number) => shown({ seq, isAlive: true }, failed, done, step("last", 5, { waits: 1 }));
  expect([1, 2, 3, 4, 5].map(past)).toEqual(["test", "test", "mend", "mend", "last"]);
});
