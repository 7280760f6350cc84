/** Every field and every kind of step is explained to editors. */
import { expect, test } from "vitest";
import { fieldsOf, SCHEMA } from "./fields.ts";

const KINDS = SCHEMA.properties?.["states"]?.additionalProperties;
const kinds = (typeof KINDS === "object" ? KINDS.anyOf : undefined) ?? [];

test("each kind of step, and the whole, is explained", () => {
  expect([SCHEMA.title, SCHEMA.description, ...kinds.map(({ description }) => description)]).toEqual([
    "Troupe workflow",
    "A workflow of Troupe.",
    "Runs a shell command.",
    "Asks an AI agent.",
    "Runs a built-in operation.",
    "Calls another workflow.",
    "Runs states in parallel.",
    "Runs its body once for every item.",
    "Runs its body as long as a condition holds.",
    "Asks a person one or more questions; the run waits for the answers.",
    "Ends the run.",
  ]);
});

test("every field is explained", () => {
  expect(fieldsOf(SCHEMA).unexplained).toEqual([]);
});
