/**
 * The names a template reads, without running it.
 *
 * I1. Conservative: what cannot be distinguished under `states` (or the whole scope) yields `["states"]` with
 *     `dynamic: true`, so that every state's result is kept.
 * I2. A path is the longest static chain; both branches of every block count.
 */
import type { BranchNode, Command, Node, Operand, Pipe, Range, Template } from "./ast.ts";

export type TemplateReference = { path: string[]; range: Range; dynamic?: true };

/** What a value is known to be: a place in the scope, or something that was already counted when read. */
type KnownValue = { type: "path"; path: string[] } | { type: "counted" };
type Variable = { name: string; place: KnownValue };
const COUNTED: KnownValue = { type: "counted" };
const ROOT: KnownValue = { type: "path", path: [] };

/** Stands for an index: which one is not known. */
export const EACH = "*";

/** What `range` goes over: of rounds it is known which fields each has; all else was counted with its list. */
function itemOf(list: KnownValue): KnownValue {
  const isRounds = list.type === "path" && list.path.length === 3 && list.path[2] === "Rounds";
  return isRounds ? { type: "path", path: [...list.path, EACH] } : COUNTED;
}

class ReferenceReader {
  readonly found: TemplateReference[] = [];
  private readonly variables: Variable[] = [{ name: "", place: ROOT }];

  nodes(nodes: readonly Node[], dot: KnownValue): void {
    for (const node of nodes) {
      const mark = this.variables.length;
      switch (node.type) {
        case "text":
        case "comment":
        case "break":
        case "continue":
          break;
        case "action": {
          const place = this.bound(node.pipe, dot);
          if (node.pipe.binding.type !== "declare") this.use(place, node.pipe.range);
          break;
        }
        case "if":
        case "with": {
          const place = this.bound(node.pipe, dot);
          // The truth of a value is read even where only its members are used.
          if (place.type === "counted" || place.path.length > 1 || node.type === "if") this.use(place, node.pipe.range);
          this.nodes(node.body, node.type === "with" ? place : dot);
          this.nodes(node.otherwise ?? [], dot);
          this.variables.length = mark;
          break;
        }
        case "range":
          this.range(node, dot);
          this.nodes(node.otherwise ?? [], dot);
          this.variables.length = mark;
          break;
        default:
          node satisfies never;
      }
    }
  }

  private range({ pipe, body }: BranchNode, dot: KnownValue): void {
    const list = this.pipe(pipe, dot);
    this.use(list, pipe.range);
    const item = itemOf(list);
    const { type, names } = pipe.binding;
    for (const name of names) this.set(type, name, name === names.at(-1) ? item : COUNTED);
    this.nodes(body, item);
  }

  /** Counts a value that is read as a whole. */
  private use(place: KnownValue, range: Range): void {
    if (place.type === "counted") return;
    const [root] = place.path;
    if (root === undefined) this.found.push({ path: ["states"], range, dynamic: true });
    else if (place.path.length === 1) this.found.push({ path: [root], range, dynamic: true });
    else this.found.push({ path: [...place.path], range });
  }

  private set(type: Pipe["binding"]["type"], name: string, place: KnownValue): void {
    const known = this.variables.findLast((variable) => variable.name === name);
    if (type === "declare" || known === undefined) this.variables.push({ name, place });
    else known.place = COUNTED;
  }

  private bound(pipe: Pipe, dot: KnownValue): KnownValue {
    const place = this.pipe(pipe, dot);
    // An assigned variable may hold either value later: both are counted whole, here and where it was declared.
    if (pipe.binding.type === "assign") {
      this.use(place, pipe.range);
      for (const name of pipe.binding.names) {
        const known = this.variables.findLast((variable) => variable.name === name);
        if (known !== undefined) this.use(known.place, pipe.range);
      }
    }
    for (const name of pipe.binding.names) this.set(pipe.binding.type, name, place);
    return pipe.binding.type === "assign" ? COUNTED : place;
  }

  private pipe(pipe: Pipe, dot: KnownValue): KnownValue {
    let piped: KnownValue | null = null;
    for (const command of pipe.commands) piped = this.command(command, dot, piped);
    return piped ?? COUNTED;
  }

  private command(command: Command, dot: KnownValue, piped: KnownValue | null): KnownValue {
    const [head, ...rest] = command.operands;
    if (head === undefined) return COUNTED;
    if (head.type !== "function") return this.operand(head, dot);
    if (head.name === "index" && piped === null) return this.index(rest, dot);
    for (const operand of rest) this.use(this.operand(operand, dot), operand.range);
    if (piped !== null) this.use(piped, command.range);
    return COUNTED;
  }

  /** `index .states "my-step" "Output"` is the chain it spells. */
  private index(operands: readonly Operand[], dot: KnownValue): KnownValue {
    const [base, ...keys] = operands;
    if (base === undefined) return COUNTED;
    const place = this.operand(base, dot);
    // A number below a result is a place in a list.
    const below = place.type === "path" && place.path.length > 2;
    const names = keys.flatMap((key) =>
      key.type === "string" || (key.type === "number" && below) ? [String(key.value)] : [],
    );
    if (place.type === "path" && names.length === keys.length) return { type: "path", path: [...place.path, ...names] };
    this.use(place, base.range);
    for (const key of keys) this.use(this.operand(key, dot), key.range);
    return COUNTED;
  }

  private operand(operand: Operand, dot: KnownValue): KnownValue {
    const below = (place: KnownValue, path: readonly string[]): KnownValue =>
      place.type === "counted" ? place : { type: "path", path: [...place.path, ...path] };
    switch (operand.type) {
      case "dot":
        return dot;
      case "field":
        return below(dot, operand.path);
      case "name":
        return below(ROOT, operand.path);
      case "variable":
        return below(this.variables.findLast(({ name }) => name === operand.name)?.place ?? COUNTED, operand.path);
      case "group":
        return below(this.pipe(operand.pipe, dot), operand.path);
      case "function":
      case "nil":
      case "string":
      case "number":
      case "boolean":
        return COUNTED;
      default:
        return operand satisfies never;
    }
  }
}

/** The static names a template reads, in source order; see I1 for `dynamic`. */
export function templateReferences(template: Template): TemplateReference[] {
  const reader = new ReferenceReader();
  reader.nodes(template.nodes, ROOT);
  return reader.found;
}
