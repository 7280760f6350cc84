/**
 * Evaluates a template in a scope. Pure: effects come in as functions.
 *
 * I1. A missing name is an error that names the expression, its place, and what exists (`missingkey=error`).
 * I2. Output, function results, steps and depth are bounded; an exceeded bound is an error.
 * I3. `expand` and `render` walk the same way: rendering is expanding and joining the texts.
 */
import type { Json } from "../../model.ts";
import {
  type ActionNode,
  type Command,
  MAX_DEPTH,
  MAX_OUTPUT_BYTES,
  MAX_STEPS,
  type Node,
  type Operand,
  type Pipe,
  type Range,
  type Template,
} from "./ast.ts";
import { byteLength } from "./bytes.ts";
import { entriesOf } from "./entries.ts";
import { BUILTINS, type Functions } from "./functions.ts";
import { modeOf } from "./mode.ts";
import { printOperand, printPipe } from "./print.ts";
import { printed } from "./printed.ts";
import { FunctionError, isObject, isTrue, memberOf, TemplateError } from "./value.ts";

export { MAX_OUTPUT_BYTES } from "./ast.ts";
export type { Functions } from "./functions.ts";
export { TemplateError } from "./value.ts";
export type TemplateScope = { readonly [name: string]: Json };
type Variable = { name: string; value: Json };
type Part = { text: string } | { node: ActionNode; rendered: NonNullable<ActionNode["rendered"]> };

class Renderer {
  readonly parts: Part[] = [];
  private bytes = 0;
  private steps = 0;
  private depth = 0;
  private readonly root: Json;
  private readonly variables: Variable[];
  private readonly functions: Functions;
  constructor(scope: TemplateScope, functions: Functions) {
    this.root = scope as { [name: string]: Json };
    this.variables = [{ name: "", value: this.root }];
    this.functions = functions;
  }

  /** Walks a list; the answer says whether a `break` or `continue` ended it. */
  nodes(nodes: readonly Node[], dot: Json): "done" | "break" | "continue" {
    for (const node of nodes) {
      this.step(node.range);
      const ended = this.node(node, dot);
      if (ended !== "done") return ended;
    }
    return "done";
  }

  private node(node: Node, dot: Json): "done" | "break" | "continue" {
    switch (node.type) {
      case "text":
        this.put({ text: node.text }, node.text, node.range);
        return "done";
      case "comment":
        return "done";
      case "action": {
        const value = this.bound(node.pipe, dot);
        if (node.pipe.binding.type !== "none") return "done";
        const text = printed(value, node.pipe);
        this.put({ node, rendered: { text, mode: modeOf(node.pipe) } }, text, node.range);
        return "done";
      }
      case "break":
      case "continue":
        return node.type;
      case "if":
      case "with":
        return this.scoped(() => {
          const value = this.bound(node.pipe, dot);
          if (isTrue(value)) return this.nodes(node.body, node.type === "with" ? value : dot);
          return this.nodes(node.otherwise ?? [], dot);
        }, node.range);
      case "range":
        return this.scoped(() => {
          const { names } = node.pipe.binding;
          const entries = entriesOf(this.pipe(node.pipe, dot), node.pipe);
          if (entries.length === 0) return this.nodes(node.otherwise ?? [], dot);
          for (const [key, value] of entries) {
            const ended = this.scoped(() => {
              this.step(node.range);
              if (names.length > 0) this.bind(node.pipe, names.length === 1 ? [value] : [key, value]);
              return this.nodes(node.body, value);
            }, node.range);
            if (ended === "break") break;
          }
          return "done";
        }, node.range);
      default:
        return node satisfies never;
    }
  }

  private scoped<T>(run: () => T, range: Range): T {
    const mark = this.variables.length;
    this.depth += 1;
    if (this.depth > 3 * MAX_DEPTH) throw new TemplateError("the template is nested too deeply", range);
    const result = run();
    this.depth -= 1;
    this.variables.length = mark;
    return result;
  }

  private step(range: Range): void {
    this.steps += 1;
    if (this.steps > MAX_STEPS) throw new TemplateError(`the template takes more than ${MAX_STEPS} steps`, range);
  }

  private put(part: Part, text: string, range: Range): void {
    this.bytes += byteLength(text);
    if (this.bytes > MAX_OUTPUT_BYTES)
      throw new TemplateError(`the output is longer than ${MAX_OUTPUT_BYTES} bytes`, range);
    this.parts.push(part);
  }

  private bound(pipe: Pipe, dot: Json): Json {
    const value = this.pipe(pipe, dot);
    this.bind(pipe, [value]);
    return value;
  }

