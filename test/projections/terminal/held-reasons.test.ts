/** Covers `held-reasons.ts`. */
import { beforeEach, expect, test } from "vitest";
import { HeldReasons } from "../../../projections/terminal/held-reasons.ts";

const error = { code: "EXECUTION.COMMAND.TIMEOUT", message: "it broke" };
const failed = (kind = "command", more: object = { error }) =>
  ({ type: "step.completed", payload: { name: "s", kind, status: "failed", exitCode: 1, ...more } }) as never;
const ended = (type: string, status: string) => ({ type, payload: { status, exitCode: 1 } }) as never;
let reasons: HeldReasons;
const texts = (row: never): string[] => reasons.release(row).map(({ text, depth }) => `${depth} ${text}`);
const CONTINUES = ended("step.started", "running");

beforeEach(() => {
  reasons = new HeldReasons();
});

test("a reason is said at the next row that is no failure, once (I1)", () => {
  reasons.hold(failed(), 2);
  const [first = "", ...more] = texts(CONTINUES);
  expect([first.startsWith("2 "), first.includes("it broke"), more, texts(CONTINUES)]).toEqual([true, true, [], []]);
});

test("while failures follow each other it waits for the run's end, which says it (I1)", () => {
  reasons.hold(failed(), 1);
  for (const type of ["step.completed", "step.call_workflow.completed", "run.completed"])
    expect(texts(ended(type, "failed"))).toEqual([]);
  reasons.drop();
  expect(texts(CONTINUES)).toEqual([]);
});

test.each([
  ["step.completed", "completed"],
  ["run.completed", "cancelled"],
  ["notice", "failed"],
])("%s with the status %s has it said", (type, status) => {
  reasons.hold(failed(), 1);
  expect(texts(ended(type, status))).toHaveLength(1);
});

test.each(["parallel", "for_each", "while", "call_workflow"])(
  "a failed %s says no more than the step that it failed of; alone it says its own",
  (kind) => {
    reasons.hold(failed(kind), 1);
    expect(texts(CONTINUES)).toHaveLength(1);
    reasons.hold(failed(), 2);
    reasons.hold(failed(kind), 1);
    expect(texts(CONTINUES).map((text) => text[0])).toEqual(["2"]);
  },
);

test("an exit code says it all, and who is not failed has no reason", () => {
  reasons.hold(failed("command", { error: { code: "EXECUTION.COMMAND.FAILED", message: "exit 1" } }), 1);
  reasons.hold(failed("command", {}), 1);
  reasons.hold(ended("step.completed", "completed"), 1);
  expect(texts(CONTINUES)).toEqual([]);
});

test("two steps that failed are two reasons, in their order", () => {
  reasons.hold(failed(), 1);
  reasons.hold(failed("agent"), 3);
  expect(texts(CONTINUES).map((text) => text[0])).toEqual(["1", "3"]);
});
