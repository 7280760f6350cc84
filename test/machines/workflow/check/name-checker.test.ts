/** Covers `name-checker.ts`: all that is said of a name. */
import { describe, expect, test } from "vitest";
import { said, states, step } from "./said.ts";

/** What is said of a text of the command of `a`. */
const ofText = (text: string, head = ""): object[] => said(states(step("a", `command: 'echo ${text}'`, "d"), head));
/** What is said of a condition behind `a`. */
const when = (text: string, more = ""): object[] =>
  said(states(`  a: {command: x, transitions: [{when: "${text}", goto: d}, {goto: d}]}\n${more}`));

const NAMESPACES = "one of inputs, states, env, workflow, context, error, loop, awf";
const PROPERTIES =
  "one of Output, Stderr, ExitCode, Status, Response, JSON, Data, Truncated, TokensUsed, TokensInput, TokensOutput, TokensEstimated, …";
const at = "states.a.command";

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

  test("states: one that is not there, an end, what a result has not, and one that comes later", () => {
    const source = states(
      `${step("a", "command: 'echo {{.states.bb.Output}} {{.states.d.Output}} {{.states.b.Zzz}} {{.states.b.Output}} {{.states.a.Output}}'", "b")}${step("b", "command: 'echo {{.states.a.Output}}'", "d")}`,
    );
    expect(said(source)).toEqual([
      {
        code: "UNDEFINED_STATE",
        message: 'state "bb" does not exist',
        expected: "one of a, b",
        suggestion: "b",
        path: at,
        at: ".states.bb.Output",
      },
      {
        code: "UNDEFINED_STATE",
        message: '"d" is an end and has no result',
        expected: "a step",
        path: at,
        at: ".states.d.Output",
      },
      {
        code: "UNDEFINED_PROPERTY",
        message: `a state's result has no "Zzz" (states.b.Zzz)`,
        expected: PROPERTIES,
        path: at,
        at: ".states.b.Zzz",
      },
      {
        code: "FORWARD_REFERENCE",
        message: '"b" cannot have run before this text is read',
        expected: "a state that runs earlier",
        path: at,
        at: ".states.b.Output",
      },
      {
        code: "FORWARD_REFERENCE",
        message: '"a" reads its own result before it has run',
        expected: "a state that runs earlier",
        path: at,
        at: ".states.a.Output",
      },
    ]);
    expect(said(states(step("a", "command: x", "b") + step("b", "command: 'echo {{.states.a}}'", "d")))).toEqual([]);
    expect(when("states.b.Output == ''", step("b", "command: x", "d"))).toMatchObject([
      { message: '"b" cannot have run before this condition is read', at: "states.b.Output" },
      { code: "UNREACHABLE_STATE" },
    ]);
  });

  test("order is judged where it is known: not of hooks of the workflow, nor of a state that no run reaches", () => {
    expect(when("states.a.Output == ''")).toEqual([]);
    const head =
      "hooks: {workflow_start: [{log: '{{.states.a.Output}}'}], workflow_end: [{log: '{{.states.a.Output}}'}]}\n";
    expect(said(states(step("a", "command: x", "d"), head))).toEqual([]);
    const unreached = step("a", "command: x", "d") + step("b", "command: 'echo {{.states.c.Output}}'", "c");
    expect(said(states(unreached + step("c", "command: x", "d")))).toMatchObject([{ code: "UNREACHABLE_STATE" }]);
  });

  test("the answer of a step that says what its answer has", () => {
    const schema = "output_schema: {type: object, additionalProperties: false, properties: {verdict: {type: string}}}";
    const agent = `  a: {type: agent, provider: claude, prompt: x, ${schema}, on_success: b}\n`;
    const text = (command: string): object[] => said(states(`${agent}${step("b", `command: 'echo ${command}'`, "d")}`));
    expect(text("{{.states.a.JSON.verdct}}")).toEqual([
      {
        code: "UNDEFINED_PROPERTY",
        message: 'the answer of "a" has no "verdct": its output_schema does not name it',
        expected: "one of verdict",
        suggestion: "verdict",
        path: "states.b.command",
        at: ".states.a.JSON.verdct",
      },
    ]);
    expect(text("{{.states.a.JSON.verdict}} {{.states.a.JSON}} {{.states.a.Output}} {{.states.a.Data.x}}")).toEqual([]);
    expect(text("{{.states.a.JSON.verdict.more}}")).toMatchObject([
      {
        message: 'the answer of "a" has no "verdict.more": its output_schema does not name it',
        expected: "nothing below it",
      },
    ]);
    const ask = "  a: {type: ask, questions: [{name: deed, prompt: x}], on_success: b}\n";
    expect(said(states(`${ask}${step("b", "command: 'echo {{.states.a.Response.ded}}'", "d")}`))).toMatchObject([
      {
        message: 'the answer of "a" has no "ded": it has no such question',
        expected: "one of deed",
        suggestion: "deed",
      },
    ]);
  });

  test("the item of a matrix has the names of its lists", () => {
    const fan = (text: string) =>
      said(
        states(
          `  a: {type: for_each, matrix: {os: [x], node: [1]}, body: [r, n], on_complete: d}\n  r: {command: 'echo ${text}'}\n` +
            "  n: {type: for_each, items: [{arch: y}], body: [s], break_when: loop.Item.arch == 'y'}\n  s: {command: 'echo {{.loop.Item.arch}}'}\n",
        ),
      );
    expect(fan("{{.loop.Item.os}} {{.loop.Item}} {{.loop.Item.node}}")).toEqual([]);
    expect(fan("{{.loop.Item.nod}}")).toEqual([
      {
        code: "UNDEFINED_PROPERTY",
        message: 'the matrix of "a" has no "nod"',
        expected: "one of os, node",
        suggestion: "node",
        path: "states.r.command",
        at: ".loop.Item.nod",
      },
    ]);
  });

  test("the item of a round has the names of its loop's matrix", () => {
    const reading = (text: string) =>
      said(
        states(
          `  a: {type: for_each, matrix: {os: [x], node: [1]}, body: [r], on_complete: b}\n  r: {command: x}\n${step("b", `command: 'echo ${text}'`, "d")}`,
        ),
      );
    expect(reading("{{range .states.a.Rounds}}{{.Item.os}} {{.Item}} {{.Item.node}}{{end}}")).toEqual([]);
    expect(reading("{{range .states.a.Rounds}}{{.Item.nod}}{{end}}")).toMatchObject([
      { message: 'the matrix of "a" has no "nod"', suggestion: "node", at: ".Item.nod" },
    ]);
    expect(reading("{{range .states.a.Rounds}}{{.item.os}}{{end}}")).toMatchObject([
      { message: 'a round of "a" has no "item"', suggestion: "Item" },
    ]);
  });

  test("a step of rounds by themselves is known together only", () => {
    const fan = "  a: {type: for_each, items: [1], body: [r], max_concurrent: 2, on_complete: b}\n  r: {command: x}\n";
    expect(said(states(`${fan}${step("b", "command: 'echo {{.states.r.Output}}'", "d")}`))).toEqual([
      {
        code: "UNDEFINED_STATE",
        message: '"r" runs once for each item of "a": outside of its round no one result has that name',
        expected: "states.a.Rounds, a list with the Item, Status and Output of each",
        path: "states.b.command",
        at: ".states.r.Output",
      },
    ]);
  });
});
