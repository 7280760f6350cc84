import { expect, it } from "vitest";
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
