import { expect, test } from "vitest";
import { rewritten } from "../../../../actors/facade/awf/rewrite.ts";

const given = { inputs: { who: "Ada", n: 4, all: [1, 2] }, backend: "desktop" };
const of = (text: string): string => rewritten(text, given).text;

test.each([
  [
    "a list of maps",
    "inputs:\n  - name: who\n    type: string # t\n",
    'inputs:\n  - default: "Ada"\n    name: who\n    type: string # t\n',
  ],
  ["maps by name", "inputs:\n  who: {type: string}\n", 'inputs:\n  who: {default: "Ada", type: string}\n'],
  ["a default that stands there", "inputs: [{name: who, default: 'x'}]\n", 'inputs: [{name: who, default: "Ada"}]\n'],
  [
    "a default without a value",
    "inputs:\n  - name: who\n    default:\n",
    'inputs:\n  - name: who\n    default: "Ada"\n',
  ],
  [
    "a default of several lines",
    "inputs:\n  - name: who\n    default: |\n      a\n      b\n    type: string\n",
    'inputs:\n  - name: who\n    default: "Ada"\n    type: string\n',
  ],
  ["a text that is given a number", "inputs: [{name: n}]\n", 'inputs: [{default: "4", name: n}]\n'],
  ["a number", "inputs: [{name: n, type: integer}]\n", "inputs: [{default: 4, name: n, type: integer}]\n"],
  ["an input that nobody gives", "inputs: [{name: other}]\n", "inputs: [{name: other}]\n"],
])("the default of an input: %s (I1)", (_, before, after) => {
  expect(of(before)).toBe(after);
});

test("a notification gets the backend where it names none (I1)", () => {
  const step = (inputs: string): string => `states:\n  a: {operation: notify.send, inputs: {${inputs}}}\n`;
  expect(of(step("message: hi"))).toBe(step('backend: "desktop", message: hi'));
  expect(of(step("backend: webhook, message: hi"))).toBe(step("backend: webhook, message: hi"));
  expect(of("states:\n  a: {operation: http.request, inputs: {url: x}}\n")).toContain("inputs: {url: x}");
});

test.each(["inputs: [\n", "- a\n", "", "inputs: 3\nstates: [1]\n"])(
  "what is no workflow stays as it is: %j",
  (text) => {
    expect(rewritten(text, given)).toEqual({ text, inputs: [], backend: false });
  },
);
