/** Covers `lower/inputs.ts`: what a file says of its inputs, and all that is said of what is wrong there. */
import { describe, expect, it } from "vitest";
import { declared, plain } from "./declared.ts";

describe("inputs", () => {
  it("are a list with names or a map by name, in the order of the file", () => {
    const inputs = [plain("b", { description: "what" }), plain("a"), plain("1.0")];
    const all = { inputs, found: [], lost: false };
    expect(declared("[{name: b, description: what}, {name: a}, {name: 1.0}]")).toEqual(all);
    expect(declared("{b: {description: what}, a: , 1.0: {}}")).toEqual(all);
    expect(declared("{a: {name: other}}").inputs).toEqual([plain("a")]);
  });

  it("are none where the file has none", () => {
    expect(declared("")).toEqual({ inputs: [], found: [], lost: false });
    expect(declared("[]")).toEqual({ inputs: [], found: [], lost: false });
  });

  it("have a type, a need, a default and rules", () => {
    const source = `{
      a: {type: INTEGER, required: true, default: 0, validation: {min: 0, max: 0}},
      b: {type: boolean, required: "yes", default: false},
      c: {type: "", required: no, default: ~, description: 1.50, validation: {}},
      d: {default: [x, {y: 1}], validation: ~}}`;
    expect(declared(source)).toEqual({
      inputs: [
        plain("a", { type: "integer", required: true, default: 0, validation: { min: 0, max: 0 } }),
        plain("b", { type: "boolean", required: true, default: false }),
        plain("c", { description: "1.50" }),
        plain("d", { default: ["x", { y: 1 }] }),
      ],
      found: [],
      lost: false,
    });
  });

  it("that are neither a list nor a map are refused", () => {
    expect(declared("all", true)).toEqual({
      inputs: [],
      found: [
        {
          code: "PARSE.INVALID_FIELD",
          severity: "error",
          message: '"inputs" must be a list of inputs, each with a name',
          expected: "a list of inputs",
          path: "inputs",
        },
      ],
      lost: false,
    });
  });

  it("that cannot be read are lost, and the others kept", () => {
    const expected = "a map with name, type and the like";
    const invalid = { code: "PARSE.INVALID_FIELD", severity: "error", expected };
    expect(declared("[~, 7, {name: a}]")).toEqual({
      inputs: [plain("a")],
      found: [
        { ...invalid, code: "PARSE.MISSING_FIELD", message: "an input is empty", path: "inputs[0]" },
        { ...invalid, message: `an input must be ${expected}, not 7`, path: "inputs[1]" },
      ],
      lost: true,
    });
    expect(declared("{b: [x], a: {}}")).toEqual({
      inputs: [plain("a")],
      found: [{ ...invalid, message: `input "b" must be ${expected}, not a list`, path: "inputs.b" }],
      lost: true,
    });
  });

  it.each([
    [false, "error"],
    [true, "warning"],
  ])("that have no name are passed over (in a place of AWF: %s)", (awf, severity) => {
    expect(declared("[{type: string}, {name: a}]", awf)).toEqual({
      inputs: [plain("a")],
      found: [
        {
          ...{ code: "PARSE.MISSING_FIELD", severity, message: 'an input needs "name"', expected: "text" },
          path: "inputs[0].name",
        },
      ],
      lost: true,
    });
  });

  it("have a great number as it is written for a default, where they are text", () => {
    const great = "9007199254740993";
    expect(declared(`[{name: a, default: ${great}}, {name: b, default: 17}]`)).toEqual({
      inputs: [plain("a", { default: great }), plain("b", { default: 17 })],
      ...{ found: [], lost: false },
    });
    expect(declared(`[{name: a, type: integer, default: ${great}}]`).inputs[0]?.default).toBe(2 ** 53);
  });

  it("have no fields but these", () => {
    expect(declared("{a: {requird: true}}").found).toEqual([
      {
        code: "PARSE.UNKNOWN_FIELD",
        severity: "error",
        message: 'input "a" has no field "requird"',
        suggestion: "required",
        path: "inputs.a.requird",
      },
    ]);
  });

  it.each([
    [false, "error"],
    [true, "warning"],
  ])("are named once (in a place of AWF: %s)", (awf, severity) => {
    expect(declared("[{name: a}, {name: b}, {name: a, required: true}]", awf)).toEqual({
      inputs: [plain("a"), plain("b")],
      found: [
        {
          code: "PARSE.INVALID_FIELD",
          severity,
          message: 'input "a" is declared twice',
          expected: "each name once",
          path: "inputs[2].name",
        },
      ],
      lost: false,
    });
  });
});

describe("a type", () => {
  const expected = "one of string, integer, boolean";
  const invalid = { code: "PARSE.INVALID_FIELD", path: "inputs.a.type", expected };

  it.each([
    ["intger", '"intger"', { suggestion: "integer" }],
    ["3", '"3"', {}],
  ])("%s is none: the input is read as text, as AWF does until it runs", (type, shown, more) => {
    const message = `${shown} is not a type of input`;
    for (const [awf, severity] of [
      [false, "error"],
      [true, "warning"],
    ] as const) {
      expect(declared(`{a: {type: ${type}, default: 1}}`, awf)).toEqual({
        inputs: [plain("a", { default: 1 })],
        found: [{ ...invalid, severity, message, ...more }],
        lost: false,
      });
    }
  });

  it.each([
    ["[string]", "a list"],
    ["{string: 1}", "a map"],
  ])("%s is refused, also where AWF loads files", (type, shown) => {
    expect(declared(`{a: {type: ${type}, required: true}}`, true)).toEqual({
      inputs: [plain("a", { required: true })],
      found: [{ ...invalid, severity: "error", message: `"type" must be ${expected}, not ${shown}` }],
      lost: false,
    });
  });
});

describe("a secret by its name", () => {
  const short = (name: string) => ({
    code: "VALIDATION.SHORT_SECRET",
    severity: "warning",
    message: `"${name}" is a secret by its name, and its default is so short that it is masked as a whole word only`,
    expected: "4 characters or more",
    path: `inputs.${name}.default`,
  });

  it.each(["abc", "yes", "7"])("has a default that can be hidden, unlike %s", (value) => {
    expect(declared(`{API_KEY: {default: ${value}}}`).found).toEqual([short("API_KEY")]);
  });

  it.each([
    ["API_KEY", "abcd"],
    ["API_KEY", "1234"],
    ["API_KEY", "''"],
    ["API_KEY", "[a]"],
    ["API_KEY", "true"],
    ["title", "abc"],
  ])("is no trouble: %s with %s", (name, value) => {
    expect(declared(`{${name}: {default: ${value}}}`).found).toEqual([]);
  });
});
