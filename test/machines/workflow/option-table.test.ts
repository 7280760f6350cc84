/** Covers `option-table.ts`: what a value of an option must be like, in words. */
import { describe, expect, test } from "vitest";
import type { Json } from "../../../machines/model.ts";
import { isRendered, misfit, type OptionForm } from "../../../machines/workflow/option-table.ts";

const FITS = null;
const number = (more: { whole?: boolean; from?: number; to?: number } = {}): OptionForm => ({
  type: "number",
  whole: false,
  ...more,
});

describe("a form and a value", () => {
  test.each<[OptionForm, [Json, string | null][]]>([
    [
      { type: "text" },
      [
        ["a", FITS],
        ["", "a text"],
        ["a\0b", "a text"],
        [1, "a text"],
        [null, "a text"],
      ],
    ],
    [
      { type: "choice", of: ["low", "high"] },
      [
        ["low", FITS],
        ["mid", "one of low, high"],
        [1, "one of low, high"],
      ],
    ],
    [
      { type: "flag" },
      [
        [true, FITS],
        [false, FITS],
        ["true", FITS],
        ["false", FITS],
        ["yes", "true or false"],
        [1, "true or false"],
      ],
    ],
    [
      { type: "list" },
      [
        ["a b", FITS],
        ["", FITS],
        [["a", "b"], FITS],
        [[], FITS],
        [["a", 1], "a list of texts"],
        [["a\0"], "a list of texts"],
        [{}, "a list of texts"],
      ],
    ],
    [
      { type: "map" },
      [
        [{}, FITS],
        [{ a: 1 }, FITS],
        [[], "a map"],
        [null, "a map"],
        ["a", "a map"],
      ],
    ],
    [
      number(),
      [
        [0.5, FITS],
        ["0.5", FITS],
        [" 2 ", FITS],
        [0, "a number above 0"],
        [-1, "a number above 0"],
        ["", "a number above 0"],
        [" ", "a number above 0"],
        ["x", "a number above 0"],
        [true, "a number above 0"],
        [[3], "a number above 0"],
        ["Infinity", "a number above 0"],
      ],
    ],
    [
      number({ whole: true }),
      [
        [1, FITS],
        [1.5, "a whole number above 0"],
        ["1.5", "a whole number above 0"],
      ],
    ],
    [
      number({ whole: true, from: 0 }),
      [
        [0, FITS],
        [1e9, FITS],
        [-1, "a whole number from 0 up"],
        [0.5, "a whole number from 0 up"],
      ],
    ],
    [
      number({ from: 0, to: 2 }),
      [
        [0, FITS],
        [2, FITS],
        [2.1, "a number from 0 to 2"],
        [-0.1, "a number from 0 to 2"],
      ],
    ],
  ])("%j", (form, values) => {
    expect(values.map(([value]) => [value, misfit(form, value)])).toEqual(values);
  });
});

test("a value that a template makes is known later, however deep the template stands", () => {
  const values: [Json, boolean][] = [
    ["{{.inputs.a}}", true],
    ["a", false],
    [1, false],
    [null, false],
    [["a", { b: "{{.c}}" }], true],
    [{ a: ["b", "{{.c}}"] }, true],
    [{ a: "b" }, false],
    [{}, false],
  ];
  expect(values.map(([value]) => [value, isRendered(value)])).toEqual(values);
});
