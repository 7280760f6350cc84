import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json } from "../../../../machines/model.ts";
import { MAX_STEPS, MAX_TEXT_LENGTH, MAX_VALUE_DEPTH } from "../../../../machines/workflow/expression/budget.ts";
import { parseExpression } from "../../../../machines/workflow/expression/parse.ts";
import { MAX_PATTERN_LENGTH } from "../../../../machines/workflow/expression/pattern.ts";
import { errorOf, isTrue, resultOf } from "./reading.ts";

const OPEN_ENDED = [
  "(a+)+",
  "(a*)*",
  "(a|a)*",
  "(a|aa)+",
  "(.*a){12}",
  "(a+){2,9}",
  "([a-z]+)*",
  "(x*x*)*a*",
  "a*a*a*a*a*a*",
];
const AROUND: ((core: string) => string)[] = [
  (core) => `^${core}$`,
  (core) => `^${core}!?$`,
  (core) => `(?i)^(?:${core})*$`,
  (core) => `^${core}\\b$`,
];
const LOOK_AROUND = [
  "(?=a)",
  "(?!a)",
  "(?<=a)",
  "(?<!a)",
  "(a)\\1",
  "(?>a)",
  "a++",
  "(?P<n>a)\\k<n>",
  "\\Ga",
  "(?#c)",
  "a{1001}",
  "((a{100}){100}){100}",
  "[",
  "*",
];
const texts = { good: "a".repeat(5000), bad: `${"a".repeat(5000)}\n\0` };

describe("T22: patterns", () => {
  const patterns = OPEN_ENDED.flatMap((core) => AROUND.map((around) => around(core)));

  test.each(patterns)("%s answers in linear time", (pattern) => {
    const scope = { ...texts, pattern };
    expect(isTrue("good matches pattern and not (bad matches pattern)", scope)).toEqual(true);
  });

  test.each(LOOK_AROUND)("%s is refused, and blamed on the pattern", (pattern) => {
    const parsed = parseExpression(`good matches \`${pattern}\``);
    expect(parsed).toMatchObject({ ok: false, faults: [{ range: { start: 13, end: 15 + pattern.length } }] });
    expect(errorOf("good matches pattern", { ...texts, pattern })).toMatchObject({ blamed: "pattern" });
  });

  test("there are at least 50 of them", () => {
    expect(patterns.length + LOOK_AROUND.length).toBeGreaterThanOrEqual(50);
  });

  test("a pattern that is too long is refused, and a text that is too long for its pattern", () => {
    expect(errorOf("'a' matches pattern", { pattern: "a".repeat(MAX_PATTERN_LENGTH + 1) })).toMatchObject({
      message: "the pattern has 1025 characters: at most 1024 are allowed",
    });
    expect(errorOf("text matches '(a{30}){30}b'", { text: "a".repeat(1024 * 1024) })).toMatchObject({
      message: `the expression takes more than ${MAX_STEPS} steps`,
    });
  });
});

describe("T10: members of prototypes are missing", () => {
  const NAMES = ["constructor", "__proto__", "prototype", "toString", "valueOf", "hasOwnProperty", "__defineGetter__"];
  const ROOTS = ["", "inputs.", "inputs.text.", "inputs.list.", "inputs.n.", "states.a.", "loop."];
  const scope = { inputs: { text: "x", list: [1], n: 1 }, states: { a: {} }, loop: {} };

  test.each(ROOTS.flatMap((root) => NAMES.map((name) => root + name)))("%s", (source) => {
    expect(resultOf(source, scope)).toEqual(null);
    expect(resultOf(`${source}.${source}.name ?? 'safe'`, scope)).toEqual("safe");
  });

  test("an input of such a name is an input like any other", () => {
    const inputs = JSON.parse('{"constructor": 1, "__proto__": {"polluted": 2}}') as Json;
    expect(resultOf("[inputs.constructor, inputs.__proto__.polluted, inputs['__proto__']]", { inputs })).toEqual([
      1,
      2,
      { polluted: 2 },
    ]);
  });

  test("a map literal with such a key changes no prototype", () => {
    expect(resultOf("{__proto__: {polluted: 1}}.polluted")).toEqual(null);
    expect(resultOf('fromJSON(\'{"__proto__": {"polluted": 1}}\').polluted')).toEqual(null);
    expect(Object.hasOwn(Object.prototype, "polluted")).toEqual(false);
  });
});

