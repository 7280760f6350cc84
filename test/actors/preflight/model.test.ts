/** Whether a step of `openai_compatible` has a model, before it runs. */
import { expect, test } from "vitest";
import { KnownTexts } from "../../../actors/catalogue/known.ts";
import { checkModel } from "../../../actors/preflight/model.ts";
import { Faults } from "../../../actors/preflight/subject.ts";
import { parseWorkflow } from "../../../machines/workflow/parse.ts";

type Given = {
  provider?: string;
  options?: string;
  fallback?: string;
  environment?: NodeJS.ProcessEnv;
  chosen?: string;
};

function found({
  provider = "openai_compatible",
  options = "{}",
  fallback = "[]",
  environment = {},
  chosen,
}: Given): string[] {
  const source = `name: w
inputs: [{name: model, type: string, default: ""}, {name: provider, type: string, default: openai_compatible}]
states:
  initial: a
  a: {type: agent, provider: "${provider}", prompt: hi, options: ${options}, fallback: ${fallback}, on_success: b}
  b: {type: agent, provider: "${provider}", prompt: hi, options: ${options}, fallback: ${fallback}, on_success: end}
  end: {type: terminal}
`;
  const { workflow } = parseWorkflow(source, { file: null, awf: false });
  if (workflow === null) throw new Error("it cannot be read");
  const faults = new Faults({ workflow, source });
  const inputs = { model: "", provider: "openai_compatible" };
  const known = new KnownTexts({ environment, cwd: "/w", file: null }, inputs);
  for (const node of Object.values(workflow.states))
    if (node.type === "agent") checkModel(node, known, { environment, chosen }, faults);
  return faults.findings().map(({ severity, message, refuses }) => `${severity} ${String(refuses)} ${message}`);
}

test.each<[string, Given]>([
  ["it names none", {}],
  ["null", { options: "{model: null}" }],
  ["an input that is empty", { options: '{model: "{{.inputs.model}}"}' }],
  ["a provider that an input names", { provider: "{{.inputs.provider}}" }],
  ["another provider's model was chosen", { chosen: "claude/opus" }],
  ["an empty variable", { environment: { OPENAI_MODEL: "" } }],
])("no run begins: %s", (_, given) => {
  expect(found(given)).toEqual([expect.stringMatching(/^warning true openai_compatible has no model.*"b"/)]);
});

test.each<[string, Given]>([
  ["an option", { options: "{model: m}" }],
  ["a template that only the run knows", { options: '{model: "{{.states.x.Output}}"}' }],
  ["a variable of the environment", { environment: { OPENAI_MODEL: "m" } }],
  ["the session's choice", { chosen: "openai_compatible/m" }],
  ["another provider", { provider: "claude" }],
])("it has one: %s", (_, given) => {
  expect(found(given)).toEqual([]);
});

test.each<[string, Given]>([
  ["none is named", { fallback: "[{provider: openai_compatible}]" }],
  ["an input that is empty", { fallback: '[{provider: openai_compatible, model: "{{.inputs.model}}"}]' }],
  [
    "the step's model is that of another provider",
    { options: "{model: opus}", fallback: "[{provider: openai_compatible}]" },
  ],
  ["its options have none", { fallback: "[{provider: openai_compatible, options: {max_rounds: 2}}]" }],
])("what takes a step's place lacks one, and the run begins: %s", (_, given) => {
  const message = /^warning undefined openai_compatible, which may take its place, has no model.*"b"/;
  expect(found({ provider: "claude", ...given })).toEqual([expect.stringMatching(message)]);
});

test.each<[string, Given]>([
  ["a model", { fallback: "[{provider: openai_compatible, model: m}]" }],
  ["an option", { fallback: "[{provider: openai_compatible, options: {model: m}}]" }],
  ["the step's own", { provider: "openai_compatible", options: "{model: m}", fallback: "[{model: o}]" }],
  ["a variable", { fallback: "[{provider: openai_compatible}]", environment: { OPENAI_MODEL: "m" } }],
])("what takes a step's place has one: %s", (_, given) => {
  expect(found({ provider: "claude", ...given })).toEqual([]);
});
