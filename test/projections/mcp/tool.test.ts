import fc from "fast-check";
import { expect, test } from "vitest";
import { decodeMcpName } from "../../../machines/prompt/mcp-name.ts";
import type { Input } from "../../../machines/workflow/document.ts";
import { inputSchema, secretVariable } from "../../../projections/mcp/input-schema.ts";
import { workflowTool } from "../../../projections/mcp/tool.ts";
import { introspectTools } from "../../../transports/mcp/tools/introspect.ts";
import { runTools } from "../../../transports/mcp/tools/runs.ts";

const input = (name: string, more: Partial<Input> = {}): Input => ({
  name,
  type: "string",
  required: false,
  validation: {},
  ...more,
});

test.each<[string, Input, object]>([
  ["text", input("a"), { type: "string" }],
  ["needed text is not empty", input("a", { required: true }), { type: "string", minLength: 1 }],
  ["a pattern", input("a", { validation: { pattern: "^x+$" } }), { type: "string", pattern: "^x+$" }],
  [
    "I3: a pattern of our syntax alone",
    input("a", { description: "About a", validation: { pattern: "(?i)x" } }),
    { type: "string", description: "About a. Matches (?i)x" },
  ],
  [
    "values",
    input("a", { validation: { enum: ["x", "y"] }, default: "x" }),
    { type: "string", enum: ["x", "y"], default: "x" },
  ],
  [
    "a number",
    input("a", { type: "integer", validation: { min: 1, max: 3 } }),
    { type: "integer", minimum: 1, maximum: 3 },
  ],
  ["numbers", input("a", { type: "integer", validation: { enum: ["1", "2"] } }), { type: "integer", enum: [1, 2] }],
  ["yes or no", input("a", { type: "boolean", default: false }), { type: "boolean", default: false }],
  [
    "a file",
    input("a", { validation: { fileExists: true, fileExtension: [".go", ".ts"] } }),
    { type: "string", description: "The path of a file that exists. A file with the extension .go or .ts" },
  ],
  ["what cannot be seen", input("a", { description: "a\u202eb" }), { type: "string", description: "a\\u202eb" }],
])("an input: %s", (_, one, property) => {
  expect(inputSchema([one]).properties).toEqual({ a: property });
});

test("needed is what has no default; a secret is not there (I1)", () => {
  const inputs = [
    input("a", { required: true }),
    input("b", { required: true, default: "x" }),
    input("db-password", { required: true }),
  ];
  const schema = inputSchema(inputs);
  expect([Object.keys(schema.properties), schema.required]).toEqual([["a", "b"], ["a"]]);
  expect(workflowTool({ id: "w", description: "Does it", inputs })?.description).toBe(
    "Does it (secrets come from the server's environment: TROUPE_INPUT_DB_PASSWORD)",
  );
  expect(secretVariable("apiKey.x")).toBe("TROUPE_INPUT_APIKEY_X");
});

test("a name goes both ways; one that is too long makes no tool (I1)", () => {
  const part = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,20}$/);
  const name = fc.oneof(
    part,
    fc.tuple(part, part).map((parts) => parts.join("/")),
  );
  fc.assert(
    fc.property(name, (id) => {
      const tool = workflowTool({ id, description: "", inputs: [] });
      if (tool === null) return;
      expect(tool.name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
      expect(decodeMcpName(tool.name)).toBe(id);
    }),
  );
  expect(workflowTool({ id: "x".repeat(65), description: "", inputs: [] })).toBe(null);
});

test("what a call answers has one shape, with an output where it has completed (I2)", () => {
  const schema = workflowTool({ id: "w", description: "", inputs: [], outputs: ["a", "b"] })?.outputSchema;
  expect(schema?.required).toEqual(["run", "workflow", "status"]);
  expect(schema?.properties).toMatchObject({
    ...{ run: { type: "string" }, workflow: { type: "string" } },
    status: { type: "string", enum: expect.arrayContaining(["running", "completed", "failed", "cancelled"]) },
    outputs: { type: "object", properties: { a: {}, b: {} } },
  });
  for (const outputs of [undefined, []])
    expect(workflowTool({ id: "w", description: "", inputs: [], ...(outputs && { outputs }) })).not.toHaveProperty(
      "outputSchema",
    );
});

test("nothing is promised of what a run does, and without words of its own a tool has some", () => {
  const tool = workflowTool({ id: "w", description: "", inputs: [] });
  expect(tool?.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: true, idempotentHint: false });
  expect(tool?.annotations).toMatchObject({ openWorldHint: true });
  expect(tool?.description).toMatch(/\bw$/);
});

test("no workflow can have the name of one of our tools", () => {
  for (const { definition } of [...runTools({ allowDecide: true }), ...introspectTools])
    expect([definition.name, decodeMcpName(definition.name)]).toEqual([definition.name, null]);
});
