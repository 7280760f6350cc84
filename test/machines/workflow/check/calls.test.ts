import { expect, test } from "vitest";
import { checkCalls, type FindCallee } from "../../../../machines/workflow/check/calls.ts";
import type { Workflow } from "../../../../machines/workflow/document.ts";
import { brief, parse } from "../fixtures.ts";

const source = (name: string, ...calls: string[]): string =>
  [
    `name: ${name}`,
    "states:",
    `  initial: ${calls.length === 0 ? "end" : "s0"}`,
    ...calls.map((call, at) => `  s${at}: {type: call_workflow, workflow: "${call}", on_success: s${at + 1}}`),
    calls.length === 0 ? "  end: {type: terminal}" : `  s${calls.length}: {type: terminal}`,
  ].join("\n");

const FILES: { readonly [name: string]: string } = {
  self: source("self", "self"),
  a: source("a", "leaf", "b"),
  b: source("b", "{{.inputs.other}}", "c"),
  c: source("c", "a", "gone"),
  outside: source("outside", "a"),
  leaf: source("leaf"),
};
const document = (name: string): Workflow | null => parse(FILES[name] ?? "", { file: `/w/${name}` }).workflow;
const find: FindCallee = (name) =>
  Object.hasOwn(FILES, name) ? { file: `/w/${name}`, workflow: document(name) } : { missing: `no ${name}` };

test.each([
  ["self", ["4:39 CIRCULAR"], ['"self" calls itself']],
  ["a", ["5:39 CIRCULAR"], ['"b" calls its way back here: b, then c, then a']],
  ["c", ["4:39 CIRCULAR", "5:39 WORKFLOW_NOT_FOUND"], ['"a" calls its way back here: a, then b, then c', "no gone"]],
  ["outside", [], []],
  ["leaf", [], []],
])("I1: the calls of %s", (name, places, messages) => {
  const workflow = document(name);
  if (workflow === null) throw new Error(`${name} cannot be read`);
  const findings = checkCalls(workflow, FILES[name] ?? "", false, find);
  expect([brief(findings), findings.map(({ message }) => message)]).toEqual([places, messages]);
  expect(checkCalls(workflow, FILES[name] ?? "", true, find).map(({ severity }) => severity)).toEqual(
    places.map(() => "warning"),
  );
});

test("a fault of a call that is written nested stands where its name does", () => {
  const text = `name: x
states:
  initial: a
  a: {type: call_workflow, call_workflow: {workflow: gone}, on_success: d}
  d: {type: terminal}
`;
  const { workflow } = parse(text, { file: "/w/x" });
  if (workflow === null) throw new Error("it cannot be read");
  expect(brief(checkCalls(workflow, text, false, find))).toEqual(["4:54 WORKFLOW_NOT_FOUND"]);
});
