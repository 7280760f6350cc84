/** What is wrong in a step hides nothing else that is wrong in it (I1, I2). */
import { expect, test } from "vitest";
import { parse } from "../fixtures.ts";

const GONE = "{{.inputs.gone}}";
const told = (fields: string, awf = false): string[] =>
  parse(`name: x\nstates:\n  initial: a\n  a: {${fields}, on_success: d}\n  d: {type: terminal}\n`, {
    awf,
  }).findings.map(({ column, message, path }) => `${column} ${path}: ${message}`);

test.each([
  ["a misspelt command", `cmd: 'echo "${GONE}"'`, "states.a.command"],
  ["where it runs", `type: command, command: [x], dir: "${GONE}"`, "states.a.dir"],
  ["a hook", `type: command, hooks: {pre: [{log: "${GONE}"}]}`, "states.a.hooks.pre[0].log"],
  ["a condition", "type: command, transitions: [{when: 'inputs.gone == 1', goto: d}]", "states.a.transitions[0].when"],
  ["a misspelt prompt", `type: agent, provider: p, promt: "${GONE}"`, "states.a.prompt"],
  ["a prompt for nobody", `type: agent, prompt: "${GONE}"`, "states.a.prompt"],
  ["what stands beside no prompt", `type: agent, provider: p, system_prompt: "${GONE}"`, "states.a.system_prompt"],
  ["a prompt of a misspelt type", `type: agnt, provider: p, prompt: "${GONE}"`, "states.a.prompt"],
  ["inputs of no operation", `type: operation, inputs: {url: "${GONE}"}`, "states.a.inputs.url"],
  ["inputs of no call", `type: call_workflow, inputs: {url: "${GONE}"}`, "states.a.inputs.url"],
])("%s is checked, though its step cannot be read", (_, fields, path) => {
  const findings = told(fields);
  expect(findings).toHaveLength(2);
  const other = findings.find((one) => one.includes(` ${path}: `)) ?? "";
  expect(other).toContain('input "gone" is not declared');
  const line = `  a: {${fields}`;
  expect(line.slice(Number(other.split(" ", 1)[0]) - 1)).toMatch(/^"?(?:\{\{)?\.?inputs\.gone|^\.inputs\.gone/);
});

test("items that are misspelt are read, and their loop goes where it says", () => {
  const source = (items: string) =>
    `name: x\nstates:\n  initial: a\n  a: {type: for_each, ${items}: ["${GONE}"], body: [b], on_complete: d}\n  b: {command: "true", on_success: a}\n  d: {type: terminal}\n`;
  expect(parse(source("itms")).findings.map(({ path }) => path)).toEqual(["states.a.itms", "states.a.items[0]"]);
});

test("what stands in for a value that is missing says nothing of its own, in AWF's places too", () => {
  for (const kind of ["command", "agent", "operation", "call_workflow", "for_each", "parallel", "ask"])
    for (const awf of [false, true]) expect([kind, told(`type: ${kind}`, awf).length]).toEqual([kind, 1]);
  expect(told("type: while, body: [b]")).toHaveLength(2);
});
