import { describe, expect, test } from "vitest";
import { FUNCTION_NAMES } from "../../../../machines/workflow/expression/functions/table.ts";
import { errorOf, resultOf } from "./reading.ts";

const TABLE: [string, unknown][] = [
  ["contains('abc', 'b')", true],
  ["contains(['a'], 'b')", false],
  ["contains({a: 1}, 'a')", true],
  ["startsWith('abc', 'a')", true],
  ["has_prefix('abc', 'b')", false],
  ["hasPrefix('abc', 'ab')", true],
  ["endsWith('abc', 'c')", true],
  ["has_suffix('abc', 'b')", false],
  ["hasSuffix('abc', 'bc')", true],
  ["lower('ÄB')", "äb"],
  ["upper('äb')", "ÄB"],
  ["trim(' a\\n')", "a"],
  ["trimPrefix('v1', 'v')", "1"],
  ["trimSuffix('a.go', '.go')", "a"],
  ["trimSuffix('a', '')", "a"],
  ["indexOf('abc', 'c')", 2],
  ["split('a,b,', ',')", ["a", "b", ""]],
  ["split('a😀', '')", ["a", "😀"]],
  ["replace('aXbX', 'X', '--')", "a--b--"],
  ["repeat('ab', 2)", "abab"],
  ["repeat('', 9007199254740991)", ""],
  ["int('42')", 42],
  ["int(-2.9)", -2],
  ["float('1.5')", 1.5],
  ["abs(-3)", 3],
  ["floor(-1.5)", -2],
  ["ceil(-0.5)", 0],
  ["round(-2.5)", -3],
  ["round(2.4)", 2],
  ["min(3, '1', 2)", 1],
  ["max([3, 1])", 3],
  ["sum([1, 2, 3])", 6],
  ["len('a😀')", 2],
  ["len([1, 2])", 2],
  ["len({a: 1})", 1],
  ["keys({b: 1, a: 2})", ["b", "a"]],
  ["values({b: 1, a: 2})", [1, 2]],
  ["first([1, 2])", 1],
  ["first([])", null],
  ["last([1, 2])", 2],
  ["reverse([1, 2])", [2, 1]],
  ["sort([10, 9, '8'])", ["8", 9, 10]],
  ["uniq([1, '1', [2], [2]])", [1, [2]]],
  ["get({a: 1}, 'a')", 1],
  ["get({a: 1}, 'constructor')", null],
  ["get([5, 6], -1)", 6],
  ["get(nil, 'a')", null],
  ["concat([1], [2, 3])", [1, 2, 3]],
  ["join(['a', 1, nil], '-')", "a-1-"],
  ["join(['a', 'b'])", "ab"],
  ["string(1.5)", "1.5"],
  ["string(nil)", ""],
  ["string({a: [1]})", '{"a":[1]}'],
  [
    "[type(nil), type(1), type(1.5), type('1'), type(true), type([]), type({})]",
    ["nil", "int", "float", "string", "bool", "array", "map"],
  ],
  ["toJSON({a: 'x'})", '{"a":"x"}'],
  ["fromJSON('{\"a\": [1]}').a[0]", 1],
];

describe("functions", () => {
  test.each(TABLE)("%s is %j", (source, value) => {
    expect(resultOf(source)).toEqual(value);
  });

  test("each function stands in the table above", () => {
    const text = TABLE.map(([source]) => source).join(" ");
    expect(FUNCTION_NAMES.filter((name) => !text.includes(`${name}(`))).toEqual([]);
  });

  test.each<[string, string, string]>([
    ["lower(1)", "lower() expects a string as argument 1, got the number 1", "1"],
    ["lower(inputs.gone)", "lower() expects a string as argument 1, got missing (null)", "inputs.gone"],
    ["contains(1, 'a')", "contains() expects a string, an array or a map as argument 1, got the number 1", "1"],
    ["split('a', nil)", "split() expects a string as argument 2, got missing (null)", "nil"],
    ["replace('a', '', 'b')", "replace() expects a text to look for, got an empty one", "''"],
    ["repeat('a', -1)", "repeat() expects a whole number from 0 as argument 2, got the number -1", "-1"],
    ["abs('x')", "abs() expects a number as argument 1, got a string (1 character)", "'x'"],
    ["int('x')", "int() expects a number or a text that spells one as argument 1, got a string (1 character)", "'x'"],
    ["min([])", "min() of no numbers has no answer", "[]"],
    ["max([1, 'x'])", "max() expects numbers, one item is a string (1 character)", "[1, 'x']"],
    ["sum(1e308, 1e308)", "sum() gives a number that is too large", "1e308"],
    ["len(1)", "len() expects a string, an array or a map as argument 1, got the number 1", "1"],
    ["keys([])", "keys() expects a map as argument 1, got an array (0 items)", "[]"],
    ["first({})", "first() expects an array as argument 1, got a map (0 keys)", "{}"],
    ["get([1], 1.5)", "get() expects a whole number as argument 2, got the number 1.5", "1.5"],
    ["sort([1, 'x'])", "sort() expects numbers only or strings only", "[1, 'x']"],
    ["fromJSON('{')", "fromJSON() expects a JSON text", "'{'"],
  ])("%s is an error", (source, message, blamed) => {
    expect(errorOf(source)).toEqual({ code: "WORKFLOW.EXPRESSION.EVALUATION", message, blamed });
  });
});
