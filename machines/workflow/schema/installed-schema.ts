/**
 * What an installation adds to the schema: the names of its providers and operations, and the options of each provider.
 *
 * I1. A value may be a template wherever a run would render one; other names are left to `validate`, since only it knows
 *     what is configured.
 */
import type { OptionForm, OptionTable, OptionTables } from "../option-table.ts";

export type InstalledNames = {
  providers: readonly string[];
  agentOptions: OptionTables;
  operations: { readonly [plugin: string]: readonly string[] };
};
type Schema = { [keyword: string]: unknown };

const TEMPLATE: Schema = { type: "string", pattern: "\\{\\{" };
const text = (...also: Schema[]): Schema => ({ anyOf: [...also, TEMPLATE, { type: "null" }] });

function formSchema(form: OptionForm): Schema {
  switch (form.type) {
    case "text":
      return { type: ["string", "null"] };
    case "choice":
      return text({ enum: form.of });
    case "flag":
      return text({ type: "boolean" }, { enum: ["true", "false"] });
    case "number": {
      const range = form.from === undefined ? { exclusiveMinimum: 0 } : { minimum: form.from };
      const most = form.to === undefined ? {} : { maximum: form.to };
      const number = { type: form.whole ? "integer" : "number", ...range, ...most };
      return text(number, { type: "string", pattern: "^\\s*[0-9.]+\\s*$" });
    }
    case "list":
      return { anyOf: [{ type: "array", items: { type: "string" } }, { type: ["string", "null"] }] };
    case "map":
      return text({ type: "object" });
    default:
      return form satisfies never;
  }
}

const optionsSchema = (table: OptionTable): Schema => ({
  type: ["object", "null"],
  properties: {
    ...Object.fromEntries(Object.entries(table).map(([name, form]) => [name, formSchema(form)])),
    permissions: { description: "Kinds of tools that are denied or asked about." },
    mcp_servers: { description: "MCP servers of this step." },
  },
  additionalProperties: false,
});

/** `field` with the names that it most likely has, for completion; any other is still taken. */
const named = (field: unknown, names: readonly string[]): Schema => ({
  ...(field as Schema),
  anyOf: [{ enum: names }, { type: "string" }],
});

/** The schemas of the kinds of steps, those of agents and operations with what is installed. */
export function withInstalled(steps: readonly Schema[], installed: InstalledNames): Schema[] {
  const { providers, agentOptions, operations } = installed;
  const all = Object.entries(operations).flatMap(([plugin, names]) => names.map((name) => `${plugin}.${name}`));
  const cases = Object.entries(agentOptions).map(([provider, table]) => ({
    if: { properties: { provider: { const: provider } }, required: ["provider"] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { properties: { options: optionsSchema(table) } },
  }));
  return steps.map((step) => {
    const properties = step["properties"] as Schema;
    if ("provider" in properties)
      return {
        ...step,
        properties: { ...properties, provider: named(properties["provider"], providers) },
        allOf: cases,
      };
    if ("operation" in properties)
      return { ...step, properties: { ...properties, operation: named(properties["operation"], all) } };
    return step;
  });
}
