/** Covers `run-words.ts`: how runs and steps begin and end, in whole lines with their colours. */
import { describe, expect, test } from "vitest";
import type { RowOf } from "../../../machines/exchange.ts";
import { NO_USAGE } from "../../../projections/runs/usage.ts";
import type { Paint } from "../../../projections/terminal/paint.ts";
import {
  askedIn,
  endLines,
  header,
  isChosen,
  labelOf,
  reasonLine,
  stepEnd,
  stepStart,
} from "../../../projections/terminal/run-words.ts";
import type { Tally } from "../../../projections/terminal/tally.ts";

const around = (name: string) => (text: string) => (text === "" ? "" : `<${name} ${text}>`);
const PAINT: Paint = {
  ...{ bold: around("bold"), dim: around("dim"), inverse: around("inverse") },
  ...{ red: around("red"), green: around("green"), yellow: around("yellow"), cyan: around("cyan") },
};
type StepEnd = RowOf<"step.completed">["payload"];
type RunEnd = RowOf<"run.completed">["payload"];

describe("a run begins", () => {
  const begun = (payload: object, own = true, run = "r1"): string =>
    header(
      { type: "run.started", run, payload: { workflow: "w", plan: [], inputs: {}, ...payload } } as never,
      "w",
      own,
      PAINT,
    );
  test("with its id, its inputs and what it repeats", () => {
    expect(begun({})).toBe("<bold w> <dim · run r1>");
    expect(begun({ inputs: { who: "Ada", n: 2, deep: { a: [1] } } })).toBe(
      '<bold w> <dim · run r1 · who=Ada n=2 deep={"a":[1]}>',
    );
    expect(begun({ rerun: { run: "r0", from: "b", taken: [] } })).toBe(
      `<bold w> <dim · run r1 · Run r0 again from "b">`,
    );
  });

  test("with its id alone where another one called it", () => {
    expect(begun({ inputs: { who: "Ada" } }, false)).toBe("<bold w> <dim · run r1>");
    const nameless = { type: "run.started", payload: { workflow: "w", plan: [], inputs: {} } } as never;
    expect([header(nameless, "w", false, PAINT), header(nameless, "w", true, PAINT)]).toEqual([
      "<bold w> <dim · run >",
      "<bold w> <dim · run >",
    ]);
  });
});

describe("a step", () => {
  const start = (payload: object): string =>
    stepStart({ name: "a", kind: "command", title: "a", parallel: false, ...payload } as never, "a", PAINT);
  test("begins with what kind it is, where it does no work itself, and its title", () => {
    expect(start({})).toBe("<cyan →> <bold a>");
    expect(start({ title: "Build it" })).toBe("<cyan →> <bold a> <dim Build it>");
    expect(start({ kind: "for_each", title: "All" })).toBe("<cyan →> <bold a> <dim (for each)> <dim All>");
    expect(start({ kind: "of a later version" })).toBe("<cyan →> <bold a>");
    expect(start({ kind: "parallel" })).toBe("<cyan →> <bold a> <dim (parallel)>");
  });

  const end = (payload: Partial<StepEnd>, facts: { ms?: number | null; used?: typeof NO_USAGE } = {}): string =>
    stepEnd(
      { name: "a", kind: "command", status: "completed", exitCode: 0, ...payload } as StepEnd,
      "a",
      { ms: 1_500, used: undefined, ...facts },
      PAINT,
    );
  const error = (code: string) => ({ code, message: "it\nbroke" });
  test("ends with how long it took, what it used, and how", () => {
    expect(end({})).toBe("<green ✓> a<dim  1.5s>");
    expect(end({}, { ms: null })).toBe("<green ✓> a");
    expect(end({}, { ms: 0, used: { ...NO_USAGE, tokens: 3 } })).toBe("<green ✓> a<dim  0ms · 3 tokens>");
    expect(end({ status: "failed", exitCode: 2 })).toBe("<red ✗> a<dim  1.5s> <red failed (exit 2)>");
    expect(end({ status: "failed", exitCode: 2, error: error("EXECUTION.COMMAND.FAILED") })).toBe(
      "<red ✗> a<dim  1.5s> <red failed (exit 2)>",
    );
    const killed = { code: "EXECUTION.COMMAND.FAILED", message: "the command was ended by SIGKILL" };
    expect(end({ status: "failed", exitCode: 137, error: killed })).toBe(
      "<red ✗> a<dim  1.5s> <red failed (killed by SIGKILL, exit 137)>",
    );
    expect(end({ status: "failed", exitCode: 1, error: error("EXECUTION.STEP.DENIED") })).toBe(
      "<red ✗> a<dim  1.5s> <red denied>",
    );
    expect(end({ status: "failed", exitCode: 2, error: error("X") })).toBe("<red ✗> a<dim  1.5s> <red failed>");
    expect(end({ status: "cancelled" })).toBe("<yellow ■> a<dim  1.5s> cancelled");
    expect(end({ status: "skipped" })).toBe("<dim ○> a skipped");
    expect(end({ status: "skipped", error: error("X") })).toBe("<dim ○> a skipped: it broke");
  });

  test("says why it failed, unless its exit code does", () => {
    const reason = (status: StepEnd["status"], code?: string) =>
      reasonLine({
        name: "a",
        kind: "command",
        status,
        exitCode: 1,
        ...(code === undefined ? {} : { error: error(code) }),
      });
    expect([
      reason("failed", "X"),
      reason("failed", "EXECUTION.COMMAND.FAILED"),
      reason("failed"),
      reason("skipped", "X"),
    ]).toEqual(["it broke", null, null, null]);
  });

  test("is named by the last part of its path", () => {
    const round = (item: string) => ({ item, of: 3 }) as never;
    expect([
      labelOf("a", "a"),
      labelOf("p/q/a#2", "a"),
      labelOf("", "a"),
      labelOf("each/0.a", "a"),
      labelOf("each/11.a", "a"),
      labelOf("each/11.a#3", "a", round("src/a.ts")),
      labelOf("1.x/a", "a"),
    ]).toEqual(["a", "a#2", "a", "1. a", "12. a", "a#3[src/a.ts]", "a"]);
  });
});

