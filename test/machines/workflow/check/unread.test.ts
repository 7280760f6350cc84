import { describe, expect, it } from "vitest";
import { said, states, step } from "./said.ts";

const END = "on_success: d";
/** What is said of a workflow, in short: its severity where that is no error, what it says, and where. */
const told = (source: string, awf = false): string[] =>
  (said(source, awf) as { code: string; severity?: string; message: string; path: string }[])
    .filter(({ code }) => code === "INVALID_FIELD")
    .map(({ severity, message, path }) => `${severity ?? "error"} ${path}: ${message}`);
const ofStep = (fields: string): string[] => told(states(`  a: {${fields}, ${END}}\n`));

describe("of fields that take each other's place", () => {
  it.each([
    ["command: x, hooks: {pre: [{log: a}, {command: b}]}", []],
    [
      "command: x, hooks: {pre: [{log: a, command: b}], post: [{log: a}, {}]}",
      [
        'error states.a.hooks.pre[0].command: a hook with "log" runs no "command"',
        "error states.a.hooks.post[1]: this hook does nothing",
      ],
    ],
    ["operation: http.request, inputs: {url: x, method: GET}, operation_inputs: null", []],
    [
      "operation: http.request, inputs: {url: x, method: GET}, operation_inputs: {url: y}",
      ['error states.a.operation_inputs: "inputs" and "operation_inputs" exclude each other'],
    ],
    ["type: call_workflow, call_workflow: {workflow: x, inputs: {a: b}}, timeout: 3", []],
    [
      "workflow: x, inputs: {a: b}, call_workflow: {workflow: y, inputs: {a: b}, timeout: 3}",
      [
        'error states.a.call_workflow.workflow: "workflow" and "call_workflow.workflow" exclude each other',
        'error states.a.call_workflow.inputs: "inputs" and "call_workflow.inputs" exclude each other',
      ],
    ],
  ])("%s", (fields, expected) => expect(ofStep(fields)).toEqual(expected));

  it("those of the workflow itself too, in AWF's places as warnings", () => {
    const source = states(step("a", "command: x", "d"), "hooks: {workflow_end: [{log: a, command: b}]}\n");
    const message = 'hooks.workflow_end[0].command: a hook with "log" runs no "command"';
    expect(told(source)).toEqual([`error ${message}`]);
    expect(told(source, true)).toEqual([`warning ${message}`]);
  });
});

describe("of outputs, each is given", () => {
  it.each([
    ["{a: x, b: {from: inputs.x}, c: {value: y, description: z}}", []],
    ["[{name: a, from: workflow.ID}, {name: b, value: y}]", []],
    ["{a: {description: x}}", ["error outputs.a: this output has no value, and is never given"]],
    ["[{name: a}]", ["error outputs[0]: this output has no value, and is never given"]],
    ["{a: {from: workflow.ID, value: y}}", ['error outputs.a.value: "from" and "value" exclude each other']],
    [
      "[{name: a, from: workflow.ID}, {name: a, from: workflow.Name}]",
      ['error outputs[1].name: output "a" is declared twice'],
    ],
  ])("%s", (outputs, expected) => {
    expect(told(states(step("a", "command: x", "d"), `outputs: ${outputs}\n`))).toEqual(expected);
  });

  it.each([
    ["workflow: x, outputs: {a: b, b: a}", []],
    [
      "workflow: x, outputs: {a: c, b: c}",
      ['error states.a.outputs.b: "a" and "b" both get the name "c" here: only one is kept'],
    ],
    [
      "type: call_workflow, call_workflow: {workflow: x, outputs: {a: c, b: c}}",
      ['error states.a.call_workflow.outputs.b: "a" and "b" both get the name "c" here: only one is kept'],
    ],
  ])("of a called workflow: %s", (fields, expected) => expect(ofStep(fields)).toEqual(expected));
});

it.each([
  ["{max_attempts: 1, initial_delay: 1s}", []],
  ["{}", []],
  [
    "{initial_delay: 1s, backoff: linear}",
    ["warning states.a.retry: without max_attempts there is one attempt, and nothing is tried again"],
  ],
])("a retry says how often: %s", (retry, expected) => expect(ofStep(`command: x, retry: ${retry}`)).toEqual(expected));
