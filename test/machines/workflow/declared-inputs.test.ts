/** Covers `lower/inputs.ts`: what a file says of its inputs, whole, and all that is said of what is wrong there. */
import { describe, expect, it } from "vitest";
import type { Json } from "../../../machines/model.ts";
import type { Input } from "../../../machines/workflow/document.ts";
import { checkPattern, lowerInputs } from "../../../machines/workflow/lower/inputs.ts";
import { Report } from "../../../machines/workflow/report.ts";
import { child } from "../../../machines/workflow/yaml/located.ts";
import { readYaml } from "../../../machines/workflow/yaml/read.ts";

/** The inputs of a file, what is found, and whether an input was lost. */
function declared(inputs: string, awf = false) {
  const source = `inputs: ${inputs}`;
  const report = new Report(source, awf);
  const { root } = readYaml(source);
  if (root === null) throw new Error("not read");
  report.root = root;
  const read = lowerInputs(child(root, "inputs"), report);
  return { inputs: read, found: told(report), lost: report.lostInput };
}
const told = (report: Report) =>
  report.findings().map(({ code, severity, message, expected, suggestion, path }) => ({
    code: code.replace("WORKFLOW.", ""),
    severity,
    message,
    path,
    ...(expected === undefined ? {} : { expected }),
    ...(suggestion === undefined ? {} : { suggestion }),
  }));
const plain = (name: string, rest: Partial<Input> = {}): Input => ({
  name,
  type: "string",
  required: false,
  validation: {},
  ...rest,
});
/** The rules of one input `a`. */
const rules = (validation: string) => declared(`{a: {validation: ${validation}}}`);

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

describe("rules", () => {
  it.each<[string, Input["validation"]]>([
    ["{pattern: '^a$', min: -1, max: 7}", { pattern: "^a$", min: -1, max: 7 }],
    ["{pattern: '', min: ~, max: ~, enum: ~, file_exists: ~, file_extension: ''}", {}],
    ["{enum: [1.0, yes, a, 0x10]}", { enum: ["1.0", "yes", "a", "0x10"] }],
    ["{enum: []}", { enum: [] }],
    ["{file_exists: on, file_extension: .go}", { fileExists: true, fileExtension: [".go"] }],
    ["{file_exists: false, file_extension: [.go, 7]}", { fileExtension: [".go", "7"] }],
  ])("%s", (written, validation) => {
    expect(rules(written)).toEqual({ inputs: [plain("a", { validation })], found: [], lost: false });
  });

  it("keep the values that are texts where others are not", () => {
    const { inputs, found } = rules("{enum: [a, [x], b, ~, c]}");
    expect(inputs).toEqual([plain("a", { validation: { enum: ["a", "b", "c"] } })]);
    expect(found.map(({ message, path }) => `${path}: ${message}`)).toEqual([
      'inputs.a.validation.enum[1]: entry 2 of "enum" must be text, not a list',
      'inputs.a.validation.enum[3]: entry 4 of "enum" is missing here',
    ]);
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

describe("a pattern", () => {
  const checked = (pattern: string, left: number) => {
    const report = new Report("", true);
    const budget = { left };
    checkPattern(pattern, ["inputs", 0, "validation", "pattern"], report, budget);
    return { left: budget.left, found: told(report) };
  };
  const bad = (reason: string) => ({
    code: "PARSE.INVALID_FIELD",
    severity: "warning",
    message: `"pattern" is not a regular expression: ${reason}`,
    expected: "RE2 syntax",
    path: "inputs[0].validation.pattern",
  });
  const unclosed = bad("error parsing regexp: missing closing ): `(`");

  it.each([
    ["abc", 3],
    ["a{3}", 4 * 3],
    ["a{2,5}", 6 * 5],
    ["a{2,}", 5 * 2],
    ["a{0}", 4],
    ["a{2}b{3}", 8 * 6],
    ["a{,7}", 5],
    ["a{b3}", 5],
    ["a{1000}", 7 * 1000],
    ["a".repeat(1000), 1000],
  ])("weighs its length, as often as it repeats: %s", (pattern, weight) => {
    expect(checked(pattern, weight)).toEqual({ left: 0, found: [] });
  });

  it("that is wrong is reported while there is weight left, and not after", () => {
    expect(checked("(", 1)).toEqual({ left: 0, found: [unclosed] });
    expect(checked("(", 0)).toEqual({ left: -1, found: [] });
  });

  it("that is too long is reported always, and weighs nothing", () => {
    expect(checked("a".repeat(1001), -1)).toEqual({ left: -1, found: [bad("it is longer than 1000 characters")] });
  });

  it("weighs with all others of the file", () => {
    const list = (patterns: readonly Json[]) =>
      JSON.stringify(patterns.map((pattern, index) => ({ name: `n${index}`, validation: { pattern } })));
    const heavy = [...Array.from({ length: 19 }, () => "a".repeat(1000)), "a".repeat(999)];
    expect(declared(list([...heavy, "(", "("])).found).toEqual([
      { ...unclosed, severity: "error", path: "inputs[20].validation.pattern" },
    ]);
  });
});
