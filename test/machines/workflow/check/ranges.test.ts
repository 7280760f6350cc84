import { expect, it } from "vitest";
import { parse } from "../fixtures.ts";

const said = (inputs: string, awf = false) =>
  parse(
    `name: w
inputs: ${inputs}
states:
  initial: a
  a: {type: command, command: x, on_success: done}
  done: {type: terminal}
`,
    { awf },
  ).findings.map(({ severity, line, column, message }) => `${severity} ${line}:${column} ${message}`);

it.each([
  ["[{name: n, validation: {min: 1, max: 3}}]", '"min" of input "n" bounds nothing: it is no integer', 33],
  ["{n: {type: boolean, validation: {max: 3}}}", '"max" of input "n" bounds nothing: it is no integer', 42],
])("a range is one of numbers: %s", (inputs, message, column) => {
  expect(said(inputs)).toEqual([`warning 2:${column} ${message}`]);
  expect(said(inputs, true)).toEqual([`warning 2:${column} ${message}`]);
});

it("a range has a number in it", () => {
  const inputs = "[{name: n, type: integer, validation: {min: 4, max: 3}}]";
  const message = 'input "n" can have no value: none is at least 4 and at most 3';
  expect(said(inputs)).toEqual([`error 2:48 ${message}`]);
  expect(said(inputs, true)).toEqual([`warning 2:48 ${message}`]);
  expect(said(inputs.replace("integer,", "integer, default: 4,"))).toHaveLength(1);
  expect(said("[{name: n, type: integer, validation: {min: 3, max: 3}}]")).toEqual([]);
});
