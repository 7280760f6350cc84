import { expect, it } from "vitest";
import { ADVICE } from "../../../../actors/errors/advice/advice.ts";
import { parseWorkflow } from "../../../../machines/workflow/parse.ts";

const GATE = "approval: {on_deny: skip}, on_success: done";
const warnings = (a: string, fan = "", b = "") =>
  parseWorkflow(
    `name: w
states:
  initial: fan
  fan: {type: parallel, parallel: [b], on_success: a${fan}}
  a: {type: step, command: x, ${a}}
  b: {type: step, command: x${b}}
  later: {type: terminal}
  done: {type: terminal}
`,
    { file: null, awf: false },
  )
    .findings.filter(({ code }) => code.endsWith("SKIP_WITHOUT_WAY"))
    .map(({ severity, message }) => `${severity} ${/"(.)"/.exec(message)?.[1]}`);

it.each([
  ["no way", GATE, ["warning a"]],
  [
    "a way for success only, by a condition",
    `${GATE}, transitions: [{when: "true", goto: later}, {goto: done}]`,
    ["warning a"],
  ],
  ["on_skip", `${GATE}, on_skip: later`, []],
  ["a transition on skipped", `${GATE}, transitions: [{when: "states.a.Status == 'skipped'", goto: later}]`, []],
  ["no skip", "approval: true, on_success: done", []],
])("%s", (_, step, expected) => expect(warnings(step)).toEqual(expected));

it.each([
  [", strategy: all_succeed", ["warning b"]],
  [", strategy: all_succeed, on_skip: later", []],
  [", strategy: best_effort", []],
])("a branch, in a parallel%s", (fan, expected) =>
  expect(warnings("on_success: done", fan, ", approval: {on_deny: skip}")).toEqual(expected),
);

it("names the parallel that has no way, of several", () => {
  const { findings } = parseWorkflow(
    `name: w
states:
  initial: one
  one: {type: parallel, parallel: [b], strategy: all_succeed, on_success: two, on_skip: done}
  two: {type: parallel, parallel: [b], strategy: all_succeed, on_success: done}
  b: {type: step, command: x, approval: {on_deny: skip}}
  done: {type: terminal}
`,
    { file: null, awf: false },
  );
  const skips = findings.filter(({ code }) => code.endsWith("SKIP_WITHOUT_WAY"));
  expect(skips.map(({ message }) => message)).toEqual([expect.stringContaining('the parallel "two"')]);
});

it.each([
  ["", ["warning b"]],
  [", on_skip: later", []],
  [", transitions: [{when: \"states.fan.Status == 'skipped'\", goto: later}]", []],
])("a step of a loop, which is skipped with it%s", (loop, expected) => {
  const states = (body: string) =>
    parseWorkflow(
      `name: w
states:
  initial: fan
  fan: {type: for_each, items: [1], body: [${body}], on_complete: done${loop}}
  all: {type: parallel, parallel: [${body === "all" ? "b" : "other"}], on_success: fan}
  other: {type: step, command: x}
  b: {type: step, command: x, on_success: fan, approval: {on_deny: skip}}
  later: {type: terminal}
  done: {type: terminal}
`,
      { file: null, awf: false },
    )
      .findings.filter(({ code }) => code.endsWith("SKIP_WITHOUT_WAY"))
      .map(({ severity, message }) => `${severity} ${/"(.)"/.exec(message)?.[1]}`);
  expect(states("b")).toEqual(expected);
  expect(states("all")).toEqual(expected);
});

it("has a remedy that leads on after a skip", () => {
  const [, remedy] = ADVICE["WORKFLOW.VALIDATION.SKIP_WITHOUT_WAY"];
  expect(remedy).toMatch(/on_skip/);
  expect(remedy).not.toMatch(/on_success/);
});
