import { describe, expect, it } from "vitest";
import { parse } from "../fixtures.ts";

/** Findings about the text of command step `a` in a small workflow. */
function of(command: string, extra = ""): string[] {
  const source = `name: x
inputs: [{name: file}]
states:
  initial: a
  a: {command: 'echo ${command}', on_success: b}
  b: {command: x, on_success: d${extra}}
  d: {type: terminal}
`;
  return parse(source).findings.map(({ code, message, suggestion, range }) =>
    [code.split(".").at(-1), source.slice(range.start, range.end), message, suggestion]
      .filter((part) => part !== undefined)
      .join(" | "),
  );
}

describe("names in templates", () => {
  it.each([
    ["{{.inputs.fil}}", 'UNDEFINED_INPUT | .inputs.fil | input "fil" is not declared | file'],
    ["{{inputs.other}}", 'UNDEFINED_INPUT | inputs.other | input "other" is not declared'],
    ["{{.states.c.Output}}", 'UNDEFINED_STATE | .states.c.Output | state "c" does not exist'],
    ["{{.states.d.Output}}", 'UNDEFINED_STATE | .states.d.Output | "d" is an end and has no result'],
    ["{{.states.b.Output}}", 'FORWARD_REFERENCE | .states.b.Output | "b" cannot have run before this text is read'],
    ["{{.states.a.Output}}", 'FORWARD_REFERENCE | .states.a.Output | "a" reads its own result before it has run'],
    [
      "{{.states.a.output}}",
      `UNDEFINED_PROPERTY | .states.a.output | a state's result has no "output" (states.a.output) | Output`,
    ],
    ["{{.loop.Item}}", 'UNDEFINED_NAME | .loop.Item | "loop" is known in the body of a loop only'],
    ["{{.error.Message}}", 'UNDEFINED_NAME | .error.Message | "error" is known in workflow_error hooks only'],
    [
      "{{.parameters.x}}",
      'UNDEFINED_NAME | .parameters.x | "parameters" is known in template files only, and there alone in its braces',
    ],
    ["{{.workflow.Nam}}", 'UNDEFINED_NAME | .workflow.Nam | "workflow" has no "Nam" | Name'],
    ["{{.file}}", 'UNDEFINED_NAME | .file | "file" is not known here | inputs.file'],
    ["{{file}}", 'BAD_TEMPLATE | file | unknown function or name "file" | inputs.file'],
    ["{{ b | trim }}", 'BAD_TEMPLATE | b | unknown function or name "b" | states.b'],
    ["{{trimspace .inputs.file}}", 'BAD_TEMPLATE | trimspace | unknown function or name "trimspace" | trimSpace'],
    ["{{.imputs.file}}", 'UNDEFINED_NAME | .imputs.file | "imputs" is not known here | inputs'],
  ])("%s: %s", (command, expected) => {
    expect(of(command)).toEqual([expected]);
  });

  it("accepts names that can exist", () => {
    expect(of("{{.inputs.file}} {{.env.HOME}} {{.context.User}} {{.awf.prompts_dir}} {{.workflow.ID}}")).toEqual([]);
    expect(of("{{.states.b.Output}}", ", on_failure: a")).toEqual([]);
  });

  it("checks the actions beside a broken one", () => {
    expect(of("{{.inputs.a}} {{ | }} {{.inputs.b}}").map((each) => each.split(" | ")[0])).toEqual([
      "UNDEFINED_INPUT",
      "BAD_TEMPLATE",
      "UNDEFINED_INPUT",
    ]);
  });
});

describe("names in conditions", () => {
  const when = (text: string): string[] => of("x", `, transitions: [{when: "${text}", goto: d}]`);

  it("has folders and the time that has gone by in templates only", () => {
    expect(when("workflow.duration != '' and awf.config_dir == '/c' and workflow.StartedAt != ''")).toEqual([
      'UNDEFINED_NAME | workflow.duration | "workflow.duration" is known in templates only',
      'UNDEFINED_NAME | awf.config_dir | "awf" is known in templates only',
    ]);
  });

  it("reads a state's properties in any case", () => {
    expect(when("states.a.exit_code == 0 and states.b.OUTPUT == ''")).toEqual([]);
    expect(when("states.a.outptu == ''")).toEqual([
      `UNDEFINED_PROPERTY | states.a.outptu | a state's result has no "outptu" (states.a.outptu) | Output`,
    ]);
  });

  it("finds names that cannot exist", () => {
    expect(when("inputs.fiel == 'x'")).toEqual(['UNDEFINED_INPUT | inputs.fiel | input "fiel" is not declared | file']);
    expect(when("file == 'x'")).toEqual(['UNDEFINED_NAME | file | "file" is not known here | inputs.file']);
  });

  it("does not let a branch read the others, nor a later state", () => {
    const source = `name: x
states:
  initial: p
  p: {parallel: [a, b], transitions: [{when: states.a.ExitCode == states.b.ExitCode, goto: c}, {goto: d}]}
  a: {command: "echo {{.states.b.Output}}"}
  b: {command: "echo {{.states.c.Output}}"}
  c: {command: "echo {{.states.a.Output}}", on_success: d}
  d: {type: terminal}
`;
    expect(parse(source).findings.map(({ line, code }) => `${line} ${code}`)).toEqual([
      "5 WORKFLOW.VALIDATION.FORWARD_REFERENCE",
      "6 WORKFLOW.VALIDATION.FORWARD_REFERENCE",
    ]);
  });
});
