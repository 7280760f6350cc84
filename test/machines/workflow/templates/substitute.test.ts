/** Parameters of a template: given, by default, lacking, and where they stand. */
import { describe, expect, test } from "vitest";
import type { Json } from "../../../../machines/model.ts";
import { placeholders, substitute } from "../../../../machines/workflow/templates/substitute.ts";
import { expanded, template, use } from "./expanded.ts";

describe("parameters", () => {
  const head =
    "parameters: [{name: p, required: true}, {name: q, default: [1, 2]}, {name: r}, {name: z, default: 0}]\n";
  test("given, by default, and empty; a list stays one where it stands alone", () => {
    const body =
      "s: {command: 'x {{parameters.p}} {{ .parameters.q }} {{- parameters.r -}} {{parameters.none}}', items: ' {{parameters.q}} ', z: '{{parameters.z}}'}";
    expect(expanded(use(", parameters: {p: {k: v}, r: null}"), { t: template(body, head) }).states).toEqual({
      a: { command: 'x {"k":"v"} [1,2]', items: [1, 2], z: 0, on_success: "d", on_failure: "f" },
    });
  });

  test.each([
    ["a \n {{- parameters.p -}} \t b", "aPb"],
    ["a {{ parameters.p }} b", "a P b"],
    ["a {{- parameters.p }} {{parameters.p -}}  {{- parameters.p}} b", "aP PP b"],
    ["a\u00a0 {{- parameters.p -}} \u00a0b", "a\u00a0P\u00a0b"],
  ])("the blanks beside one go where its braces say so: %j", (text, made) => {
    expect(substitute(text, new Map([["p", "P"]]))).toBe(made);
  });

  test("one that is lacking, and one that is not known", () => {
    const step = use(", parameters: {qq: 1, p: null}");
    const { states, found } = expanded(step, { t: template("s: {command: x}", head) });
    expect(found).toEqual([
      {
        code: "BAD_USE_OF_TEMPLATE",
        severity: "error",
        message: 'template "t" needs parameter "p"',
        expected: "parameters.p",
        at: "parameters",
      },
      {
        code: "BAD_USE_OF_TEMPLATE",
        severity: "error",
        message: 'template "t" has no parameter "qq"',
        expected: "one of p, q, r, z",
        suggestion: "q",
        at: "qq",
      },
    ]);
    expect(states).toMatchObject({ a: { use_template: "t" } });
    expect(expanded(use(", parameters: {p: 1}"), { t: template("s: {command: x}") }).found).toMatchObject([
      { message: 'template "t" has no parameter "p"', expected: "no parameters" },
    ]);
  });

  test("placeholders and where they stand", () => {
    expect(placeholders("a {{parameters.b}}{{- .parameters.c-d }} {{.parameters}} {{parameters.1}}")).toEqual([
      { name: "b", range: { start: 2, end: 18 } },
      { name: "c-d", range: { start: 18, end: 40 } },
    ]);
    const values = new Map<string, Json>([["a", null]]);
    expect(substitute({ x: ["{{parameters.a}}", 1, null], y: "{{parameters.b}}" }, values)).toEqual({
      x: ["{{parameters.a}}", 1, null],
      y: "{{parameters.b}}",
    });
  });
});
