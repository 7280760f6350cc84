/**
 * `mcp_proxy` of an agent step: Troupe's own tools, the agent's for as long as the step runs. A program gets them as an
 * MCP server; an agent that is no program calls them as they are.
 *
 * I1. A call of such a tool is reported once: by us, who carry it out. What the agent says of the same call is left
 *     out, unless we never got it, since the agent itself kept it back.
 * I2. When the step ends, so do the tools, their processes and the way to them.
 */

import type { Json } from "../../machines/model.ts";
import type { AgentNode } from "../../machines/workflow/document.ts";
import { isYes } from "../../machines/workflow/schema/fields.ts";
import type { Agent, AgentEvent, AgentRequest } from "../agents/agent.ts";
import { TOOLS_SERVER } from "../base/agent-names.ts";
import { type EditorWrite, limited } from "../base/editor-client.ts";
import { fieldsOf, isFields, listOf, textAt } from "../base/json.ts";
import { needServer } from "../config/lacking-servers.ts";
import type { LackingServer } from "../config/settings.ts";
import type { WorkContext } from "../host/host.ts";
import { agentEnvironment } from "../process/environment.ts";
import { markerFor } from "../process/marker.ts";
import type { Served } from "../tools/serve.ts";
import type { EffectOptions } from "./options.ts";

type Emit = (event: AgentEvent) => void;
export type OwnTools = {
  /** What this agent's request has of them. */
  offeredTo(agent: Pick<Agent, "calls">): Promise<Pick<AgentRequest, "ownTools" | "toolbox" | "mcpServers">>;
  /** Takes what the agent says (I1). */
  heard: Emit;
  /** Aborts when a no means that the agent is to be stopped. */
  signal: AbortSignal;
  close(): Promise<void>;
};
type OwnToolRequest = {
  node: AgentNode;
  request: Pick<AgentRequest, "cwd" | "ask" | "rules" | "mcpServers">;
  lacking: readonly LackingServer[];
  where: string;
};

/** The tools of a step, or null where it asks for none. Throws a `TroupeError` that names what is unknown. */
export async function ownTools(
  { node, request, lacking, where }: OwnToolRequest,
  context: WorkContext,
  options: EffectOptions,
  emit: Emit,
): Promise<OwnTools | null> {
  const proxy = fieldsOf(node.mcpProxy);
  const isOn = (name: string, unset: boolean) => isSwitched(proxy[name], unset);
  if (!isFields(node.mcpProxy) || !isOn("enable", false)) return null;
  const [{ BUILT_IN, Toolbox }, { pluginTools }] = await Promise.all([
    import("../tools/toolbox.ts"),
    import("../tools/plugins.ts"),
  ]);
  const replaced = isOn("intercept_builtins", true);
  const wanted = listOf(proxy["plugin_tools"]).map((one) => ({
    plugin: textAt(fieldsOf(one), "plugin") ?? "",
    expose: listOf(fieldsOf(one)["expose"]).map(String),
  }));
  const isBuiltIn = (plugin: string) => Object.keys(options.operations).some((name) => name.startsWith(`${plugin}.`));
  for (const { plugin } of wanted)
    if (!isBuiltIn(plugin)) needServer(plugin, lacking, `${where}.mcp_proxy.plugin_tools`);
  let processes = 0;
  const marker = () => markerFor(options.owner, `${context.attempt}/tools/${++processes}`);
  const environment = options.environment;
  const plugins = await pluginTools(wanted, {
    operations: options.operations,
    servers: request.mcpServers,
    where: `${where}.mcp_proxy`,
    warn: (message) => emit({ type: "notice", severity: "warning", message }),
    call: { cwd: request.cwd, environment, marker, signal: context.signal },
  });
  const stop = new AbortController();
  const ask: AgentRequest["ask"] = async (question, signal) => {
    const answer = await request.ask(question, signal);
    if (!answer.allowed && answer.abort) stop.abort();
    return answer;
  };
  const told = new ToolCallMerger(emit);
  const toolbox = new Toolbox({
    tools: [...(replaced ? BUILT_IN : []), ...plugins],
    cwd: request.cwd,
    env: agentEnvironment(environment, {}),
    marker,
    ask,
    rules: request.rules,
    ...editorWriteOf(options, context),
    ...editorTerminalOf(options, context),
    emit: (event) => told.ours(event),
  });
  told.names = toolbox.tools.map(({ name }) => name);
  const mcpServers = request.mcpServers.filter(({ name }) => name !== TOOLS_SERVER);
  const theirs = replaced ? "replaced" : "kept";
  let served: Served | null = null;
  return {
    async offeredTo({ calls }) {
      if (calls === "tools") return { ownTools: theirs, toolbox, mcpServers };
      served = await (await import("../tools/serve.ts")).serveTools(toolbox);
      return { ownTools: theirs, toolbox, mcpServers: [...mcpServers, served.server] };
    },
    heard: (event) => told.theirs(event),
    signal: AbortSignal.any([context.signal, stop.signal]),
    close: async () => {
      await toolbox.close();
      await served?.close();
    },
  };
}

