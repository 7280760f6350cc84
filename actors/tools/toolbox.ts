/**
 * The tools that Troupe serves to an agent of one step.
 *
 * I1. Every call is an exchange: it begins and ends as a tool call of the step, whatever becomes of it.
 * I2. When the step ends, its calls are cut off and have gone when `close` resolves.
 */
import { z } from "zod";
import type { Block } from "../../machines/exchange.ts";
import { Roots } from "../acp-client/files/roots.ts";
import type { AgentEvent, AgentToolbox } from "../agents/agent.ts";
import { Bash } from "./bash.ts";
import { Edit, Read, Write } from "./files.ts";
import { Glob, Grep } from "./search.ts";
import { asJson, type Bench, type Tool, type ToolEnd, ToolFault } from "./tool.ts";

export const BUILT_IN: readonly Tool[] = [Read, Write, Edit, Bash, Glob, Grep];
const MAX_AT_ONCE = 16;

export type ToolResult = { text: string; isError: boolean };
type ToolboxCall = { id: string; signal: AbortSignal };
export type ToolboxOptions = Omit<Bench, "roots"> & { tools: readonly Tool[]; emit: (event: AgentEvent) => void };

export class Toolbox implements AgentToolbox {
  readonly tools: readonly Tool[];
  readonly #options: ToolboxOptions;
  readonly #roots: Promise<Roots>;
  readonly #over = new AbortController();
  readonly #running = new Set<Promise<ToolResult>>();
  #calls = 0;

  constructor(options: ToolboxOptions) {
    this.tools = options.tools;
    this.#options = options;
    this.#roots = Roots.of(options.cwd);
    this.#roots.catch(() => undefined);
  }

  /** What a model learns of the tools. */
  get offer(): AgentToolbox["offer"] {
    return this.tools.map(({ name, description, kind, input }) => ({
      ...{ name, description, kind },
      schema: asJson(z.toJSONSchema(input, { io: "input" })),
    }));
  }

  /** Calls a tool; what goes wrong is reported to the model. `id`: the call as a reader sees it. */
  async call(name: string, input: unknown, signal: AbortSignal, id?: string): Promise<ToolResult> {
    const tool = this.tools.find((one) => one.name === name);
    if (tool === undefined) return { text: `there is no tool "${name}"`, isError: true };
    if (this.#over.signal.aborted) return { text: "the step has ended", isError: true };
    if (this.#running.size >= MAX_AT_ONCE) return { text: `more than ${MAX_AT_ONCE} tools at once`, isError: true };
    const call = { id: id ?? `troupe-${++this.#calls}`, signal: AbortSignal.any([signal, this.#over.signal]) };
    const running = this.#called(tool, input, call);
    this.#running.add(running);
    try {
      return await running;
    } finally {
      this.#running.delete(running);
    }
  }

  /** Ends what runs; resolves when it has gone. */
  async close(): Promise<void> {
    this.#over.abort();
    await Promise.allSettled([...this.#running]);
  }

  async #called(tool: Tool, input: unknown, { id: call, signal }: ToolboxCall): Promise<ToolResult> {
    const { emit, tools: _, ...bench } = this.#options;
    const given = tool.input.safeParse(input);
    const title = given.success ? tool.title(given.data) : tool.name;
    emit({ type: "tool", tool: { call, title, kind: tool.kind, status: "in_progress", input: asJson(input ?? {}) } });
    const end = (status: "completed" | "failed", { text, content, locations }: ToolEnd): ToolResult => {
      const blocks = content ?? [{ type: "text" as const, text }];
      const shown = blocks.length === 0 ? {} : { content: blocks };
      emit({ type: "tool", tool: { call, status, ...shown, ...(locations === undefined ? {} : { locations }) } });
      return { text, isError: status === "failed" };
    };
    if (!given.success) return end("failed", { text: `${tool.name}: ${z.prettifyError(given.error)}` });
    try {
      const roots = await this.#roots;
      const say = (text: string) => emit({ type: "tool output", call, text });
      const show = (content: Block) => emit({ type: "tool", tool: { call, content: [content] } });
      return end("completed", await tool.run(given.data, { bench: { ...bench, roots }, signal, say, show }));
    } catch (error) {
      if (error instanceof ToolFault)
        return end("failed", { text: error.message, content: [{ type: "text", text: error.shown }] });
      if (signal.aborted) return end("failed", { text: "it was cancelled" });
      return end("failed", { text: `${tool.name} failed: ${error instanceof Error ? error.message : String(error)}` });
    }
  }
}
