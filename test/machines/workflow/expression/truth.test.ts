/** Covers `truth.ts`: what is told of a condition before anything runs holds in every run. */
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { holds } from "../../../../machines/workflow/expression/evaluate.ts";
import { parseExpression } from "../../../../machines/workflow/expression/parse.ts";
import { untrueParts } from "../../../../machines/workflow/expression/truth.ts";
import { parseWorkflow } from "../../../../machines/workflow/parse.ts";

const read = (source: string) => {
  const parsed = parseExpression(source);
  if (!parsed.ok) throw new Error(`${source}: ${parsed.faults[0]?.message}`);
  return parsed.expression;
};
const TYPES: { readonly [name: string]: string } = { n: "integer", s: "string", b: "boolean" };
const told = (source: string) =>
  untrueParts(read(source), (name) => TYPES[name]).map(
    ({ range, maybe }) => `${maybe ? "maybe " : ""}${source.slice(range.start, range.end)}`,
  );

describe("what can be neither true nor false", () => {
  it.each([
    ["3", ["3"]],
    ["'abc'", ["'abc'"]],
    ["[1]", ["[1]"]],
    ["{a: 1}", ["{a: 1}"]],
    ["-inputs.s", ["-inputs.s"]],
    ["inputs.s * 2", ["inputs.s * 2"]],
    ["inputs.s + 1", ["inputs.s + 1"]],
    ["inputs.n", ["maybe inputs.n"]],
    ["not inputs.n", ["maybe inputs.n"]],
    ["inputs.b and inputs.n", ["maybe inputs.n"]],
    ["inputs.b ? inputs.n : 3", ["maybe inputs.n", "3"]],
    ["states.a.ExitCode", ["maybe states.a.ExitCode"]],
    ["states.a.exit_code or states.a.Status", ["maybe states.a.exit_code", "maybe states.a.Status"]],
    ["let x = 1; 2", ["2"]],
  ])("%s", (source, expected) => expect(told(source)).toEqual(expected));
});

describe("of what may be true nothing is said (I1)", () => {
  it.each([
    ...[
      "true",
      "nil",
      "'true'",
      "' False '",
      "inputs.b",
      "inputs.s",
      "inputs.other",
      "inputs.n > 0",
      "states.a.Output",
    ],
    ...[
      "inputs.s + inputs.s",
      "inputs.n ?? true",
      "states.a.JSON.ExitCode",
      "states.a.JSON.n",
      "inputs['n']",
      "len('a')",
    ],
    ...["states.my-step", "loop.First", "[1][0]", "'abc'[0:1]", "let inputs = {n: true}; inputs.n"],
    "let states = {a: {exit_code: true}}; states.a.exit_code",
  ])("%s", (source) => expect(told(source)).toEqual([]));
});

test("no run makes true or false what is told for sure (I1)", () => {
  const leaf = fc.constantFrom(
    "inputs.n",
    "inputs.s",
    "inputs.b",
    "3",
    "'x'",
    "'true'",
    "true",
    "nil",
    "states.a.Output",
  );
  const { source } = fc.letrec<{ source: string }>((tie) => ({
    source: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      leaf,
      fc
        .tuple(tie("source"), fc.constantFrom("+", "-", "*", "==", "<", "in", "??"), tie("source"))
        .map(([left, operator, right]) => `(${left} ${operator} ${right})`),
      tie("source").map((inner) => `-(${inner})`),
    ),
  }));
  const scopes = fc.record({
    inputs: fc.record({ n: fc.constantFrom(null, 0, 1), s: fc.constantFrom("", "true", "1"), b: fc.boolean() }),
    states: fc.constantFrom({}, { a: { Output: "true" } }),
  });
  fc.assert(
    fc.property(source, scopes, (text, scope) => {
      const expression = read(text);
      if (untrueParts(expression, (name) => TYPES[name]).some(({ maybe }) => !maybe))
        expect(() => holds(expression, scope)).toThrow();
    }),
    { numRuns: 2_000 },
  );
});

it("is said where the condition stands, not where a name with a hyphen is meant", () => {
  const findings = (when: string, awf = false) =>
    parseWorkflow(
      `name: w
inputs: [{name: n, type: integer}]
states:
  initial: a
  a: {type: step, command: x, transitions: [{when: ${JSON.stringify(when)}, goto: end}, {goto: end}]}
  end: {type: terminal}
`,
      { file: null, awf },
    ).findings.map(({ severity, message, expected }) => `${severity} ${message} | ${expected}`);
  const number = "a condition is true or false, and inputs.n is a number | a comparison, such as inputs.n > 0";
  expect(findings("inputs.n")).toEqual([`warning ${number}`]);
  expect(findings("'x'")).toEqual(['error a condition is true or false, and "x" is a text | a comparison']);
  expect(findings("'x'", true)).toEqual(['warning a condition is true or false, and "x" is a text | a comparison']);
  expect(findings("states.un-known.ExitCode").join()).not.toContain("true or false");
});
