/** Covers `own-states.ts`. */
import { expect, test } from "vitest";
import { ownStatesRenamed } from "../../../../machines/workflow/templates/own-states.ts";
import { parse } from "../fixtures.ts";

const under = (step: string) => (name: string) =>
  name === "first" ? step : name === "more" || name === "my-own" ? `${step}__${name}` : null;
const text = (said: string, step = "a"): unknown => ownStatesRenamed({ prompt: said }, under(step))["prompt"];
const condition = (said: string, step = "a"): unknown => ownStatesRenamed({ while: said }, under(step))["while"];

test.each([
  [
    "{{.states.first.Output}} {{ $.states.more.Output | json }}",
    "{{.states.a.Output}} {{ $.states.a__more.Output | json }}",
  ],
  [
    "{{states.more.Output}}{{if eq .states.more.Output `x`}}",
    "{{states.a__more.Output}}{{if eq .states.a__more.Output `x`}}",
  ],
  [
    '{{index .states "first" "Output"}} {{index .states "my-own"}}',
    '{{index .states "a" "Output"}} {{index .states "a__my-own"}}',
  ],
])("a template reads them: %s", (said, expected) => {
  expect(text(said)).toBe(expected);
});

test.each([
  [
    "states.first.ExitCode != 0 and not (states.more.Output contains 'x')",
    "states.a.ExitCode != 0 and not (states.a__more.Output contains 'x')",
  ],
  [`states["my-own"].Output == states['first'].Output`, `states["a__my-own"].Output == states["a"].Output`],
])("a condition reads them: %s", (said, expected) => {
  expect(condition(said)).toBe(expected);
});

test.each([
  ...[
    "states.first.Output",
    "{{.states.other.Output}} {{.inputs.states.first}}",
    "{{.states.firstly.Output}} {{.states}}",
  ],
  ...['{{printf "}} .states.first" }}', "{{/* .states.first.Output */}}", "{{.parameters.first}} {{.Names}}", "{{"],
])("nothing else in a text is renamed (I1): %s", (said) => {
  expect(text(said)).toBe(said);
});

test.each([
  "states.other.Output == 'states.first.Output'",
  "inputs.states.first",
  "states.firstly.Output",
  "my_states.first.x",
])("nothing else in a condition is renamed (I1): %s", (said) => {
  expect(condition(said)).toBe(said);
});

test("a name that the dot cannot lead to is read otherwise", () => {
  expect(text("{{.states.first.Output}} {{$.states.more.Output}}", "my-step")).toBe(
    '{{(index .states "my-step").Output}} {{(index $.states "my-step__more").Output}}',
  );
  expect(condition("states.more.Output == 1", "my-step")).toBe('states["my-step__more"].Output == 1');
});

test("texts stand anywhere in a state, conditions in their places", () => {
  const said = { env: { A: ["{{.states.first.Output}}", 1, null] }, when: 7, inputs: { when: "states.first.x" } };
  const transitions = [{ when: "states.first.x", goto: "first" }, "odd"];
  expect(ownStatesRenamed({ ...said, transitions, break_when: "{{.states.first.x}}" }, under("a"))).toEqual({
    ...{ ...said, env: { A: ["{{.states.a.Output}}", 1, null] } },
    ...{ transitions: [{ when: "states.a.x", goto: "first" }, "odd"], break_when: "{{.states.a.x}}" },
  });
});

test.each(["a", "my-step"])("nothing is wrong with a step %s whose template's states read each other", (step) => {
  const template = `name: t
parameters: [{name: p}]
states:
  first: {command: "echo one", on_success: second}
  second:
    command: "echo {{.states.first.Output}} {{parameters.p}}"
    transitions: [{when: "states.first.ExitCode == 0", goto: good}, {goto: bad}]
  good: {type: terminal}
  bad: {type: terminal, status: failure}
`;
  const { workflow, findings } = parse(
    `name: x
states:
  initial: good
  good: {command: "echo it", on_success: ${step}}
  ${step}: {use_template: t, parameters: {p: "{{.states.good.Output}}"}, on_success: d, on_failure: f}
  d: {type: terminal}
  f: {type: terminal, status: failure}
`,
    { templateSource: () => template },
  );
  expect(findings).toEqual([]);
  const read = step === "a" ? "{{.states.a.Output}}" : '{{(index .states "my-step").Output}}';
  expect(workflow?.states[`${step}__second`]).toMatchObject({
    run: { command: `echo ${read} {{.states.good.Output}}` },
  });
});
