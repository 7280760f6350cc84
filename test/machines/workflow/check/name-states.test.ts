/** Covers `name-checker.ts`: all that is said of states, of what their results have, and of rounds. */
import { describe, expect, test } from "vitest";
import { at, when } from "./named.ts";
import { said, states, step } from "./said.ts";

const PROPERTIES =
  "one of Output, Stderr, ExitCode, Status, Response, JSON, Data, Truncated, TokensUsed, TokensInput, TokensOutput, TokensEstimated, …";

describe("names", () => {
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