/** The editor's way of writing, for what agents write through us. */
export function editorWriteOf(
  { editor }: Pick<EffectOptions, "editor">,
  { session }: Pick<WorkContext, "session">,
): { editorWrite?: EditorWrite } {
  const write = editor?.(session)?.write;
  return write === undefined ? {} : { editorWrite: limited(write) };
}

function editorTerminalOf({ editor }: Pick<EffectOptions, "editor">, { session }: Pick<WorkContext, "session">) {
  const terminal = editor?.(session)?.terminal;
  return terminal === undefined ? {} : { editorTerminal: terminal };
}

const isSwitched = (value: Json | undefined, unset: boolean): boolean =>
  value === undefined || value === null ? unset : isYes(value as boolean | string);

/** Two reports of the same calls, merged into one (I1). */
export class ToolCallMerger {
  names: readonly string[] = [];
  readonly #emit: Emit;
  /** Calls of ours whose end the agent has not reported, by tool. */
  readonly #ours = new Map<string, number>();
  /** What the agent said of calls that may be ours, by its own id. */
  readonly #held = new Map<string, { tool: string; events: AgentEvent[] }>();
  constructor(emit: Emit) {
    this.#emit = emit;
  }

  ours(event: AgentEvent): void {
    if (event.type === "tool" && event.tool.status === "in_progress") {
      const name = this.names.find((one) => event.tool.title?.startsWith(one)) ?? "";
      this.#ours.set(name, (this.#ours.get(name) ?? 0) + 1);
    }
    this.#emit(event);
  }

  theirs(event: AgentEvent): void {
    const id = event.type === "tool" ? event.tool.call : event.type === "tool output" ? event.call : null;
    if (id === null) return this.#emit(event);
    const held = this.#held.get(id) ?? this.#begin(id, event);
    if (held === null) return this.#emit(event);
    held.events.push(event);
    if (event.type !== "tool" || (event.tool.status !== "completed" && event.tool.status !== "failed")) return;
    this.#held.delete(id);
    const count = this.#ours.get(held.tool) ?? 0;
    if (count > 0) this.#ours.set(held.tool, count - 1);
    else for (const one of held.events) this.#emit(one);
  }

  #begin(id: string, event: AgentEvent) {
    const title = event.type === "tool" ? (event.tool.title ?? "") : "";
    const tool = this.names.find((name) => isNameOf(title, name));
    if (tool === undefined) return null;
    const held = { tool, events: [] };
    this.#held.set(id, held);
    return held;
  }
}

/** Agents write `mcp__troupe__Read`, `troupe: Read`, `troupe.Read`, `troupe_Read`, `Read (troupe MCP Server)` … */
function isNameOf(title: string, tool: string): boolean {
  const wordsOf = (text: string) => text.split(/[^A-Za-z0-9]+/).filter((word) => word !== "");
  const words = wordsOf(title);
  const name = wordsOf(tool);
  const at = words.indexOf(TOOLS_SERVER);
  return at !== -1 && at < 2 && words.length <= 4 + name.length && name.every((word) => words.includes(word));
}
