/**
 * The tree of a template. Offsets are UTF-16 units of the source.
 *
 * I1. A tree is JSON: no functions, no cycles.
 * I2. A `name` operand (`inputs.x`) starts at the root; a `field` operand (`.inputs.x`) starts at dot.
 */

import type { Range } from "../finding.ts";

export type { Range };

export type Operand =
  | { type: "dot"; range: Range }
  | { type: "nil"; range: Range }
  | { type: "field"; path: string[]; range: Range }
  | { type: "name"; path: string[]; range: Range }
  | { type: "variable"; name: string; path: string[]; range: Range }
  | { type: "function"; name: string; range: Range }
  | { type: "string"; value: string; range: Range }
  | { type: "number"; value: number; range: Range }
  | { type: "boolean"; value: boolean; range: Range }
  | { type: "group"; pipe: Pipe; path: string[]; range: Range };

/** One stage of a pipeline: a function with its arguments, or a single operand. */
export type Command = { operands: Operand[]; range: Range };

/** `$x := a | b`: `declare` names new variables, `assign` sets existing ones, `none` only yields a value. */
export type Pipe = {
  binding: { type: "none" | "declare" | "assign"; names: string[] };
  commands: Command[];
  range: Range;
};

export type TextNode = { type: "text"; text: string; range: Range };
export type CommentNode = { type: "comment"; text: string; range: Range };
/** `rendered` is set by `expand` only: what the action yields and how a shell has to take it. */
export type ActionNode = { type: "action"; pipe: Pipe; range: Range; rendered?: Rendered };
export type BranchNode = {
  type: "if" | "with" | "range";
  pipe: Pipe;
  body: Node[];
  otherwise: Node[] | null;
  range: Range;
};
export type JumpNode = { type: "break" | "continue"; range: Range };
export type Node = TextNode | CommentNode | ActionNode | BranchNode | JumpNode;

/**
 * `value`: text to hand over as data. `escaped`: text is one single-quoted shell word. `raw`: text is the
 * author's own shell source.
 */
export type Rendered = { text: string; mode: "value" | "escaped" | "raw" };

export type Template = { type: "template"; nodes: Node[]; range: Range };
export type TemplateFault = { message: string; range: Range; suggestion?: string };

/** Names that may start a path with no dot before them, as AWF allows. */
export const NAMESPACES = [
  "inputs",
  "states",
  "workflow",
  "env",
  "context",
  "error",
  "loop",
  "awf",
  "parameters",
] as const;

export const MAX_SOURCE_BYTES = 1024 * 1024;
/** Blocks and parentheses within each other. */
export const MAX_DEPTH = 64;
/** Of the rendered text, and of every single result of a function. */
export const MAX_OUTPUT_BYTES = 8 * 1024 * 1024;
export const MAX_STEPS = 500_000;
