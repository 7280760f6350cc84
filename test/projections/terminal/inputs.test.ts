import { describe, expect, it } from "vitest";
import type { Input } from "../../../machines/workflow/document.ts";
import { inputLines, isSecretInput, missingInputs, readInput } from "../../../projections/terminal/inputs.ts";
import { command, workflow } from "../../support/documents.ts";

const input = (name: string, over: Partial<Input> = {}): Input => ({
  name,
  type: "string",
  required: true,
  validation: {},
  ...over,
});
const level = input("level", { validation: { enum: ["low", "high", "1"] } });
const count = input("count", { type: "integer", validation: { min: 1, max: 9 } });
const document = (...inputs: Input[]) => ({ ...workflow([command("a")]), inputs });
const names = (inputs: Input[]) => inputs.map(({ name }) => name);
const nowhere = () => false;

describe("inputs asked on the terminal", () => {
  it("asks for what is required and was not given, in order", () => {
    const all = document(input("a"), input("b", { required: false }), input("c", { default: "x" }), count);
    expect(names(missingInputs(all, {}))).toEqual(["a", "count"]);
    expect(names(missingInputs(all, { a: "" }))).toEqual(["a", "count"]);
    expect(names(missingInputs(all, { a: "x", count: "3" }))).toEqual([]);
  });

  it("I1 asks nothing while something that was given is wrong", () => {
    const all = document(input("a"), count);
    expect(missingInputs(all, { count: "many" })).toEqual([]);
    expect(missingInputs(all, { other: "x" })).toEqual([]);
  });

  it("shows what a value must be", () => {
    const plain = { colours: false, columns: null };
    expect(inputLines(input("a", { description: "what\u001b[2J to do\u202e" }), plain)).toEqual([
      "? a",
      "  what\\u001b[2J to do\\u202e",
    ]);
    expect(inputLines(count, plain)).toEqual(["? count (integer)"]);
    expect(inputLines(level, plain)).toEqual(["? level", "  1) low", "  2) high", "  3) 1"]);
  });

  it.each<[Input, string, string]>([
    [level, "high", "high"],
    [level, " 2 ", "high"],
    [level, "1", "1"],
    [count, "7", "7"],
    [input("a"), " spaces stay ", " spaces stay "],
    [input("b", { type: "boolean" }), "yes", "yes"],
    [input("b", { type: "boolean" }), " N ", "no"],
  ])("I2 takes a value that fits", (asked, line, value) => {
    expect(readInput(asked, line, nowhere)).toEqual({ ok: true, value });
  });

  it.each<[Input, string, string]>([
    [level, "4", 'input "level" is "4": expected one of low, high, 1'],
    [level, "", 'input "level" is required and is empty'],
    [count, "12", 'input "count" is "12": expected at most 9'],
    [count, "x", 'input "count" is "x": expected a whole number'],
    [
      input("f", { validation: { fileExists: true } }),
      "a.ts",
      'input "f" is "a.ts": expected the path of a file that exists, from the run\'s folder',
    ],
    [input("api_key", { type: "integer" }), "hush", 'input "api_key" is ***: expected a whole number'],
  ])("I2 says what was expected", (asked, line, message) => {
    expect(readInput(asked, line, nowhere)).toEqual({ ok: false, message });
  });

  it("hides what is typed for a secret", () => {
    expect([isSecretInput("api_key"), isSecretInput("name")]).toEqual([true, false]);
  });
});
