/** Faults of a document: found all at once, and forgiven where AWF forgives them. */
import { describe, expect, it } from "vitest";
import { brief, parse, underlined } from "./fixtures.ts";

describe("parseWorkflow", () => {
  it("finds twelve faults of eleven kinds, in file order, each underlined (I1)", () => {
    const source = `name: twelve
inputs:
  - {name: mode, type: strng}
states:
  initial: build
  build:
    type: step
    comand: make
    command: just {{.inputs.mod}}
    timeout: soon
    on_success: tets
  test:
    type: step
    command: |
      echo "{{.states.build.Outputt}}"
      echo "{{.states.later.Output}}"
      echo "{{.inputs.mode | shout}}"
    transitions:
      - {when: "states.build.ExitCode = 0", goto: done}
      - {goto: later}
  later:
    type: agent
    provider: claude
    on_success: done
  lost:
    type: step
    command: echo {{.states.gone.Output}}
    on_success: done
  done:
    type: terminal
`;
    const { workflow, findings } = parse(source);
    expect(workflow).toBeNull();
    expect(
      findings.map(({ line, column, code, suggestion }, index) => [
        `${line}:${column}`,
        code,
        underlined(source, findings)[index],
        suggestion,
      ]),
    ).toEqual([
      ["3:24", "WORKFLOW.PARSE.INVALID_FIELD", "strng", "string"],
      ["8:5", "WORKFLOW.PARSE.UNKNOWN_FIELD", "comand", "command"],
      ["9:21", "WORKFLOW.VALIDATION.UNDEFINED_INPUT", ".inputs.mod", "mode"],
      ["10:14", "WORKFLOW.PARSE.INVALID_FIELD", "soon", undefined],
      ["11:17", "WORKFLOW.VALIDATION.MISSING_STATE", "tets", "test"],
      ["15:15", "WORKFLOW.VALIDATION.UNDEFINED_PROPERTY", ".states.build.Outputt", "Output"],
      ["16:15", "WORKFLOW.VALIDATION.FORWARD_REFERENCE", ".states.later.Output", undefined],
      ["17:30", "WORKFLOW.VALIDATION.BAD_TEMPLATE", "shout", undefined],
      ["19:39", "WORKFLOW.VALIDATION.BAD_EXPRESSION", "=", "=="],
      ["21:3", "WORKFLOW.PARSE.MISSING_FIELD", "later", undefined],
      ["25:3", "WORKFLOW.VALIDATION.UNREACHABLE_STATE", "lost", undefined],
      ["27:21", "WORKFLOW.VALIDATION.UNDEFINED_STATE", ".states.gone.Output", undefined],
    ]);
  });

  it("turns into warnings the faults that AWF loads, and only those (D8)", () => {
    const source = `name: x
colour: red
states:
  initial: a
  a: {type: step, command: "echo {{.inputs.nope}} {{ oops", on_success: d, recover: perhaps}
  lost: {type: step, command: x, on_success: d}
  d: {type: terminal}
`;
    expect(brief(parse(source, { awf: true }).findings)).toEqual([
      "2:1 UNKNOWN_FIELD (warning)",
      "5:36 UNDEFINED_INPUT (warning)",
      "5:51 BAD_TEMPLATE (warning)",
      "5:85 INVALID_FIELD (warning)",
      "6:3 UNREACHABLE_STATE (warning)",
    ]);
    expect(parse(source, { awf: true }).workflow?.states["d"]).toMatchObject({ status: "success" });
    expect(parse(source).findings.map((finding) => finding.severity)).toEqual(Array(5).fill("error"));
    const refused =
      "name: x\nstates:\n  initial: a\n  a: {type: agent, provider: custom, prompt: x, on_success: d}\n  d: {type: terminal}\n";
    expect(brief(parse(refused, { awf: true }).findings)).toEqual(["4:30 INVALID_FIELD"]);
  });

  it("completes a document whose body leads to a missing state, in AWF's folders only (document I1)", () => {
    const source = `name: x
states:
  initial: l
  l: {type: for_each, items: [1], body: [b], on_complete: d}
  b: {type: step, command: x, on_success: nowhere}
  d: {type: terminal}
`;
    const loose = parse(source, { awf: true });
    expect(brief(loose.findings)).toEqual(["5:43 MISSING_STATE (warning)"]);
    expect(loose.workflow?.states["nowhere"]).toMatchObject({ type: "terminal", status: "failure" });
    expect(parse(source).workflow).toBeNull();
  });
});
