/**
 * Tokens to a pipeline: bindings, stages, operands.
 *
 * I1. A stage of several operands begins with a function; a later stage always does.
 * I2. Only own, known names: a function that does not exist is a fault with a suggestion.
 */
import { meantName } from "../other-names.ts";
import { suggest } from "../suggest.ts";
import { type Command, MAX_DEPTH, NAMESPACES, type Operand, type Pipe, type Range, type TemplateFault } from "./ast.ts";
import { FUNCTION_NAMES } from "./function-names.ts";
import type { TemplateToken } from "./lex.ts";

/** What one suggestion may cost: a text may have many faults and many variables. */
const MOST_COMPARED = 20_000;

/** Carries a fault up to the action it belongs to. */
export class FaultError extends Error {
  readonly fault: TemplateFault;
  constructor(message: string, range: Range, suggestion?: string | null) {
    super(message);
    this.fault = { message, range, ...(suggestion ? { suggestion } : {}) };
  }
}

const isNamespace = (name: string): boolean => (NAMESPACES as readonly string[]).includes(name);
const show = (token: TemplateToken): string =>
  token.type === "end" ? '"}}"' : token.type === "bad" ? token.text : JSON.stringify(token.text);

export class PipeParser {
  private at: number;
  private depth = 0;
  private readonly tokens: readonly TemplateToken[];
  private readonly variables: string[];
  private readonly functions: readonly string[];

  /** `variables` are those in sight; declarations are pushed onto it. */
  constructor(tokens: readonly TemplateToken[], at: number, variables: string[], functions: readonly string[]) {
    this.tokens = tokens;
    this.at = at;
    this.variables = variables;
    this.functions = functions;
  }

  /** The pipeline of a whole action. `names` is how many variables it may bind: two for `range`. */
  whole(names: 1 | 2): Pipe {
    const start = this.peek().range.start;
    const binding = this.binding(names);
    const pipe = { ...this.stages(start), binding };
    const rest = this.peek();
    if (rest.type !== "end") throw new FaultError(`unexpected ${show(rest)}`, rest.range);
    if (binding.type === "declare") this.variables.push(...binding.names);
    return pipe;
  }

  private peek(offset = 0): TemplateToken {
    const token = this.tokens[Math.min(this.at + offset, this.tokens.length - 1)];
    if (token === undefined) throw new FaultError("the action is empty", { start: 0, end: 0 });
    if (token.type === "bad") throw new FaultError(token.text, token.range);
    return token;
  }

  private next(): TemplateToken {
    const token = this.peek();
    this.at += 1;
    return token;
  }

  private binding(names: 1 | 2): Pipe["binding"] {
    const first = this.peek();
    if (first.type !== "variable") return { type: "none", names: [] };
    const second = this.peek(1);
    const pair = second.type === "mark" && second.text === ",";
    const mark = this.peek(pair ? 3 : 1);
    if (mark.type !== "mark" || (mark.text !== ":=" && mark.text !== "=")) return { type: "none", names: [] };
    if (pair && names === 1) throw new FaultError("only {{range}} binds two variables", second.range);
    const bound = pair ? [first, this.peek(2)] : [first];
    for (const variable of bound) {
      if (variable.type !== "variable" || variable.text === "")
        throw new FaultError("a variable like $name expected", variable.range);
      if (mark.text === "=") this.known(variable);
    }
    this.at += pair ? 4 : 2;
    return { type: mark.text === "=" ? "assign" : "declare", names: bound.map(({ text }) => text) };
  }

  private known(variable: TemplateToken): void {
    if (this.variables.includes(variable.text)) return;
    const names = this.variables.filter((name) => name !== "").map((name) => `$${name}`);
    throw new FaultError(
      `variable $${variable.text} is not declared`,
      variable.range,
      suggest(`$${variable.text}`, names, MOST_COMPARED),
    );
  }

