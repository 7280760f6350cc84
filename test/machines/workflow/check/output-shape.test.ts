import { describe, expect, it } from "vitest";
import { brief, parse, underlined } from "../fixtures.ts";

const file = (schema: string, condition: string, more = ""): string => `name: w
states:
  initial: review
  review:
    type: agent
    provider: understudy
    prompt: Judge.
    output_schema: ${schema}${more}
    transitions:
      - {when: '${condition}', goto: done}
      - {goto: done}
  done: {type: terminal, message: "{{.states.review.JSON.verdict}}"}
`;
const SHAPE =
  "{type: object, properties: {verdict: {enum: [yes, no]}, parts: {type: array, items: {$ref: '#/$defs/part'}}}, $defs: {part: {type: object, properties: {line: {type: integer}}}}}";

describe("the fields of an answer with a schema", () => {
  it("are found where the schema does not name them, with the name that was meant", () => {
    const source = file(SHAPE, 'states.review.JSON.verdikt == "yes"');
    const { findings } = parse(source);
    expect(brief(findings)).toEqual(["10:17 UNDEFINED_PROPERTY"]);
    expect(underlined(source, findings)).toEqual(["states.review.JSON.verdikt"]);
    expect(findings[0]).toMatchObject({
      message: 'the answer of "review" has no "verdikt": its output_schema does not name it',
      expected: "one of verdict, parts",
      suggestion: "verdict",
    });
  });

  it.each([
    ["one it names", 'states.review.JSON.verdict == "yes"', []],
    ["one of a list's items, by a reference", "states.review.json.parts[0].line == 1", []],
    ["a wrong one of a list's items", "states.review.JSON.parts[0].lime == 1", ["lime"]],
    ["one below a plain value", 'states.review.JSON.verdict.why == "x"', []],
    ["one of Response", 'states.review.Response.verdikt == "yes"', ["verdikt"]],
    ["what is no field of the answer", "len(states.review.Output) > 0", []],
  ])("%s", (_, condition, wrong) => {
    const { findings } = parse(file(SHAPE, condition));
    expect(findings.map(({ message }) => /has no "([^"]+)"/.exec(message)?.[1]?.split(".").at(-1))).toEqual(wrong);
  });

  it.each([
    ["is open", "{type: object, properties: {verdict: {type: string}}, additionalProperties: true}"],
    ["has a condition", "{if: {type: object}, then: {properties: {verdict: {type: string}}}}"],
    ["refers out of itself", "{$ref: 'https://example.org/s'}"],
    ["refers to itself for ever", "{$ref: '#'}"],
    ["is any of two, one of them open", "{anyOf: [{properties: {verdict: {}}}, {type: object}]}"],
  ])("may be anything where a schema %s (I1, I2)", (_, schema) => {
    expect(parse(file(schema, 'states.review.JSON.other == "x"')).findings).toEqual([]);
  });

  it("are those of all parts of a combined schema", () => {
    const schema =
      "{allOf: [{type: object, properties: {verdict: {type: string}}}, {anyOf: [{properties: {why: {type: string}}}, {type: 'null'}]}]}";
    expect(parse(file(schema, 'states.review.JSON.why == "x"')).findings).toEqual([]);
    expect(parse(file(schema, 'states.review.JSON.whi == "x"')).findings).toMatchObject([{ suggestion: "why" }]);
  });
});

describe("a schema in a file beside the workflow", () => {
  const source = file("shapes/review.json", 'states.review.JSON.verdikt == "yes"');
  it("is known like one that stands in the workflow", () => {
    const schemaSource = (path: string): string | null =>
      path === "shapes/review.json" ? '{"type": "object", "properties": {"verdict": {"type": "string"}}}' : null;
    const { workflow, findings } = parse(source, { schemaSource });
    expect(findings).toMatchObject([{ suggestion: "verdict" }]);
    expect(workflow?.states["review"]).toMatchObject({
      outputSchema: { file: "shapes/review.json", schema: { type: "object" } },
    });
  });

  it("is a finding at its path where the file is missing or holds no schema", () => {
    const missing = parse(source, { schemaSource: () => null }).findings;
    expect(missing).toMatchObject([{ code: "USER.INPUT.MISSING_FILE", path: "states.review.output_schema" }]);
    expect(underlined(source, missing)).toEqual(["shapes/review.json"]);
    for (const text of ["[1]", "{", "just words"]) {
      const { findings } = parse(source, { schemaSource: () => text });
      expect(findings).toMatchObject([{ code: "WORKFLOW.PARSE.INVALID_FIELD" }]);
    }
  });
});

describe("what excludes a schema", () => {
  it.each([
    ["a conversation", "\n    mode: conversation", "states.review.mode"],
    ["an answer that is text", "\n    output_format: text", "states.review.output_format"],
    ["too many repairs", "\n    repair: 11", "states.review.repair"],
  ])("%s", (_, more, path) => {
    expect(parse(file("{type: object}", "true", more)).findings.map((one) => one.path)).toEqual([path]);
  });
});
