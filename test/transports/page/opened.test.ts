/** Covers `opened.ts` without a browser: the step that is shown where the address names none. */
import { expect, test } from "vitest";
import { browserPart } from "../../support/browser-part.ts";

const { stepShown } = await browserPart("opened");
type Status = "completed" | "failed";
const step = (name: string, { status, waits = 0 }: { status?: Status; waits?: number } = {}) => ({
  name,
  end: status === undefined ? null : { said: { status } },
  waits: Array.from({ length: waits }, () => ({ until: null })),
  steps: [],
});
const shown = (status: string, ...steps: ReturnType<typeof step>[]): string =>
  stepShown({ history: { steps, at: () => undefined }, record: { status } }, null).name;

const failed = step("test", { status: "failed" });
const done = step("mend", { status: "completed" });

test("while a run goes on, what is at work stands before what failed, also between two steps", () => {
  expect(shown("running", failed, step("again"))).toBe("again");
  expect(shown("running", failed, done)).toBe("mend");
  expect(shown("running", step("asks", { waits: 1 }), step("beside"))).toBe("asks");
});

test("of one that is over what failed is shown, else the last", () => {
  expect(shown("failed", failed, done)).toBe("test");
  expect(shown("interrupted", failed, step("again"))).toBe("test");
  expect(shown("completed", done, step("last", { status: "completed" }))).toBe("last");
});
