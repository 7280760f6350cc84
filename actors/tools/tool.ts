/**
 * What one of Troupe's own tools is.
 *
 * I1. A tool asks before it does what may not be undone; where the answer is no it does nothing.
 * I2. What is wrong with a call is a `ToolFault`, which the model receives in words; any other throw is a bug.
 */
import type { z } from "zod";
import type { Block, Location, ToolKind } from "../../machines/exchange.ts";
import type { Json } from "../../machines/model.ts";
import type { Roots } from "../acp-client/files/roots.ts";
import type { AgentRequest, ToolQuestion } from "../agents/agent.ts";
import type { EditorTerminal, EditorWrite } from "../base/editor-client.ts";

export class ToolFault extends Error {
  /** What the card says of it: without what was said live, which stands there already. */
  readonly shown: string;
  constructor(message: string, shown = message) {
    super(message);
    this.shown = shown;
  }
}

/** Where a tool works, and whom it asks. */
export type Bench = {
  roots: Roots;
  cwd: string;
  /** The small environment that commands get. */
  env: { readonly [name: string]: string };
  /** A marker of its own for each process. */
  marker: () => { readonly [name: string]: string };
  ask: AgentRequest["ask"];
  rules: AgentRequest["rules"];
  /** The editor writes files, and runs commands, in our place. */
  editorWrite?: EditorWrite;
  editorTerminal?: EditorTerminal;
};
export type ToolCall = {
  bench: Bench;
  signal: AbortSignal;
  /** Live output. */
  say: (text: string) => void;
  /** What the card shows meanwhile. */
  show: (content: Block) => void;
};
/** `text`: for the model. `content`: what the card shows in its place. */
export type ToolEnd = { text: string; content?: Block[]; locations?: Location[] };

export type Tool<T extends z.ZodType = z.ZodType> = {
  name: string;
  description: string;
  kind: ToolKind;
  input: T;
  title: (input: z.output<T>) => string;
  run: (input: z.output<T>, call: ToolCall) => Promise<ToolEnd>;
};

/** Ties a tool's parts to the type of its input. */
export const tool = <T extends z.ZodType>(one: Tool<T>): Tool => one as unknown as Tool;

/** Asks; throws the words for the model where the answer is no. */
export async function allowed(question: ToolQuestion, { bench, signal }: ToolCall): Promise<void> {
  const answer = await bench.ask(question, signal);
  if (!answer.allowed) throw new ToolFault(answer.message);
}

export const asJson = (value: unknown): Json => value as Json;
