import { describe, expect, test } from "vitest";
import { assignInputs } from "../../../machines/prompt/assign-inputs.ts";
import type { Argument } from "../../../machines/prompt/slash-command.ts";
import type { Input } from "../../../machines/workflow/document.ts";
import { input } from "./support.ts";

const assign = (given: Argument[], ...inputs: Input[]) => assignInputs({ name: "x", arguments: given }, inputs);
const needed = { required: true };

describe("assignInputs", () => {
  test("pairs go to their inputs, as text", () => {
    const given = [
      { name: "n", value: "3" },
      { name: "file", value: "a=b" },
    ];
    expect(assign(given, input("file"), input("n", { type: "integer" }))).toEqual({
      ok: true,
      given: { n: "3", file: "a=b" },
    });
  });

  test.each<[string, Input[], string]>([
    ["the only required text input", [input("a"), input("b", needed), input("n", { type: "integer", ...needed })], "b"],
    ["the only text input", [input("n", { type: "integer", ...needed }), input("a")], "a"],
  ])("I2: text goes to %s", (_, inputs, target) => {
    expect(assign([{ text: "hello there" }], ...inputs)).toEqual({ ok: true, given: { [target]: "hello there" } });
  });

  test("I2: text goes to the one required text input that has no value", () => {
    const given = [{ name: "a", value: "1" }, { text: "x" }, { text: "y" }];
    expect(assign(given, input("a", needed), input("b", needed))).toEqual({ ok: true, given: { a: "1", b: "x y" } });
  });

  test.each<[Input[], string]>([
    [[input("a"), input("b")], 'the text could be any of the inputs a, b: write a="…"'],
    [[input("n", { type: "integer" })], "the workflow has no input for free text: its inputs are n"],
    [[], "the workflow has no input for free text: it takes no inputs"],
  ])("I2: text without one target is refused", (inputs, message) => {
    expect(assign([{ text: "x" }], ...inputs)).toEqual({
      ok: false,
      faults: [{ code: "USER.INPUT.INVALID_FORMAT", message }],
    });
  });

  test("I1, T8: every undeclared name is reported, with the nearest one and all that exist", () => {
    const given = [
      { name: "fiel", value: "1" },
      { name: "zzz", value: "2" },
      { name: "file", value: "3" },
    ];
    expect(assign(given, input("file"), input("mode"))).toEqual({
      ok: false,
      faults: [
        {
          code: "USER.INPUT.UNKNOWN",
          input: "fiel",
          message: 'there is no input "fiel". Did you mean "file"? Its inputs are file, mode.',
        },
        { code: "USER.INPUT.UNKNOWN", input: "zzz", message: 'there is no input "zzz". Its inputs are file, mode.' },
      ],
    });
  });

  test("T10: an input may be called constructor, and __proto__ reaches no prototype", () => {
    const assigned = assign([{ name: "constructor", value: "1" }], input("constructor"));
    expect(assigned.ok && Object.entries(assigned.given)).toEqual([["constructor", "1"]]);
    expect(assign([{ name: "__proto__", value: "1" }], input("a")).ok).toBe(false);
  });
});