describe("a run ends", () => {
  const tally = { steps: 2, failed: 0, retries: 0, tokens: 0 };
  const end = (payload: Partial<RunEnd>, of: Partial<Tally> = {}): string[] =>
    endLines({ workflow: "w", status: "completed", exitCode: 0, ...payload }, "w", 2_000, { ...tally, ...of }, PAINT);
  const counted = "in 2.0s (2 steps)";
  const error = (code: string) => ({ code, message: "it\nbroke" });
  test("with its message, its outputs and how", () => {
    expect(end({})).toEqual([`<green ✓> <bold w> completed <dim ${counted}>`]);
    expect(end({ message: "one\ntwo", outputs: { a: "x\ny\n", b: 7, c: { d: [1] } } })).toEqual([
      ...["one", "two", "<dim a:> x", "  y", "<dim b:> 7", '<dim c:> {"d":[1]}'],
      `<green ✓> <bold w> completed <dim ${counted}>`,
    ]);
    expect(end({ status: "cancelled", error: error("X") })).toEqual([`<yellow ■> <bold w> cancelled <dim ${counted}>`]);
    expect(end({ status: "skipped" })).toEqual([`<yellow ○> <bold w> skipped <dim ${counted}>`]);
  });

  test("with why, unless it was said", () => {
    const of = (code?: string): Partial<Tally> => ({
      failed: 1,
      ...(code === undefined ? {} : { fault: error(code) }),
    });
    const failed = `<red ✗> <bold w> <red failed> <dim ${counted}`;
    const more = `<red ✗> <bold w> <red failed> <dim in 2.0s (2 steps, 1 failed)`;
    const why = (code: string) => `  it broke <dim [${code}]>`;
    const ended = (code: string | null, steps: Partial<Tally> = {}, rest: Partial<RunEnd> = {}) =>
      end({ status: "failed", exitCode: 3, ...(code === null ? {} : { error: error(code) }), ...rest }, steps);
    const AUTHORED = "EXECUTION.RUN.FAILED";
    expect(ended(null)).toEqual([`${failed}, exit 3>`]);
    expect(ended("X")).toEqual([`${failed}>`, why("X")]);
    expect(ended("X", of("X"))).toEqual([`${more}>`]);
    expect(ended(AUTHORED)).toEqual([`${failed}, exit 3>`, why(AUTHORED)]);
    expect(ended(AUTHORED, of("X"))).toEqual([`${more}, exit 3>`]);
    expect(ended(AUTHORED, {}, { message: "bye" })).toEqual(["bye", `${failed}, exit 3>`]);
    expect(ended("X", {}, { message: "bye" })).toEqual(["bye", `${failed}>`, why("X")]);
    // A step that failed, and was seen to, is not what the run failed of.
    for (const step of [of("EXECUTION.COMMAND.FAILED"), of(), { ...of(), fault: { code: "X", message: "other" } }])
      expect(ended("X", step)).toEqual([`${more}>`, why("X")]);
    expect(end({ status: "skipped", error: error("X") })).toEqual([
      `<yellow ○> <bold w> skipped <dim ${counted}>`,
      why("X"),
    ]);
  });

  test("with an exit code that its author chose, or another one's", () => {
    expect([
      isChosen("failed", null),
      isChosen("failed", undefined),
      isChosen("failed", { code: "EXECUTION.RUN.FAILED" }),
      isChosen("failed", { code: "X" }),
      isChosen("completed", null),
    ]).toEqual([true, true, true, false, false]);
  });
});

test("a question in one line", () => {
  const asked = { input: "i", step: "a", prompt: "Which?" } as never;
  expect(askedIn(asked)).toBe("Which?");
});
