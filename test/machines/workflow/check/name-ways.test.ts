/** Covers `name-checker.ts`: what is read of the items of a list, and under another name. */
import { expect, test } from "vitest";
import { said, states, step } from "./said.ts";

test("a round of a loop, in a range and by its place", () => {
  const loop = "  m: {type: for_each, items: [1], max_concurrent: 2, body: [b], on_complete: z}\n  b: {command: x}\n";
  const rounds = (text: string): object[] =>
    said(states(`${step("a", "command: x", "m")}${loop}${step("z", `command: 'echo ${text}'`, "d")}`));
  const fault = {
    code: "UNDEFINED_PROPERTY",
    message: 'a round of "m" has no "Outputt"',
    expected:
      "one of Item, Index, Output, Stderr, ExitCode, Status, Response, JSON, Data, Truncated, TokensUsed, TokensInput, …",
    suggestion: "Output",
    path: "states.z.command",
  };
  expect(rounds("{{range .states.m.Rounds}}{{.Outputt}}{{end}}")).toEqual([{ ...fault, at: ".Outputt" }]);
  expect(rounds("{{(index .states.m.Rounds 0).Outputt}}")).toMatchObject([fault]);
  expect(rounds("{{range .states.m.Rounds}}{{.Item.x}}{{.Index}}{{.JSON.y}}{{.}}{{end}}")).toEqual([]);
});

const when = (text: string): object[] =>
  said(states(`  a: {command: x, transitions: [{when: "${text}", goto: d}, {goto: d}]}\n`));

test("what a let stands for, and its own value once", () => {
  expect(when("let x = states.a; x.Outputt == 1")).toMatchObject([{ suggestion: "Output", at: "x.Outputt" }]);
  expect(when("let x = states.b; x.Output == 1 or x.JSON.y")).toMatchObject([{ at: "states.b" }]);
  expect(when("let x = states.a.JSON; let y = x.z; y.w == 1")).toEqual([]);
  expect(when("states.a.Rounds[0].outputt == 1")).toMatchObject([{ message: 'a round of "a" has no "outputt"' }]);
});
