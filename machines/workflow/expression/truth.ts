/**
 * Owns what is known of a condition before anything runs: which of its parts are neither true nor false.
 *
 * I1. Only what no run can make true or false is told. A text may spell a boolean; of what is not known nothing is said.
 */
import { hyphenatedName } from "./hyphen.ts";
import { fold, stateOf } from "./lookup.ts";
import { shown } from "./print.ts";
import type { Expression, Range } from "./syntax.ts";
import { asBoolean } from "./values.ts";

/** `maybe`: where what it reads is missing it counts as false, so that only a run can say whether it fails. */
export type Untrue = { range: Range; message: string; expected: string; maybe: boolean };
/** The type that an input is declared with; undefined where it is not declared. */
export type TypeOfInput = (name: string) => string | undefined;

/** Properties of a state's result, by folded name, that are never true or false. */
const NUMBERS: ReadonlySet<string> = new Set(["exitcode", "tokensused", "tokensinput", "tokensoutput"]);
const WORDS: ReadonlySet<string> = new Set(["status"]);

/** The parts of a condition that have to be true or false, and cannot be. */
export function untrueParts(node: Expression, typeOf: TypeOfInput): Untrue[] {
  const all = (...parts: Expression[]): Untrue[] => parts.flatMap((part) => untrueParts(part, typeOf));
  switch (node.kind) {
    case "literal":
      return asBoolean(node.value) !== null ? [] : [untrue(node, typeof node.value === "number" ? "number" : "text")];
    case "array":
    case "map":
      return [untrue(node, node.kind)];
    case "let":
      if (node.name === "states") return []; // it is another thing in there
      return untrueParts(node.body, (name) => (node.name === "inputs" ? undefined : typeOf(name)));
    case "conditional":
      return all(node.test, node.then, node.otherwise);
    case "unary":
      return node.operator === "not" ? all(node.operand) : [untrue(node, "number")];
    case "binary":
      if (node.operator === "and" || node.operator === "or") return all(node.left, node.right);
      if (node.operator === "-" && hyphenatedName(node.left, node.right) !== null) return []; // told as a name
      return isNumber(node, typeOf) ? [untrue(node, "number")] : [];
    case "member": {
      const is = isNumber(node, typeOf)
        ? "number"
        : stateOf(node.object) !== null && WORDS.has(fold(node.name))
          ? "text"
          : null;
      return is === null ? [] : [{ ...untrue(node, is), maybe: true }];
    }
    case "name":
    case "index":
    case "slice":
    case "call":
      return [];
    default:
      return node satisfies never;
  }
}

function isNumber(node: Expression, typeOf: TypeOfInput): boolean {
  switch (node.kind) {
    case "literal":
      return typeof node.value === "number";
    case "unary":
      return node.operator !== "not";
    case "binary":
      // Two texts are joined by "+".
      if (node.operator === "+") return isNumber(node.left, typeOf) || isNumber(node.right, typeOf);
      return ["-", "*", "/", "%", "**"].includes(node.operator);
    case "member":
      if (stateOf(node.object) !== null) return NUMBERS.has(fold(node.name));
      return node.object.kind === "name" && node.object.name === "inputs" && typeOf(node.name) === "integer";
    default:
      return false;
  }
}

function untrue(node: Expression, is: "number" | "text" | "array" | "map"): Untrue {
  const what = shown(node);
  const isWritten = node.kind === "literal" || node.kind === "array" || node.kind === "map";
  const other = is === "number" ? "> 0" : '== "…"';
  return {
    range: node.range,
    message: `a condition is true or false, and ${what} is ${is === "array" ? "an" : "a"} ${is}`,
    expected: `a comparison${isWritten ? "" : `, such as ${what} ${other}`}`,
    maybe: false,
  };
}
