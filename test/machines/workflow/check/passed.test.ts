import { expect, it } from "vitest";
import { parseWorkflow } from "../../../../machines/workflow/parse.ts";

const told = (step: string, awf = false) =>
  parseWorkflow(
    `name: w
states:
  initial: a
  a: {${step}}
  body: {type: step, command: x, on_success: a}
  later: {type: terminal}
  done: {type: terminal}
`,
    { file: null, awf },
  )
    .findings.filter(({ code }) => code.endsWith("NEVER_FOLLOWED"))
    .map(({ severity, message, line }) => `${severity} ${message.split(" ")[0]} ${line}`);

const COMMAND = "type: step, command: x";
it.each([
  ["an end for failures", `${COMMAND}, transitions: [{goto: done}], on_failure: later`, ["warning on_failure 4"]],
  [
    "an end in words",
    `${COMMAND}, transitions: [{when: "true", goto: later}, {goto: done}], on_failure: {message: no}`,
    ["warning on_failure 4"],
  ],
  [
    "all behind it",
    `${COMMAND}, transitions: [{goto: done}, {when: "true", goto: later}], on_success: later`,
    ["warning transitions[1] 4", "warning on_success 4"],
  ],
  [
    "a loop",
    'type: while, while: "true", body: [body], transitions: [{goto: done}], on_complete: later',
    ["warning on_complete 4"],
  ],
  ["conditions only", `${COMMAND}, transitions: [{when: "true", goto: done}], on_success: done, on_failure: later`, []],
  [
    "a failure that is let pass",
    `${COMMAND}, continue_on_error: true, on_success: done, on_failure: later`,
    ["warning on_failure 4"],
  ],
  ["a failure that is not", `${COMMAND}, continue_on_error: false, on_success: done, on_failure: later`, []],
  [
    "a loop with two ways on",
    'type: while, while: "true", body: [body], on_success: later, on_complete: done',
    ["warning on_success 4"],
  ],
  ["a loop with one", 'type: while, while: "true", body: [body], on_success: later, on_failure: done', []],
  ["a skip", `${COMMAND}, approval: {on_deny: skip}, transitions: [{goto: done}], on_skip: later`, []],
])("%s", (_, step, expected) => {
  expect(told(step)).toEqual(expected);
  expect(told(step, true)).toEqual(expected);
});
