import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json } from "../../../machines/model.ts";
import type { Input } from "../../../machines/workflow/document.ts";
import { hintOf, resolveInputs } from "../../../machines/workflow/inputs.ts";
import { input } from "../prompt/support.ts";

const integer = (rest: Partial<Input> = {}): Input => input("n", { type: "integer", ...rest });

/** The value of one input in the end, or its only fault. */
function resolved(
  one: Input,
  given: Json | undefined,
  fileExists?: (path: string) => boolean,
): Json | string | undefined {
  const options = fileExists === undefined ? {} : { fileExists };
  const result = resolveInputs([one], given === undefined ? {} : { [one.name]: given }, options);
  if (result.ok) return result.inputs[one.name];
  return result.faults.map(({ code, message }) => `${code} ${message}`).join("; ");
}

describe("resolveInputs", () => {
  test.each<[Input["type"], Json, Json]>([
    ["string", "a", "a"],
    ["string", 3, "3"],
    ["string", true, "true"],
    ["string", ["a"], ["a"]],
    ["integer", "3", 3],
    ["integer", " -7 ", -7],
    ["integer", "+007", 7],
    ["integer", "-0", 0],
    ["integer", 3, 3],
    ["boolean", "TRUE", true],
    ["boolean", "no", false],
    ["boolean", "1", true],
    ["boolean", "0", false],
    ["boolean", false, false],
  ])("%s %j is %j", (type, given, value) => {
    expect(resolved(input("x", { type }), given)).toEqual(value);
  });

  test.each<[Input["type"], Json, string]>([
    ["integer", "3.5", '"3.5": expected a whole number'],
    ["integer", "", '"": expected a whole number'],
    ["integer", "0x10", '"0x10": expected a whole number'],
    ...["9007199254740993", "-1234567890123456789", "9".repeat(60)].map((text): [Input["type"], Json, string] => [
      ...(["integer", text] as const),
      `"${text}": expected a whole number up to 9007199254740991 in size`,
    ]),
    ["integer", 2 ** 53, "9007199254740992: expected a whole number up to 9007199254740991 in size"],
    ["integer", 1.5, "1.5: expected a whole number"],
    ["integer", true, "true: expected a whole number"],
    ["integer", [1], "[1]: expected a whole number"],
    ["boolean", "maybe", '"maybe": expected true or false'],
    ["boolean", 1, "1: expected true or false"],
  ])("%s %j is refused", (type, given, message) => {
    expect(resolved(input("x", { type }), given)).toBe(`USER.INPUT.INVALID_FORMAT input "x" is ${message}`);
  });

  test("any whole number survives being printed and read", () => {
    fc.assert(fc.property(fc.maxSafeInteger(), (number) => resolved(integer(), String(number)) === number));
  });

  test("I1: a default takes the place of a missing value, and is converted and checked alike", () => {
    expect(resolved(integer({ default: "5" }), undefined)).toBe(5);
    expect(resolved(integer({ default: 5, required: true }), null)).toBe(5);
    expect(resolved(integer({ default: 50, validation: { max: 10 } }), undefined)).toBe(
      'USER.INPUT.VALIDATION_FAILED the default of input "n" is 50: expected at most 10',
    );
  });

  test("an optional input without a value is left out", () => {
    expect(resolveInputs([input("a")], {})).toEqual({ ok: true, inputs: {} });
  });

  test.each<[Input, Json, string]>([
    [
      input("a", { validation: { pattern: "^v\\d+$" } }),
      "v1x",
      '"v1x": expected text that matches the pattern `^v\\d+$`',
    ],
    [input("a", { validation: { enum: ["full", "quick"] } }), "Full", '"Full": expected one of full, quick'],
    [
      input("a", { type: "integer", validation: { min: 1, max: 9 } }),
      "0",
      "0: expected at least 1".replace("0:", '"0":'),
    ],
    [input("a", { type: "integer", validation: { min: 1, max: 9 } }), 10, "10: expected at most 9"],
    [
      input("a", { validation: { fileExtension: [".go", "ts"] } }),
      "a.go/b",
      '"a.go/b": expected a file with the extension .go or .ts',
    ],
    [input("a", { validation: { pattern: "a" } }), ["a"], '["a"]: expected text'],
  ])("a broken rule is named: %#", (one, given, message) => {
    expect(resolved(one, given)).toBe(`USER.INPUT.VALIDATION_FAILED input "a" is ${message}`);
  });

  test("values that keep the rules are accepted", () => {
    expect(resolved(input("a", { validation: { pattern: "b" } }), "abc")).toBe("abc");
    expect(resolved(input("a", { type: "integer", validation: { enum: ["1", "2"] } }), "2")).toBe(2);
    expect(resolved(input("a", { validation: { fileExtension: [".go"] } }), "x/y.test.go")).toBe("x/y.test.go");
  });

  test("a file must exist where that can be checked", () => {
    const file = input("f", { validation: { fileExists: true } });
    const looked: string[] = [];
    const look = (path: string): boolean => looked.push(path) > 0 && path === "here";
    expect(resolved(file, "here", look)).toBe("here");
    expect(resolved(file, "there", look)).toBe(
      'USER.INPUT.MISSING_FILE input "f" is "there": expected the path of a file that exists, from the run\'s folder',
    );
    expect(resolved(file, "there")).toBe("there");
    expect(looked).toEqual(["here", "there"]);
  });

  test("the path of a file is not empty; one that is not given is left out (I2 of rules.ts)", () => {
    const refused = 'is "": expected the path of a file';
    for (const validation of [{ fileExists: true }, { fileExtension: [".md"] }]) {
      const file = input("f", { validation });
      expect(resolved(file, "", () => true)).toBe(`USER.INPUT.VALIDATION_FAILED input "f" ${refused}`);
      expect(resolved({ ...file, default: "" }, undefined)).toBe(
        `USER.INPUT.VALIDATION_FAILED the default of input "f" ${refused}`,
      );
      expect(resolveInputs([file], {})).toEqual({ ok: true, inputs: {} });
    }
    expect(resolved(input("f", { validation: { fileExtension: [] } }), "")).toBe("");
  });

  test("I2: all faults are reported at once, in the order of declaration", () => {
    const inputs = [
      input("a", { required: true, description: "what to read" }),
      input("b", { required: true }),
      integer({ validation: { min: 2 } }),
      input("m", { validation: { enum: ["x"], pattern: "^x$" } }),
    ];
    expect(resolveInputs(inputs, { m: "y", b: "", n: "1", nn: "1" }, { extras: "refuse" })).toEqual({
      ok: false,
      faults: [
        { code: "USER.INPUT.MISSING", input: "a", message: 'input "a" (what to read) is required and was not given' },
        { code: "USER.INPUT.MISSING", input: "b", message: 'input "b" is required and is empty' },
        { code: "USER.INPUT.VALIDATION_FAILED", input: "n", message: 'input "n" is "1": expected at least 2' },
        {
          code: "USER.INPUT.VALIDATION_FAILED",
          input: "m",
          message: 'input "m" is "y": expected text that matches the pattern `^x$`',
        },
        { code: "USER.INPUT.VALIDATION_FAILED", input: "m", message: 'input "m" is "y": expected one of x' },
        {
          code: "USER.INPUT.UNKNOWN",
          input: "nn",
          message: 'there is no input "nn". Did you mean "n"? Its inputs are a, b, n, m.',
        },
      ],
    });
  });

  test.each([
    ["what is no plain name", "7Qw9/canary", "x"],
    ["a long one", "a".repeat(65), "x"],
    ["padded base64", "c2VjmcV0", "="],
    ["padded base64 of another length", "c2VjcmV0IQ", ""],
  ])("%s is not repeated, since it may be a secret", (_, name, value) => {
    expect(resolveInputs([], { [name]: value }, { extras: "refuse" })).toEqual({
      ok: false,
      faults: [
        { code: "USER.INPUT.UNKNOWN", input: "", message: "what you gave is no input. This workflow takes no inputs." },
      ],
    });
  });

  test("undeclared names are kept unless the caller refuses them", () => {
    expect(resolveInputs([], { x: "1" })).toEqual({ ok: true, inputs: { x: "1" } });
    expect(resolveInputs([], { x: "1" }, { extras: "refuse" }).ok).toBe(false);
  });

  test("I3: messages repeat neither a secret nor a long value", () => {
    expect(resolved(input("API_KEY_X", { type: "integer" }), "s3cret")).toMatch(/ is \*\*\*: expected a whole number$/);
    expect(String(resolved(integer(), "x".repeat(5_000))).length).toBeLessThan(200);
  });

  test("T10: names of the prototype are names like others; __proto__ is not allowed", () => {
    const result = resolveInputs([input("constructor"), input("toString", { required: true })], { constructor: "1" });
    expect(result).toEqual({
      ok: false,
      faults: [
        { code: "USER.INPUT.MISSING", input: "toString", message: 'input "toString" is required and was not given' },
      ],
    });
    const polluted = JSON.parse('{"__proto__": {"admin": true}}') as { [name: string]: Json };
    expect(resolveInputs([], polluted).ok).toBe(false);
    expect(resolveInputs([input("__proto__")], polluted).ok).toBe(false);
    expect(({} as { admin?: boolean }).admin).toBe(undefined);
  });

  test("T22: a pattern that no backtracking engine would finish takes linear time, and an absurd one is refused", () => {
    expect(resolved(input("a", { validation: { pattern: "^(a+)+$" } }), `${"a".repeat(5_000)}!`)).toMatch(
      /expected text that matches/,
    );
    expect(resolved(input("a", { validation: { pattern: "(a{1,100}){1,8}$" } }), "a".repeat(900_000))).toMatch(
      /short enough/,
    );
    expect(resolved(input("a", { validation: { pattern: "(" } }), "a")).toMatch(/a pattern that can be read/);
  });
});

describe("hintOf", () => {
  test("required inputs first, then the optional ones with their defaults", () => {
    const inputs = [
      integer({ default: 3 }),
      input("file", { required: true }),
      input("mode", { required: true, validation: { enum: ["full", "quick"] } }),
      input("note", { default: "two words" }),
      input("TOKEN_X", { default: "abc" }),
      input("dry", { type: "boolean", default: false }),
    ];
    expect(hintOf(inputs)).toBe("file=<string> mode=<full|quick> [n=3] [note=<string>] [TOKEN_X=<string>] [dry=false]");
    expect(hintOf([])).toBe("");
  });
});
