/**
 * `plugin_tools`: built-in operations, and tools of the step's MCP servers, as tools named `<plugin>_<operation>`.
 *
 * I1. Only what is exposed is served, and every call is asked about like a tool of the agent's own.
 * I2. A server's patterns are words for the model: the server itself checks what it gets. Matched here they could take
 *     for ever.
 */
import type { Tool as ServerTool } from "@modelcontextprotocol/client";
import { z } from "zod";
import type { McpServer } from "../../machines/mcp/server.ts";
import type { Json } from "../../machines/model.ts";
import { MERGE_OPERATION } from "../../machines/workflow/document.ts";
import { suggest } from "../../machines/workflow/suggest.ts";
import { isFields } from "../base/json.ts";
import { TroupeError } from "../errors/troupe-error.ts";
import { McpUnreachable, withServer } from "../mcp/connect.ts";
import { leftOutWords, toolsIn } from "../mcp/tool-list.ts";
import { mcpTool } from "../operations/mcp.ts";
import type { Operation, OperationCall } from "../operations/operation.ts";
import type { Operations } from "../operations/registry.ts";
import { allowed, asJson, type Tool, ToolFault, tool } from "./tool.ts";

type Wanted = { plugin: string; expose: readonly string[] };
type PluginContext = {
  operations: Operations;
  servers: readonly McpServer[];
  where: string;
  /** Hears of tools that are left out. */
  warn: (message: string) => void;
  call: Pick<OperationCall, "cwd" | "environment" | "signal"> & { marker: () => OperationCall["marker"] };
};

/**
 * The tools that are exposed. Throws USER.MCP_PROXY.* for what is not there, and EXECUTION.OPERATION.FAILED for a server
 * that cannot be asked; no server's process runs then.
 */
export async function pluginTools(wanted: readonly Wanted[], place: PluginContext): Promise<Tool[]> {
  const failed = new AbortController();
  const call = { ...place.call, signal: AbortSignal.any([place.call.signal, failed.signal]) };
  const asked = wanted.map((one) =>
    toolsOf(one, { ...place, call }).catch((error: unknown) => {
      failed.abort(error);
      throw error;
    }),
  );
  await Promise.allSettled(asked);
  if (failed.signal.aborted) throw failed.signal.reason;
  const tools = (await Promise.all(asked)).flat();
  const twice = tools.find((one, index) => tools.findIndex(({ name }) => name === one.name) !== index);
  if (twice === undefined) return tools;
  throw new TroupeError("USER.MCP_PROXY.NAME_COLLISION", `${place.where}: two tools are called "${twice.name}"`);
}

async function toolsOf({ plugin, expose }: Wanted, place: PluginContext): Promise<Tool[]> {
  const builtIn = Object.keys(place.operations).filter(
    (name) => name.startsWith(`${plugin}.`) && name !== MERGE_OPERATION,
  );
  const server = place.servers.find(({ name }) => name === plugin);
  const offered = new Map<string, { description: string; input: z.ZodType; load: () => Promise<Operation> }>();
  for (const name of builtIn) {
    const operation = name.slice(plugin.length + 1);
    const load = place.operations[name] as () => Promise<Operation>;
    offered.set(operation, { description: `The operation ${name}.`, input: z.looseObject({}), load });
  }
  if (server !== undefined) {
    for (const one of await serverTools(server, place)) {
      const shape = shapeOf(one.inputSchema as Json);
      const description = [
        one.description ?? one.name,
        ...(shape === null ? [schemaWords(one.inputSchema as Json)] : []),
      ];
      offered.set(one.name, {
        description: description.join("\n\n"),
        input: shape ?? z.looseObject({}),
        load: async () => mcpTool(server, one.name),
      });
    }
  }
  if (offered.size === 0) throw unknownPlugin(plugin, place);
  const names = expose.length === 0 ? [...offered.keys()] : expose.map((name) => name.split(".").at(-1) ?? "");
  return names.map((name) => {
    const found = offered.get(name);
    if (found !== undefined) return served(`${plugin}_${name}`, found, place);
    const meant = suggest(name, [...offered.keys()]);
    const question = meant === null ? "" : `; did you mean "${meant}"?`;
    const message = `${place.where}.plugin_tools: "${plugin}" has no operation "${name}"${question}`;
    throw new TroupeError("USER.MCP_PROXY.UNKNOWN_OPERATION", message, { plugin, operation: name });
  });
}

