/**
 * A tree as source. I1. parse(print(tree)) is the tree, ranges aside.
 */
import type { Node, Operand, Pipe, Template } from "./ast.ts";

const path = (names: readonly string[]): string => names.map((name) => `.${name}`).join("");

export function printOperand(operand: Operand): string {
  switch (operand.type) {
    case "dot":
      return ".";
    case "nil":
      return "nil";
    case "field":
      return path(operand.path);
    case "name":
      return operand.path.join(".");
    case "variable":
      return `$${operand.name}${path(operand.path)}`;
    case "function":
      return operand.name;
    case "string":
      return printString(operand.value);
    case "number":
    case "boolean":
      return String(operand.value);
    case "group":
      return `(${printPipe(operand.pipe)})${path(operand.path)}`;
    default:
      return operand satisfies never;
  }
}

/** JSON's escapes are Go's, but for `\/`, which JSON never writes. Lone surrogates stay as they are. */
const printString = (value: string): string => {
  const body = Array.from(value, (char) =>
    /[\ud800-\udfff]/.test(char) && char.length === 1 ? char : JSON.stringify(char).slice(1, -1),
  );
  return `"${body.join("")}"`;
};

export function printPipe(pipe: Pipe): string {
  const { type, names } = pipe.binding;
  const binding =
    type === "none" ? "" : `${names.map((name) => `$${name}`).join(", ")} ${type === "declare" ? ":=" : "="} `;
  return binding + pipe.commands.map(({ operands }) => operands.map(printOperand).join(" ")).join(" | ");
}

class Printer {
  out = "";

  /** A text that ends in `{` would join with the action's braces: a trim marker and a space part them. */
  action(inner: string): void {
    this.out += this.out.endsWith("{") ? ` {{- ${inner}}}` : `{{${inner}}}`;
  }

  nodes(nodes: readonly Node[]): void {
    for (const node of nodes) this.node(node);
  }

  node(node: Node): void {
    switch (node.type) {
      case "text":
        this.out += node.text;
        return;
      case "comment":
        this.action(`/*${node.text}*/`);
        return;
      case "action":
        this.action(printPipe(node.pipe));
        return;
      case "break":
      case "continue":
        this.action(node.type);
        return;
      case "if":
      case "with":
      case "range":
        this.action(`${node.type} ${printPipe(node.pipe)}`);
        this.nodes(node.body);
        if (node.otherwise !== null) {
          this.action("else");
          this.nodes(node.otherwise);
        }
        this.action("end");
        return;
      default:
        node satisfies never;
    }
  }
}

/** The source of a template: `else if` comes out as an `if` within the `else`, which is the same tree. */
export function printTemplate(template: Template): string {
  const printer = new Printer();
  printer.nodes(template.nodes);
  return printer.out;
}
