import { expect, it } from "vitest";
import { parseWorkflow } from "../../../../machines/workflow/parse.ts";

const said = (states: string, awf = false) =>
  parseWorkflow(
    `name: w
states:
  initial: a
  ${states}
  x: {type: command, command: x, on_success: done}
  done: {type: terminal}
`,
    { file: null, awf },
  ).findings.map(({ severity, line, column, message }) => `${severity} ${line}:${column} ${message}`);

it.each([
  [
    "a: {type: while, while: 'true', body: [x, done], on_complete: done}",
    '4:45 "done" is an end, and cannot be run in "a"',
  ],
  ["a: {type: parallel, parallel: [x, done], on_success: done}", '4:37 "done" is an end, and cannot be run in "a"'],
])("%s: an end is no step of a container", (states, expected) => {
  expect(said(states)).toEqual([`error ${expected}`]);
  expect(said(states, true)).toEqual([`warning ${expected}`]);
});

it.each([
  ["a: {type: for_each, items: [1], body: [x, a], on_complete: done}", 'error 4:45 "a" stands in itself'],
  [
    "a: {type: parallel, parallel: [x, b], on_success: done}\n  b: {type: while, while: 'true', body: [a]}",
    "error 4:37 a, b stand in each other",
  ],
])("%s: would never end", (states, expected) => {
  expect(said(states)).toEqual([expected]);
  expect(said(states, true)).toEqual([expected]);
});

it("containers in each other that come to an end are right", () => {
  expect(
    said(
      "a: {type: parallel, parallel: [x, b], on_success: done}\n  b: {type: while, while: 'true', body: [c]}\n  c: {type: command, command: c}",
    ),
  ).toEqual([]);
});