async function serverTools(server: McpServer, { call, where, warn }: PluginContext): Promise<ServerTool[]> {
  const { signal } = call;
  try {
    const { tools, leftOut } = await withServer(server, { ...call, marker: call.marker() }, (client, why) =>
      toolsIn(server, { client, why, signal }),
    );
    const words = leftOutWords(server, leftOut);
    if (words !== null) warn(words);
    return tools;
  } catch (error) {
    if (!(error instanceof McpUnreachable)) throw error;
    throw new TroupeError("EXECUTION.OPERATION.FAILED", `${where}.plugin_tools: ${error.message}`);
  }
}

/** Null for a schema that has more than can be checked here. */
function shapeOf(schema: Json): z.ZodType | null {
  try {
    return z.fromJSONSchema(withoutPatterns(schema) as never) as z.ZodType;
  } catch {
    return null;
  }
}

/** The model is told it in words, and the server checks what it gets. */
const schemaWords = (schema: Json): string => `Its input must fit this JSON Schema: ${JSON.stringify(schema)}`;

/** What says names, and no keywords: a field may be called `pattern`. */
const NAMES: ReadonlySet<string> = new Set(["properties", "$defs", "definitions", "dependentSchemas"]);
const VALUES: ReadonlySet<string> = new Set(["const", "enum", "default", "examples"]);

/** A schema in which patterns are said in its descriptions (I2). */
function withoutPatterns(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(withoutPatterns);
  if (typeof schema !== "object" || schema === null) return schema;
  const { pattern, patternProperties: _, ...rest } = schema;
  const kept = Object.entries(rest).map(([keyword, value]): [string, Json] => {
    if (VALUES.has(keyword)) return [keyword, value];
    return [keyword, NAMES.has(keyword) ? withoutPatternsIn(value) : withoutPatterns(value)];
  });
  if (typeof pattern !== "string") return Object.fromEntries(kept);
  const { description } = rest;
  const words = [...(typeof description === "string" ? [description] : []), `It matches ${pattern}`];
  return { ...Object.fromEntries(kept), description: words.join(" ") };
}

const withoutPatternsIn = (named: Json): Json =>
  isFields(named)
    ? Object.fromEntries(Object.entries(named).map(([name, one]) => [name, withoutPatterns(one as Json)]))
    : named;

function unknownPlugin(plugin: string, { operations, servers, where }: PluginContext): TroupeError {
  const known = [
    ...new Set(Object.keys(operations).map((name) => name.split(".")[0] ?? "")),
    ...servers.map((one) => one.name),
  ];
  const meant = suggest(plugin, known);
  const question = meant === null ? `; known: ${known.join(", ")}` : `; did you mean "${meant}"?`;
  return new TroupeError("USER.MCP_PROXY.UNKNOWN_PLUGIN", `${where}.plugin_tools: there is no "${plugin}"${question}`, {
    plugin,
  });
}

function served(
  name: string,
  { description, input, load }: { description: string; input: z.ZodType; load: () => Promise<Operation> },
  { call }: PluginContext,
): Tool {
  return tool({
    name,
    description,
    kind: "other",
    input,
    title: () => name,
    async run(given, on) {
      await allowed({ name, kind: "other", input: asJson(given) }, on);
      const run = await load();
      const inputs = given as OperationCall["inputs"];
      try {
        const end = await run({ ...call, marker: call.marker(), signal: on.signal, inputs, where: "input" });
        if (!end.ok) throw new ToolFault(end.message);
        return { text: end.text ?? JSON.stringify(end.outputs) };
      } catch (error) {
        if (error instanceof TroupeError) throw new ToolFault(error.message);
        throw error;
      }
    },
  });
}
