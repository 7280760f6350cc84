/** Covers `name-checker.ts`: all that is said of inputs, namespaces and their members. */
import { describe, expect, test } from "vitest";
import { at, when } from "./named.ts";
import { said, states, step } from "./said.ts";

/** What is said of a text of the command of `a`. */
const ofText = (text: string, head = ""): object[] => said(states(step("a", `command: 'echo ${text}'`, "d"), head));

const NAMESPACES = "one of inputs, states, env, workflow, context, error, loop, awf";

describe("names", () => {
  test("inputs: none declared, some, and more than a dozen", () => {
    expect(ofText("{{.inputs.p}}")).toEqual([
      {
        code: "UNDEFINED_INPUT",
        message: 'input "p" is not declared',
        expected: 'an input "p" in inputs',
        path: at,
        at: ".inputs.p",
      },
    ]);
    const inputs = (count: number): string =>
      `inputs: [${Array.from({ length: count }, (_, i) => `{name: i${i}00}`).join(", ")}]\n`;
    expect(ofText("{{.inputs.q}}", inputs(12))).toMatchObject([
      { expected: "one of i000, i100, i200, i300, i400, i500, i600, i700, i800, i900, i1000, i1100" },
    ]);
    expect(ofText("{{.inputs.q}}", inputs(13))).toMatchObject([
      { expected: "one of i000, i100, i200, i300, i400, i500, i600, i700, i800, i900, i1000, i1100, …" },
    ]);
    expect(ofText("{{.inputs}} {{.env.ANY}} {{.states}}")).toEqual([]);
    expect(ofText("{{.inputs.p}} {{.inputs.q}}", "inputs: [{name: p}, {name: q}]\n")).toEqual([]);
  });

  test("an input that could not be read may be one that is not declared, but for a slip", () => {
    const head = "inputs: [{nam: file}, {name: branch}]\n";
    const lost = { message: 'an input has no field "nam"' };
    expect(ofText("{{.inputs.file}}", head)).toMatchObject([lost]);
    expect(ofText("{{.inputs.file}} {{.inputs.brnch}}", head)).toMatchObject([
      lost,
      { message: 'input "brnch" is not declared', suggestion: "branch" },
    ]);
  });

  test("in a file of AWF each is a warning", () => {
    const text = "{{.inputs.p}} {{.states.x.Output}} {{.context.Usr}}";
    const awf = said(states(step("a", `command: 'echo ${text}'`, "d")), true);
    expect(awf).toEqual(ofText(text).map((each) => ({ ...each, severity: "warning" })));
    expect(awf).toHaveLength(3);
  });

  test("members of namespaces, and namespaces", () => {
    const code = "UNDEFINED_NAME";
    expect(ofText("{{.parameters.p}}")).toEqual([
      {
        code,
        message: '"parameters" is known in template files only, and there alone in its braces',
        expected: "inputs, or {{.parameters.word}} and nothing else between the braces",
        path: at,
        at: ".parameters.p",
      },
    ]);
    expect(ofText("{{.context.Usr}} {{.context}}")).toEqual([
      {
        code,
        message: '"context" has no "Usr"',
        expected: "one of WorkingDir, User, Hostname",
        suggestion: "User",
        path: at,
        at: ".context.Usr",
      },
    ]);
    expect(ofText("{{.contxt.User}}")).toEqual([
      {
        code,
        message: '"contxt" is not known here',
        expected: NAMESPACES,
        suggestion: "context",
        path: at,
        at: ".contxt.User",
      },
    ]);
    expect(ofText("{{.p}}", "inputs: [{name: p}]\n")).toMatchObject([
      { message: '"p" is not known here', expected: NAMESPACES, suggestion: "inputs.p" },
    ]);
    expect(ofText("{{.context.user}}")).toMatchObject([{ message: '"context" has no "user"', suggestion: "User" }]);
    expect(when("context.user == 'a' and context.working_dir == 'b'")).toEqual([]);
    expect(when("context.usr == 'a'")).toMatchObject([{ message: '"context" has no "usr"', suggestion: "User" }]);
    expect(when("context[inputs.q] == 'a'")).toMatchObject([{ message: 'input "q" is not declared' }]);
    expect(when("context[env.Q] == 'a'")).toEqual([]);
    expect(when("context.usr[env.Q] == 'a' and context.user[env.Q] == 'b'")).toMatchObject([
      { message: '"context" has no "usr"', at: "context.usr[env.Q]" },
    ]);
  });

  test("loop, and error: where they are known", () => {
    const code = "UNDEFINED_NAME";
    expect(ofText("{{.loop.Item}} {{.error.Message}}")).toEqual([
      {
        code,
        message: '"loop" is known in the body of a loop only',
        expected: "a state in the body of a loop",
        path: at,
        at: ".loop.Item",
      },
      {
        code,
        message: '"error" is known in workflow_error hooks only',
        expected: "hooks.workflow_error",
        path: at,
        at: ".error.Message",
      },
    ]);
    expect(when("error.message == ''")).toEqual([]);
    const loop = (break_when: string, body: string): object[] =>
      said(
        `name: x\nhooks: {workflow_error: [{log: "{{.error.Message}} {{.loop.Index}}"}], workflow_end: [{log: "{{.error.Type}}"}]}\nstates:\n  initial: l\n  l: {type: for_each, items: [1], body: [b], break_when: "${break_when}", on_complete: d}\n  b: {type: parallel, parallel: [c], strategy: all_succeed}\n  c: {command: 'echo ${body}'}\n  d: {type: terminal}\n`,
      );
    expect(loop("loop.Index == 1", "{{.loop.Item}}")).toEqual([
      {
        code,
        message: '"loop" is known in the body of a loop only',
        expected: "a state in the body of a loop",
        path: "hooks.workflow_error[0].log",
        at: ".loop.Index",
      },
      {
        code,
        message: '"error" is known in workflow_error hooks only',
        expected: "hooks.workflow_error",
        path: "hooks.workflow_end[0].log",
        at: ".error.Type",
      },
    ]);
  });
});