  private stages(start: number): Pipe {
    const commands = [this.command(true)];
    while (this.peek().type === "mark" && this.peek().text === "|") {
      this.at += 1;
      commands.push(this.command(false));
    }
    const end = commands.at(-1)?.range.end ?? start;
    return { binding: { type: "none", names: [] }, commands, range: { start, end } };
  }

  private command(first: boolean): Command {
    const operands: Operand[] = [];
    for (;;) {
      const token = this.peek();
      if (token.type === "end" || (token.type === "mark" && (token.text === "|" || token.text === ")"))) break;
      if (operands.length > 0 && !token.spaced)
        throw new FaultError(`a space is missing before ${show(token)}`, token.range);
      operands.push(this.operand());
    }
    const [head] = operands;
    if (head === undefined) throw new FaultError("a value is missing here", this.peek().range);
    if (head.type !== "function" && (!first || operands.length > 1)) {
      const reason = first ? "cannot be given arguments" : "cannot stand behind |";
      throw new FaultError(`this is not a function, it ${reason}`, head.range);
    }
    return { operands, range: { start: head.range.start, end: operands.at(-1)?.range.end ?? head.range.end } };
  }

  private operand(): Operand {
    const token = this.next();
    const { range } = token;
    switch (token.type) {
      case "dot":
        return { type: "dot", range };
      case "string":
        return { type: "string", value: String(token.value), range };
      case "number":
        return { type: "number", value: Number(token.value), range };
      case "variable": {
        this.known(token);
        const path = this.chain();
        return { type: "variable", name: token.text, path, range: this.upTo(range) };
      }
      case "field": {
        const path = [token.text, ...this.chain()];
        return { type: "field", path, range: this.upTo(range) };
      }
      case "name":
        return this.name(token);
      case "mark":
        if (token.text === "(") return this.group(range);
        throw new FaultError(`unexpected ${show(token)}`, range);
      case "bad":
      case "end":
        throw new FaultError(`unexpected ${show(token)}`, range);
      default:
        return token.type satisfies never;
    }
  }

  private name(token: TemplateToken): Operand {
    const { text, range } = token;
    if (text === "true" || text === "false") return { type: "boolean", value: text === "true", range };
    if (text === "nil") return { type: "nil", range };
    if (isNamespace(text)) {
      const path = [text, ...this.chain()];
      return { type: "name", path, range: this.upTo(range) };
    }
    const chained = this.peek().type === "field" && !this.peek().spaced;
    const functions = [...FUNCTION_NAMES, ...this.functions];
    if (!chained && functions.includes(text)) return { type: "function", name: text, range };
    if (chained)
      throw new FaultError(
        `unknown name "${text}": one of ${NAMESPACES.join(", ")} expected`,
        range,
        meantName(text) ?? suggest(text, NAMESPACES, MOST_COMPARED),
      );
    throw new FaultError(
      `unknown function or name "${text}"`,
      range,
      meantName(text) ?? suggest(text, [...functions, ...NAMESPACES], MOST_COMPARED),
    );
  }

  private group(open: Range): Operand {
    this.depth += 1;
    if (this.depth > MAX_DEPTH) throw new FaultError(`parentheses are nested deeper than ${MAX_DEPTH}`, open);
    const pipe = this.stages(this.peek().range.start);
    const close = this.next();
    if (close.type !== "mark" || close.text !== ")")
      throw new FaultError(`")" expected, found ${show(close)}`, close.range);
    this.depth -= 1;
    const path = this.chain();
    return { type: "group", pipe, path, range: this.upTo(open) };
  }

  /** The fields that touch each other: `.a.b`. */
  private chain(): string[] {
    const path: string[] = [];
    while (this.peek().type === "field" && !this.peek().spaced) path.push(this.next().text);
    return path;
  }

  private upTo(range: Range): Range {
    return { start: range.start, end: this.tokens[this.at - 1]?.range.end ?? range.end };
  }
}
