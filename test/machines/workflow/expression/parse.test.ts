import { describe, expect, test } from "vitest";
import { parseExpression } from "../../../../machines/workflow/expression/parse.ts";
import { printExpression } from "../../../../machines/workflow/expression/print.ts";
import { MAX_DEPTH, MAX_SOURCE_LENGTH } from "../../../../machines/workflow/expression/syntax.ts";
import { read } from "./reading.ts";

/** Faults with the text they point at instead of offsets. */
function faultsOf(source: string): unknown {
  const parsed = parseExpression(source);
  if (parsed.ok) return printExpression(parsed.expression);
  return parsed.faults.map(({ message, range, suggestion }) => [
    message,
    source.slice(range.start, range.end),
    ...(suggestion === undefined ? [] : [suggestion]),
  ]);
}

describe("parseExpression", () => {
  test("every node has its range, parentheses included", () => {
    expect(parseExpression(" (a.b) == -1")).toEqual({
      ok: true,
      expression: {
        kind: "binary",
        operator: "==",
        left: {
          kind: "member",
          object: { kind: "name", name: "a", range: { start: 2, end: 3 } },
          name: "b",
          optional: false,
          range: { start: 1, end: 6 },
        },
        right: {
          kind: "unary",
          operator: "-",
          operand: { kind: "literal", value: 1, range: { start: 11, end: 12 } },
          range: { start: 10, end: 12 },
        },
        range: { start: 1, end: 12 },
      },
    });
  });

  test.each([
    ["a or b and c", "a or (b and c)"],
    ["(a or b) and c", "(a or b) and c"],
    ["a == b and c != d", "(a == b) and (c != d)"],
    ["1 + 2 * 3", "1 + (2 * 3)"],
    ["1 - 2 - 3", "(1 - 2) - 3"],
    ["2 ** 3 ** 2", "2 ** (3 ** 2)"],
    ["-2 ** 2", "-(2 ** 2)"],
    ["-a * b", "(-a) * b"],
    ["not a == b", "(not a) == b"],
    ["!a and b", "(not a) and b"],
    ["not a.b", "not (a.b)"],
    ["a ?? b == c", "(a ?? b) == c"],
    ["-a ?? b", "-(a ?? b)"],
    ["a + b contains c", "(a + b) contains c"],
    ["a in 1..n + 1", "a in (1 .. (n + 1))"],
    ["a ? b : c ? d : e", "a ? b : (c ? d : e)"],
    ["a or b ? c : d", "(a or b) ? c : d"],
    ["a == b == c", "(a == b) == c"],
    ["a not in b", "not (a in b)"],
    ["a not contains b and c", "(not (a contains b)) and c"],
    ["a && b || !c", "(a and b) or (not c)"],
    ["a ^ 2", "a ** 2"],
    ["null", "nil"],
    ["a | lower() | split(',') == b", "(split(lower(a), ',')) == b"],
    ["a == b | string()", "string(a == b)"],
    ["a // note\n and /* and */ b", "a and b"],
    ["states.not.in.matches", "((states.not).in).matches"],
    ["a?.b?.[0]", "(a?.b)?.[0]"],
    ["{a: 1, 'b c': 2, 3: [x,],}", '{a: 1, "b c": 2, "3": [x]}'],
  ])("%s is read as %s", (source, grouped) => {
    expect(printExpression(read(source))).toEqual(printExpression(read(grouped)));
  });

  test.each<[string, unknown]>([
    ["12", 12],
    ["1.5", 1.5],
    [".5", 0.5],
    ["1e3", 1000],
    ["1_000", 1000],
    ["0xFF", 255],
    ["0b101", 5],
    ["0o17", 15],
    ["'it\\'s'", "it's"],
    ['"a\\n\\t\\r\\\\\\"\\x41\\u00e9\\U0001F600"', 'a\n\t\r\\"Aé😀'],
    ["`raw \\d`", "raw \\d"],
    ["'\"'", '"'],
    ["true", true],
    ["nil", null],
  ])("the literal %s", (source, value) => {
    expect(read(source)).toEqual({ kind: "literal", value, range: { start: 0, end: source.length } });
  });

  test.each<[string, [string, string, string?][]]>([
    ["", [["the expression is empty: expected a value", ""]]],
    ["a ==", [["expected a value, found the end", ""]]],
    ["== a", [['expected a value, found "=="', "=="]]],
    ["and b", [['expected a value before the operator "and"', "and"]]],
    ["a b", [['expected an operator or the end, found "b"', "b"]]],
    ["a 'b'", [["expected an operator or the end, found the string 'b'", "'b'"]]],
    ["a)", [['unexpected ")": nothing is open here', ")"]]],
    ["(a", [['expected ")" to close "(", found the end', ""]]],
    ["[a", [['expected "]" to close "[", found the end', ""]]],
    ["a[1", [['expected "]" to close "[", found the end', ""]]],
    ["len(a", [['expected ")" to close "len(", found the end', ""]]],
    ["{a: 1", [['expected "}" to close "{", found the end', ""]]],
    ["{a 1}", [['expected ":" after the key, found "1"', "1"]]],
    ["{+: 1}", [['expected a key or "}", found "+"', "+"]]],
    ["a ? b", [['expected ":" between the two values of "? :", found the end', ""]]],
    ["a.", [['expected a member\'s name after ".", found the end', ""]]],
    ["a. 1", [['expected a member\'s name after ".", found "1"', "1", "[1]"]]],
    ["a | lower", [['expected a function such as lower() after "|", found "lower"', "lower"]]],
    ["a = 1", [['unknown operator "=": did you mean "=="?', "=", "=="]]],
    ["a === 1", [['unknown operator "===": did you mean "=="?', "===", "=="]]],
    ["a <> 1", [['unknown operator "<>": did you mean "!="?', "<>", "!="]]],
    ["a => 1", [['unknown operator "=>": did you mean ">="?', "=>", ">="]]],
    ["a & b", [['unknown operator "&": did you mean "&&"?', "&", "&&"]]],
    ["a AND b", [['unknown operator "AND": did you mean "and"?', "AND", "and"]]],
    ["(a contain b)", [['unknown operator "contain": did you mean "contains"?', "contain", "contains"]]],
    ["a starts_with b", [['unknown operator "starts_with": did you mean "startsWith"?', "starts_with", "startsWith"]]],
    ["a < b < c", [['"a < b < c" compares twice: join two with "and"', "<", "and"]]],
    ["a # b", [['unexpected character "#"', "#"]]],
    ["a == “b”", [["“ does not start a string: write straight quotes", "“", '"']]],
    ["'a", [["the string has no end: expected a closing '", "'a"]]],
    ['"a\nb"', [['the string has no end: expected a closing "', '"a']]],
    ["'\\d'", [["unknown escape \\d: a backslash itself is written \\\\", "\\d", "\\\\d"]]],
    ["'\\uZZ'", [["\\u is followed by 4 hexadecimal digits that name a character", "\\uZZ'"]]],
    ["'\\UFFFFFFFF'", [["\\U is followed by 8 hexadecimal digits that name a character", "\\UFFFFFFFF"]]],
    ["3px", [['"3px" is neither a number nor a name', "3px"]]],
    ["1e999", [["1e999 is not a number that can be held", "1e999"]]],
    ["/* a", [['the comment has no end: expected "*/"', "/* a"]]],
    ["{{.inputs.x}} == 1", [["an expression names values directly, without {{ }}", "{{.inputs.x}}", "inputs.x"]]],
    [
      "{{lt .loop.Index 4}} || a",
      [["an expression names values directly, without {{ }}", "{{lt .loop.Index 4}}", "loop.Index < 4"]],
    ],
    [
      '{{- eq .states.b.Output "x y" -}}',
      [
        [
          "an expression names values directly, without {{ }}",
          '{{- eq .states.b.Output "x y" -}}',
          'states.b.Output == "x y"',
        ],
      ],
    ],
    ["{{and .a .b}}", [["an expression names values directly, without {{ }}", "{{and .a .b}}", "a and b"]]],
    ["{{not .a}}", [["an expression names values directly, without {{ }}", "{{not .a}}", "not a"]]],
    ["{{ .a == .b }}", [["an expression names values directly, without {{ }}", "{{ .a == .b }}", "a == b"]]],
    // What would be no expression is not proposed.
    ["{{if .a}}", [["an expression names values directly, without {{ }}", "{{if .a}}"]]],
    ["{{lt (len .a) 4}}", [["an expression names values directly, without {{ }}", "{{lt (len .a) 4}}"]]],
    ["{{{{a}}}}", [["an expression names values directly, without {{ }}", "{{{{a}}"]]],
    ["{{", [["an expression names values directly, without {{ }}", "{{"]]],
    [".inputs.x", [["expected a value: a name starts without a dot", ".inputs", "inputs"]]],
    ["lenn(a)", [['unknown function "lenn": did you mean "len"?', "lenn", "len"]]],
    ["zzzzz(a)", [['unknown function "zzzzz"', "zzzzz"]]],
    ["any(a)", [["any() needs a predicate, which expressions do not have: compute it in a step", "any"]]],
    ["len()", [["len() takes 1 argument, got 0: len(text or array or map)", "len"]]],
    ["join(a, b, c)", [["join() takes 1 to 2 arguments, got 3: join(array, separator)", "join"]]],
    ["max()", [["max() takes at least 1 argument, got 0: max(number, …) or (array)", "max"]]],
    ["a matches '('", [["the pattern is not RE2 syntax: error parsing regexp: missing closing ): `(`", "'('"]]],
    [
      "lenn(a) + lowr(b)",
      [
        ['unknown function "lenn": did you mean "len"?', "lenn", "len"],
        ['unknown function "lowr": did you mean "lower"?', "lowr", "lower"],
      ],
    ],
  ])("I1: %s is a fault", (source, faults) => {
    expect(faultsOf(source)).toEqual(faults);
  });

  test.each(["constructor.constructor('x')()", "(a)(1)", "a.b()", "a[0](1)", "'x'.toString()", "len(a)(b)"])(
    "I3: %s is not a call",
    (source) => {
      const message = "only a function's name can be called: write name(value), not value.name() or (value)()";
      expect(faultsOf(source)).toEqual([[message, "("]]);
    },
  );

  test("I3: a function that is called like a method gets the right call suggested", () => {
    expect(parseExpression("inputs.mode.lower()")).toMatchObject({ faults: [{ suggestion: "lower(inputs.mode, …)" }] });
  });

  test.each(["isPrototypeOf", "constructor", "__proto__", "hasOwnProperty"])("I3: %s is no function", (name) => {
    expect(faultsOf(`${name}(a)`)).toEqual([[`unknown function "${name}"`, name]]);
  });

  describe("I2: bounds", () => {
    const tooDeep = `the expression is nested more than ${MAX_DEPTH} levels deep`;
    const messages = (source: string): unknown => {
      const parsed = parseExpression(source);
      return parsed.ok ? "ok" : parsed.faults.map((fault) => fault.message);
    };

    test("the longest source", () => {
      expect(messages(`a${" ".repeat(MAX_SOURCE_LENGTH - 1)}`)).toEqual("ok");
      expect(messages(`a${" ".repeat(MAX_SOURCE_LENGTH)}`)).toEqual([
        `the expression has ${MAX_SOURCE_LENGTH + 1} characters: at most ${MAX_SOURCE_LENGTH} are allowed`,
      ]);
    });

    test.each<[string, (levels: number) => string]>([
      ["parentheses", (levels) => `${"(".repeat(levels)}a${")".repeat(levels)}`],
      ["sums", (levels) => "1+".repeat(levels - 1) + 1],
      ["members", (levels) => `a${".a".repeat(levels - 1)}`],
      ["arrays", (levels) => "[".repeat(levels - 1) + 1 + "]".repeat(levels - 1)],
      ["powers", (levels) => "2**".repeat(levels - 1) + 2],
      ["not", (levels) => `${"!".repeat(levels - 1)}a`],
      ["conditions", (levels) => `${"a?b:".repeat(levels - 1)}c`],
    ])("the deepest nesting of %s", (_, make) => {
      expect(messages(make(MAX_DEPTH))).toEqual("ok");
      expect(messages(make(MAX_DEPTH + 1))).toEqual([tooDeep]);
      expect(messages(make(2000))).toEqual([tooDeep]);
    });

    test("a wide expression is not a deep one", () => {
      expect(messages(`x in [${Array.from({ length: 2000 }, (_, at) => at).join(",")}]`)).toEqual("ok");
    });
  });
});
