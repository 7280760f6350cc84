import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { parse as parseYaml } from "yaml";
import { installedNames } from "../../../../actors/troupe.ts";
import { workflowJsonSchema } from "../../../../machines/workflow/schema/json-schema.ts";
import { STEP_WORDS } from "../../../../machines/workflow/schema/steps.ts";
import { FIXTURES } from "../fixtures.ts";

const installed = installedNames();
const schema = workflowJsonSchema(installed);
const validate = new Ajv2020({ strict: false }).compile(schema);

describe("workflowJsonSchema", () => {
  it.each(FIXTURES)("accepts %s", (_, source) => {
    validate(parseYaml(source));
    expect(validate.errors).toBeNull();
  });

  it.each([
    ["no name", { states: { initial: "a", a: { type: "terminal" } } }],
    ["no initial", { name: "x", states: { a: { type: "terminal" } } }],
    ["an unknown field", { name: "x", colour: "red", states: { initial: "a", a: { type: "terminal" } } }],
    ["an unknown field of a step", { name: "x", states: { initial: "a", a: { type: "step", comand: "x" } } }],
    ["a wrong type", { name: "x", states: { initial: "a", a: { type: "parallel", parallel: "b" } } }],
  ])("refuses %s", (_, value) => {
    expect(validate(value)).toBe(false);
  });

  const agent = (provider: string, options: object) => ({
    name: "x",
    states: {
      initial: "a",
      a: { type: "agent", provider, prompt: "p", options, on_success: "d" },
      d: { type: "terminal" },
    },
  });
  it.each([
    ["claude", { model: "m", max_turns: 3, effort: "low", permissions: {} }],
    ["claude", { max_turns: "{{.inputs.n}}", effort: "{{.inputs.e}}" }],
    ["claude", { max_turns: "7", model: null }],
    ["codex", { dangerously_skip_permissions: "true", add_dirs: "a,b", env: { A: 1 } }],
    ["one of my own", { anything: 1 }],
  ])("takes the options of %s: %j", (provider, options) => {
    validate(agent(provider, options));
    expect(validate.errors).toBeNull();
  });
  it.each([
    ["claude", { modle: "m" }],
    ["claude", { max_turns: 1.5 }],
    ["claude", { effort: "much" }],
    ["codex", { dangerously_skip_permissions: "maybe" }],
    ["codex", { max_turns: 3 }],
  ])("refuses what %s does not take: %j", (provider, options) => {
    expect(validate(agent(provider, options))).toBe(false);
  });
  it("names the known providers and operations", () => {
    const text = JSON.stringify(schema);
    expect(text).toContain(`"anyOf":[{"enum":${JSON.stringify(installed.providers)}}`);
    expect(text).toContain('"anyOf":[{"enum":["http.request",');
  });

  it("describes every field of every step", () => {
    const states = (
      schema as {
        properties: { states: { additionalProperties: { anyOf: { properties: { [name: string]: object } }[] } } };
      }
    ).properties.states;
    const bare = states.additionalProperties.anyOf.flatMap(({ properties }) =>
      Object.entries(properties)
        .filter(([, field]) => !("description" in field))
        .map(([name]) => name),
    );
    expect(bare).toEqual([]);
    expect(states.additionalProperties.anyOf).toHaveLength(STEP_WORDS.length);
  });
});