describe("budgets", () => {
  const long = "x".repeat(MAX_TEXT_LENGTH);
  const nested = (levels: number): Json => (levels === 0 ? 1 : [nested(levels - 1)]);
  const tooLong = (length: number): string =>
    `the text would have ${length} characters: at most ${MAX_TEXT_LENGTH} are allowed`;
  const steps = `the expression takes more than ${MAX_STEPS} steps`;
  const depth = `the value is nested more than ${MAX_VALUE_DEPTH} levels deep`;

  test.each<[string, string]>([
    ["long + 'x'", tooLong(MAX_TEXT_LENGTH + 1)],
    ["repeat('x', 1048577)", tooLong(MAX_TEXT_LENGTH + 1)],
    ["replace(xs, 'x', long)", tooLong(3 * MAX_TEXT_LENGTH)],
    ["join([long, 'x'])", tooLong(MAX_TEXT_LENGTH + 1)],
    ["lower(longer)", tooLong(MAX_TEXT_LENGTH + 1)],
    ["upper(ligatures)", tooLong(2 * MAX_TEXT_LENGTH)],
    ["toJSON(long)", tooLong(MAX_TEXT_LENGTH + 2)],
    ["1..1000000", steps],
    ["len(split(long, ''))", steps],
    ["len(split(long, 'x'))", steps],
    ["uniq(many)", steps],
    ["deep == deep", depth],
    ["toJSON(deep)", depth],
    ["1 in [deep]", depth],
  ])("I3: %s is refused", (source, message) => {
    const scope = {
      long,
      longer: `${long}x`,
      xs: "xxx",
      ligatures: "ß".repeat(MAX_TEXT_LENGTH),
      many: Array.from({ length: 1000 }, (_, at) => at),
      deep: nested(5000),
    };
    expect(errorOf(source, scope)).toMatchObject({ code: "WORKFLOW.EXPRESSION.EVALUATION", message });
  });

  test("a text of the largest size may be built, and a longer one may be searched", () => {
    expect(resultOf("len(repeat('x', 1048576))")).toEqual(MAX_TEXT_LENGTH);
    expect(resultOf("longer contains 'y'", { longer: `${long}${long}y` })).toEqual(true);
  });
});

describe("any text", () => {
  const piece = fc.constantFrom(
    ...[
      "inputs",
      ".",
      "?.",
      "[",
      "]",
      "(",
      ")",
      "{",
      "}",
      ":",
      "?",
      ",",
      "|",
      "not",
      "in",
      "and",
      "matches",
      "contains",
    ],
    ...[
      "==",
      "<",
      "+",
      "-",
      "*",
      "/",
      "%",
      "**",
      "??",
      "..",
      "1",
      "2.5",
      "'a'",
      '"',
      "`",
      "\\",
      "len",
      "join",
      "nil",
      "true",
    ],
  );
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(piece, { maxLength: 12 }).map((parts) => parts.join(" ")),
  );

  test("I1: is an expression or has faults that lie in it, and evaluates to a value or an ExpressionError", () => {
    fc.assert(
      fc.property(text, (source) => {
        const parsed = parseExpression(source);
        if (parsed.ok) {
          expect(errorOf(source, { inputs: { a: 1 } })).toBeTypeOf("object");
          return;
        }
        expect(parsed.faults.length).toBeGreaterThan(0);
        for (const { message, range } of parsed.faults) {
          expect(message).not.toEqual("");
          expect(0 <= range.start && range.start <= range.end && range.end <= source.length).toEqual(true);
        }
      }),
      { numRuns: 5000 },
    );
  });
});
