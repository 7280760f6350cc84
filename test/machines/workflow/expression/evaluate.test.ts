import { describe, expect, test } from "vitest";
import type { EvaluationScope } from "../../../../machines/workflow/expression/evaluate.ts";
import { errorOf, isTrue, resultOf } from "./reading.ts";

const scope: EvaluationScope = {
  inputs: {
    n: "3",
    mode: "full",
    flag: "true",
    off: false,
    list: ["a", "b"],
    deep: { k: [1, { z: null }] },
    nothing: null,
  },
  states: {
    build: { Output: "ok WARN\n", Stderr: "", ExitCode: 0, TokensUsed: 12, JSON: { exit_code: 7 } },
    "unit-tests": { ExitCode: 2 },
  },
  loop: { Index: 1, First: false, Parent: { Index: 4, Parent: { Last: true } } },
  error: { Message: "bad" },
  env: { HOME: "/h" },
};
const error = (message: string, blamed: string, suggestion?: string): unknown => ({
  code: "WORKFLOW.EXPRESSION.EVALUATION",
  message,
  blamed,
  ...(suggestion === undefined ? {} : { suggestion }),
});

describe("a state that has not run", () => {
  test.each([
    "states.later.ExitCode != 0",
    "0 != states.later.ExitCode",
    "states.later.Output == 'x'",
    "states['later'].JSON.deep != 'x'",
    "states.later.ExitCode < 1",
    "states.later.Output contains 'x'",
    "states.later.Output == states.build.Output",
    "states.later != nil",
    "states.later.Output[0:2] != 'ab'",
    "states.later.JSON[1:].x not in ['ab']",
    "states.later.Output not in ['x']",
    "'x' not in states.later.JSON",
    "states.later.Output not contains 'x'",
    "states.later.Output not startsWith 'x'",
    "states.later.Output not endsWith 'x'",
    "states.later.Output not matches 'x'",
    "not (states.later.Output in ['x'])",
  ])("%s is false", (source) => expect(resultOf(source, scope)).toBe(false));
  test.each([
    ...["states.later == nil", "states.later.Output == nil", "states.build.Output != 'x'", "inputs.none != 'x'"],
    ...["states.build.Output not in ['x']", "inputs.none not contains 'x'", "not (states.later.Output == 'x')"],
    "states.later.Output not in ['x'] or states.build.ExitCode == 0",
  ])("%s is true", (source) => expect(resultOf(source, scope)).toBe(true));
});

