import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, it } from "vitest";
import { parse as parseYaml } from "yaml";
import { workflowJsonSchema } from "../../../../machines/workflow/schema/json-schema.ts";
import { FIXTURES } from "../fixtures.ts";

const schema = workflowJsonSchema();
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

  it("has a text for every field of every step", () => {
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
    expect(states.additionalProperties.anyOf).toHaveLength(8);
  });
});
