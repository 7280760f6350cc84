import { describe, expect, it } from "vitest";
import type { Workflow } from "../../../machines/workflow/document.ts";
import { parseWorkflow } from "../../../machines/workflow/parse.ts";
import { given, givenByCaller } from "../../../projections/terminal/stand-ins.ts";

const SOURCE = `
name: x
inputs:
  - { name: who, required: true }
  - { name: n, type: integer, default: 2 }
  - { name: many, type: integer, required: true, validation: { min: 3, max: 9 } }
  - { name: few, type: integer, required: true, validation: { max: -1 } }
  - { name: sure, type: boolean, required: true }
  - { name: how, required: true, validation: { enum: [full, quick] } }
  - { name: mail, required: true, validation: { pattern: "@" } }
  - { name: free }
states:
  initial: end
  end: { type: terminal }
`;
const STANDS = { who: "<who>", many: 3, few: -1, sure: false, how: "full", mail: "<mail>" };

function parsed(file: string | null = null): Workflow {
  const { workflow, findings } = parseWorkflow(SOURCE, { file, awf: false });
  if (workflow === null) throw new Error(JSON.stringify(findings));
  return workflow;
}

describe("the inputs of a dry run", () => {
  it("I1 are what is given and defaults, and stand-ins for the rest", () => {
    expect(given(parsed(), {})).toEqual({ ok: true, inputs: { n: 2, ...STANDS }, standIns: Object.keys(STANDS) });
    expect(given(parsed(), { who: "you", many: "5" })).toMatchObject({
      inputs: { n: 2, ...STANDS, who: "you", many: 5 },
      standIns: ["few", "sure", "how", "mail"],
    });
  });

  it("I1 say everything that is wrong with what is given", () => {
    const wrong = given(parsed(), { n: "many", mail: "no", who: "", extra: "x" });
    expect(wrong).toMatchObject({ ok: false, code: "USER.INPUT.MISSING" });
    expect(wrong.ok ? [] : wrong.message.split("\n")).toHaveLength(4);
    expect(given(parsed("/w/.awf/workflows/x.yaml"), { extra: "x" })).toMatchObject({ ok: true });
  });

  it("of a called workflow are not checked", () => {
    expect(givenByCaller(parsed(), { who: "{{.states.a.Output}}", n: "{{.x}}", how: "other" })).toEqual({
      inputs: { ...STANDS, who: "{{.states.a.Output}}", n: "{{.x}}", how: "other" },
      standIns: ["many", "few", "sure", "mail"],
    });
  });
});