  private bind(pipe: Pipe, values: readonly Json[]): void {
    pipe.binding.names.forEach((name, at) => {
      const value = values[at] ?? null;
      const known = this.variables.findLast((variable) => variable.name === name);
      if (pipe.binding.type === "assign" && known !== undefined) known.value = value;
      else this.variables.push({ name, value });
    });
  }

  private pipe(pipe: Pipe, dot: Json): Json {
    let piped: Json[] = [];
    for (const command of pipe.commands) piped = [this.command(command, dot, piped)];
    return piped[0] ?? null;
  }

  private command(command: Command, dot: Json, piped: readonly Json[]): Json {
    const [head, ...rest] = command.operands;
    if (head === undefined) throw new TemplateError("a value is missing", command.range);
    if (head.type !== "function") return this.operand(head, dot);
    return this.call(
      head.name,
      [...rest.map((operand) => () => this.operand(operand, dot)), ...piped.map((value) => () => value)],
      command.range,
    );
  }

  private call(name: string, args: readonly (() => Json)[], range: Range): Json {
    this.step(range);
    if (name === "and" || name === "or") {
      let value: Json = null;
      if (args.length === 0) throw new TemplateError(`${name}: at least 1 argument expected, found 0`, range);
      for (const arg of args) {
        value = arg();
        if (isTrue(value) === (name === "or")) return value;
      }
      return value;
    }
    const run = Object.hasOwn(this.functions, name)
      ? this.functions[name]
      : Object.hasOwn(BUILTINS, name)
        ? BUILTINS[name]
        : undefined;
    if (run === undefined) throw new TemplateError(`function "${name}" is not available here`, range);
    const values = args.map((arg) => arg());
    try {
      const result = run(...values);
      if (typeof result === "string" && result.length > MAX_OUTPUT_BYTES) {
        throw new FunctionError(`${name}: the result is longer than ${MAX_OUTPUT_BYTES} bytes`);
      }
      return result;
    } catch (error) {
      if (error instanceof TemplateError) throw error;
      if (error instanceof FunctionError) throw new TemplateError(error.message, range);
      throw new TemplateError(`${name}: ${error instanceof Error ? error.message : String(error)}`, range);
    }
  }

  private operand(operand: Operand, dot: Json): Json {
    this.step(operand.range);
    switch (operand.type) {
      case "dot":
        return dot;
      case "nil":
        return null;
      case "string":
      case "number":
      case "boolean":
        return operand.value;
      case "field": {
        const [name = ""] = operand.path;
        const inside = dot !== this.root && isObject(this.root) && Object.hasOwn(this.root, name);
        const hint = inside ? `; inside range and with the dot is the item, write ${operand.path.join(".")}` : "";
        return memberOf(dot, operand.path, printOperand(operand), dot === this.root ? "" : ".", operand.range, hint);
      }
      case "name":
        return memberOf(this.root, operand.path, printOperand(operand), "", operand.range);
      case "variable": {
        const variable = this.variables.findLast(({ name }) => name === operand.name);
        if (variable === undefined) throw new TemplateError(`variable $${operand.name} is not declared`, operand.range);
        return memberOf(variable.value, operand.path, printOperand(operand), `$${operand.name}`, operand.range);
      }
      case "function":
        return this.call(operand.name, [], operand.range);
      case "group":
        return memberOf(
          this.pipe(operand.pipe, dot),
          operand.path,
          printOperand(operand),
          `(${printPipe(operand.pipe)})`,
          operand.range,
        );
      default:
        return operand satisfies never;
    }
  }
}

const walk = (template: Template, scope: TemplateScope, functions: Functions): Part[] => {
  const renderer = new Renderer(scope, functions);
  renderer.nodes(template.nodes, scope as { [name: string]: Json });
  return renderer.parts;
};

/** The text of a template. Throws TemplateError. */
export function render(template: Template, scope: TemplateScope, functions: Functions = {}): string {
  return walk(template, scope, functions)
    .map((part) => ("text" in part ? part.text : part.rendered.text))
    .join("");
}

/** Control flow carried out: only texts and actions remain, and each action carries what it rendered to. */
export function expand(template: Template, scope: TemplateScope, functions: Functions = {}): Template {
  const { range } = template;
  const nodes = walk(template, scope, functions).map(
    (part): Node =>
      "text" in part ? { type: "text", text: part.text, range } : { ...part.node, rendered: part.rendered },
  );
  return { type: "template", nodes, range };
}