describe("evaluate", () => {
  test.each<[string, unknown]>([
    ["1 + 2 * 3", 7],
    ["7 / 2", 3.5],
    ["-7 % 4", -3],
    ["0 * -1", 0],
    ["2 ** 10", 1024],
    ["+'4' + 1", 5],
    ["'a' + 'b'", "ab"],
    ["inputs.n * 2", 6],
    ["inputs.n + 1", 4],
    ["'1' + '2'", "12"],
    ["1..3", [1, 2, 3]],
    ["3..1", []],
    ["[1, {a: 'x', b: [nil]}]", [1, { a: "x", b: [null] }]],
    ["inputs.list[-1]", "b"],
    ["inputs.list[0:1]", ["a"]],
    ["inputs.list[1:]", ["b"]],
    ["inputs.mode[:2]", "fu"],
    ["inputs.mode[-2:9]", "ll"],
    ["inputs.mode[3:1]", ""],
    ["missing[0:1]", null],
    ["let v = inputs.n * 2; v + 1", 7],
    ["let a = 1; let a = a + 1; a", 2],
    ["let mode = 'x'; mode + inputs.mode", "xfull"],
    ["states.build.Truncated", false],
    ["states['unit-tests'].tokens_used", 0],
    ["states.later.TokensUsed", null],
    ["inputs.list[9]", null],
    ["inputs.deep.k[1].z ?? 'none'", "none"],
    ["inputs['mode']", "full"],
    ["missing.a.b['c'][0]?.d", null],
    ["inputs.mode == 'full' ? 1 : 1 / 0", 1],
    ["false and 1 / 0", false],
    ["true or 1 / 0", true],
    ["1 ?? (1 / 0)", 1],
    ["inputs.list contains 'a'", true],
    ["'b' in inputs.list", true],
    ["'mode' in inputs", true],
    ["'toString' in inputs", false],
    ["3 in ['3']", true],
    ["5 in 1..9", true],
    ["states.build.Output startsWith 'ok'", true],
    ["states.build.Output endsWith 'ok'", false],
    ["states.build.Output matches '(?i)warn'", true],
    ["states.build.Output not matches '^WARN'", true],
    ["[1, {a: 2}] == ['1', {a: '2'}]", true],
    ["{a: 1} == {b: 1}", false],
    ["[1] == [1, 2]", false],
    ["{} == []", false],
  ])("%s is %j", (source, value) => {
    expect(resultOf(source, scope)).toEqual(value);
  });

  test.each<[string, boolean]>([
    ["inputs.n == 3", true],
    ["3.0 == inputs.n", true],
    ["' 3\\n' == 3", true],
    ["'3x' == 3", false],
    ["'' == 0", false],
    ["inputs.n > 20", false],
    ["'10' > '9'", true],
    ["'b' > 'a'", true],
    ["'a' <= 'a'", true],
    ["inputs.flag == true", true],
    ["true == 'TRUE'", true],
    ["inputs.off == false", true],
    ["true == 1", false],
    ["states.build.ExitCode == '0'", true],
  ])("inputs are texts that count as numbers and booleans: %s is %j", (source, value) => {
    expect(isTrue(source, scope)).toEqual(value);
  });

  test.each<[string, boolean]>([
    ["inputs.gone == 3", false],
    ["inputs.gone != 3", true],
    ["inputs.gone == nil", true],
    ["inputs.nothing == nil", true],
    ["inputs.gone != nil", false],
    ["inputs.gone == ''", false],
    ["inputs.gone == false", false],
    ["inputs.gone < 3", false],
    ["inputs.gone >= 3", false],
    ["states.gone.Output contains 'x'", false],
    ["states.gone.Output matches 'x'", false],
    ["'x' startsWith inputs.gone", false],
    ["'x' in inputs.gone", false],
    ["nil in [nil]", true],
    ["contains(states.gone.Output, 'x')", false],
    ["has_prefix(inputs.gone, 'x')", false],
    ["inputs.gone", false],
    ["not inputs.gone", true],
    ["inputs.gone or true", true],
  ])("I1: %s is %j", (source, value) => {
    expect(isTrue(source, scope)).toEqual(value);
  });

  test.each<[string, unknown]>([
    ["states.build.exit_code", 0],
    ["states.build.exitcode", 0],
    ["states['build']['exit_code']", 0],
    ["states.build.output", "ok WARN\n"],
    ["states.build.tokens_used", 12],
    ["states.build.JSON.exit_code", 7],
    ["states.build.JSON.ExitCode", null],
    ["states['unit-tests'].exit_code", 2],
    ["states.Build.ExitCode", null],
    ["loop.index", 1],
    ["loop.parent.index", 4],
    ["loop.Parent.parent.last", true],
    ["error.message", "bad"],
    ["inputs.Mode", null],
    ["env.home", null],
  ])("properties of the system have other spellings, names of authors do not: %s is %j", (source, value) => {
    expect(resultOf(source, scope)).toEqual(value);
  });

  test.each<[string, string, string, string?]>([
    ["1 + 'x'", '"+" takes two numbers or two strings, but "x" is a string (1 character)', "'x'"],
    ["inputs.gone * 2", '"*" takes numbers, but inputs.gone is missing (null)', "inputs.gone"],
    ["-inputs.list", '"-" takes numbers, but inputs.list is an array (2 items)', "inputs.list"],
    ["true - 1", '"-" takes numbers, but true is the boolean true', "true"],
    [
      "states.unit-tests.ExitCode == 2",
      '"-" takes numbers, but states.unit is missing (null); a name with a hyphen is written states["unit-tests"].ExitCode',
      "states.unit",
      'states["unit-tests"].ExitCode',
    ],
    ["1 / 0", '"/" by zero', "0"],
    ["1 % (2 - 2)", '"%" by zero', "(2 - 2)"],
    ["1.5 % 2", '"%" takes two whole numbers', "1.5 % 2"],
    ["10 ** 400", '"**" gives a number that is too large', "10 ** 400"],
    ["(-1) ** 0.5", '"**" has no real result here', "(-1) ** 0.5"],
    ["0 ** -1", '"**" has no real result here', "0 ** -1"],
    ["1.5..2", '".." takes two whole numbers', "1.5..2"],
    ["'a' < 1", '"<" orders two numbers or two strings, got a string (1 character) and the number 1', "'a' < 1"],
    [
      "'a' in 'abc'",
      '"in" looks in an array or among the keys of a map, but "abc" is a string (3 characters); for a part of a text write "abc" contains "part"',
      "'abc'",
      "contains",
    ],
    ["1 contains 'a'", '"contains" takes a string on its left, but 1 is the number 1', "1"],
    ["'a' startsWith 1", '"startsWith" takes a string on its right, but 1 is the number 1', "1"],
    [
      "'a' matches ('(' + 'a')",
      "the pattern is not RE2 syntax: error parsing regexp: missing closing ): `(a`",
      "('(' + 'a')",
    ],
    ["1 and true", '"and" joins what is true or false, but 1 is the number 1', "1"],
    ["not 'x'", '"not" takes true or false, but "x" is a string (1 character)', "'x'"],
    ["{a: 1} ? 1 : 2", 'before "?" stands true or false, but {a: 1} is a map (1 key)', "{a: 1}"],
    ["[1]['a']", 'an array is indexed by a whole number, but "a" is a string (1 character)', "'a'"],
    ["inputs[1]", "a map is indexed by a string, but 1 is the number 1", "1"],
    ["'abc'[0]", 'only arrays and maps have indexes, but "abc" is a string (3 characters)', "'abc'"],
  ])("I3: %s is an error", (source, message, blamed, suggestion) => {
    expect(errorOf(source, scope)).toEqual(error(message, blamed, suggestion));
  });
});

describe("holds", () => {
  test.each<[string, boolean]>([
    ["true", true],
    ["inputs.flag", true],
    ["inputs.off", false],
    ["states.build.ExitCode == 0 and inputs.mode == 'full'", true],
    ["states.build.output contains 'WARN' && !(loop.First)", true],
  ])("%s is %j", (source, value) => {
    expect(isTrue(source, scope)).toEqual(value);
  });

  test.each<[string, string]>([
    ["inputs.mode", "a string (4 characters)"],
    ["states.build.ExitCode", "the number 0"],
    ["inputs.list", "an array (2 items)"],
    ["states.unit", "missing"],
  ])("%s is no condition", (source, kind) => {
    const expected =
      kind === "missing" ? { value: false } : error(`a condition is true or false, but ${source} is ${kind}`, source);
    expect(errorOf(source, scope, isTrue)).toEqual(expected);
  });

  test("a secret never shows in a message", () => {
    expect(JSON.stringify(errorOf("inputs.token", { inputs: { token: "hunter2" } }, isTrue))).not.toContain("hunter2");
  });
});
