/** Covers `lower/inputs.ts`: rules of an input, and the patterns among them. */
import { describe, expect, it } from "vitest";
import type { Json } from "../../../machines/model.ts";
import type { Input } from "../../../machines/workflow/document.ts";
import { checkPattern } from "../../../machines/workflow/lower/inputs.ts";
import { Report } from "../../../machines/workflow/report.ts";
import { declared, plain, told } from "./declared.ts";

/** The rules of one input `a`. */
const rules = (validation: string) => declared(`{a: {validation: ${validation}}}`);

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
