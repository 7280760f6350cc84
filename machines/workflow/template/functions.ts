/**
 * The built-in functions of templates, pure. `readFile` is an effect and is injected by the caller.
 *
 * I1. Sizes of texts are counted in bytes of UTF-8, as in Go; `json` writes the names of a map in their order.
 * I2. Numbers and strings that look like numbers compare as numbers: a command line gives strings only.
 * I3. Where Go's order of arguments makes a pipe useless, `join` takes either; `replace`, `contains`,
 *     `hasPrefix`, `hasSuffix`, `default` take the piped text last.
 */
import type { Json } from "../../model.ts";
import { byteLength } from "./bytes.ts";
import { quotedWord } from "./plain.ts";
import { printf } from "./printf.ts";
import { FunctionError, isObject, isTrue, kindOf, textOf } from "./value.ts";

export type Functions = { readonly [name: string]: (...args: Json[]) => Json };

const text = (name: string, value: Json | undefined): string => {
  if (value === undefined) throw new FunctionError(`${name}: an argument is missing`);
  if (typeof value === "string") return value;
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  throw new FunctionError(`${name}: a string expected, found ${kindOf(value)}`);
};
const count = (name: string, args: readonly Json[], least: number, most = least): void => {
  if (args.length >= least && args.length <= most) return;
  const wanted =
    least === most ? String(least) : most === Number.POSITIVE_INFINITY ? `at least ${least}` : `${least} to ${most}`;
  throw new FunctionError(`${name}: ${wanted} argument${wanted === "1" ? "" : "s"} expected, found ${args.length}`);
};

const asNumber = (value: Json): number | null =>
  typeof value === "number"
    ? value
    : typeof value === "string" && value.trim() !== "" && Number.isFinite(Number(value))
      ? Number(value)
      : null;

const equal = (name: string, a: Json, b: Json): boolean => {
  if (a === b) return true;
  if (a === null || b === null) return false;
  if (typeof a === "object" || typeof b === "object")
    throw new FunctionError(`${name}: lists and objects cannot be compared`);
  if (typeof a === typeof b) return false;
  if (typeof a === "number" || typeof b === "number") {
    const [left, right] = [asNumber(a), asNumber(b)];
    if (left !== null && right !== null) return left === right;
  } else return String(a) === String(b);
  throw new FunctionError(
    `${name}: ${kindOf(a)} ${JSON.stringify(a)} cannot be compared with ${kindOf(b)} ${JSON.stringify(b)}`,
  );
};

const order = (name: string, args: readonly Json[]): number => {
  count(name, args, 2);
  const [a = null, b = null] = args;
  if (typeof a === "string" && typeof b === "string") return a < b ? -1 : a > b ? 1 : 0;
  const [left, right] = [asNumber(a), asNumber(b)];
  if (left !== null && right !== null) return left - right;
  throw new FunctionError(
    `${name}: ${kindOf(a)} ${JSON.stringify(a)} has no order with ${kindOf(b)} ${JSON.stringify(b)}`,
  );
};

const position = (name: string, value: Json | undefined, length: number): number => {
  if (typeof value !== "number" || !Number.isInteger(value)) throw new FunctionError(`${name}: an integer expected`);
  if (value < 0 || value > length)
    throw new FunctionError(`${name}: ${value} is out of range, the length is ${length}`);
  return value;
};

const index = (value: Json, key: Json): Json => {
  if (isObject(value)) {
    const name = text("index", key);
    return Object.hasOwn(value, name) ? (value[name] ?? null) : null;
  }
  if (Array.isArray(value) || typeof value === "string") {
    const items: ArrayLike<Json> = typeof value === "string" ? UTF8.encode(value) : value;
    const at = position("index", asNumber(key) ?? key, items.length);
    const item = items[at];
    if (item === undefined) throw new FunctionError(`index: ${at} is out of range, the length is ${items.length}`);
    return item;
  }
  throw new FunctionError(`index: cannot index ${kindOf(value)}`);
};

const replaceAll = (source: string, table: { readonly [char: string]: string }): string =>
  Array.from(source, (char) => (Object.hasOwn(table, char) ? (table[char] ?? "") : char)).join("");
const HTML = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&#34;", "'": "&#39;", "\0": "\uFFFD" };
const JS = {
  "\\": "\\\\",
  "'": "\\'",
  '"': '\\"',
  "<": "\\u003C",
  ">": "\\u003E",
  "&": "\\u0026",
  "=": "\\u003D",
  "\n": "\\u000A",
  "\r": "\\u000D",
  "\t": "\\u0009",
  "\u2028": "\\u2028",
  "\u2029": "\\u2029",
};
const printed = (args: readonly Json[]): string =>
  args.map((value) => (value === null ? "<nil>" : textOf(value))).join("");
/** Go's print: a space between operands when neither is a string. */
const printSpaced = (args: readonly Json[]): string =>
  args
    .map(
      (value, at) =>
        (at > 0 && typeof value !== "string" && typeof args[at - 1] !== "string" ? " " : "") + printed([value]),
    )
    .join("");

const UTF8 = new TextEncoder();

/** JSON with the names of every map in their order. */
function jsonOf(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(jsonOf).join(",")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const fields = Object.keys(value).sort();
  return `{${fields.map((name) => `${JSON.stringify(name)}:${jsonOf(value[name] ?? null)}`).join(",")}}`;
}

const trimSet = (source: string, set: string): string => {
  const chars = Array.from(source);
  let [start, end] = [0, chars.length];
  while (start < end && set.includes(chars[start] ?? "")) start++;
  while (end > start && set.includes(chars[end - 1] ?? "")) end--;
  return chars.slice(start, end).join("");
};
/** A function of exactly `arity` values, one or two. */
const counted =
  (name: string, arity: 1 | 2, run: (first: Json, second: Json) => Json) =>
  (...args: Json[]): Json => {
    count(name, args, arity);
    return run(args[0] ?? null, args[1] ?? null);
  };
/** A function of texts only: counts its arguments and turns each into text. */
const texts =
  (name: string, arity: number, run: (...args: [string, string, string]) => Json) =>
  (...args: Json[]): Json => {
    count(name, args, arity);
    return run(text(name, args[0]), arity > 1 ? text(name, args[1]) : "", arity > 2 ? text(name, args[2]) : "");
  };
const comparison =
  (name: string, holds: (sign: number) => boolean) =>
  (...args: Json[]) =>
    holds(order(name, args));

/** All but `and` and `or`, which do not evaluate every argument, and `readFile`. */
export const BUILTINS: Functions = {
  not: counted("not", 1, (value) => !isTrue(value)),
  eq: (...args) => {
    count("eq", args, 2, Number.POSITIVE_INFINITY);
    return args.slice(1).some((other) => equal("eq", args[0] ?? null, other));
  },
  ne: counted("ne", 2, (a, b) => !equal("ne", a, b)),
  lt: comparison("lt", (sign) => sign < 0),
  le: comparison("le", (sign) => sign <= 0),
  gt: comparison("gt", (sign) => sign > 0),
  ge: comparison("ge", (sign) => sign >= 0),
  index: (...args) => {
    count("index", args, 1, Number.POSITIVE_INFINITY);
    return args.slice(1).reduce<Json>(index, args[0] ?? null);
  },
  slice: (...args) => {
    count("slice", args, 1, 3);
    const [value = null] = args;
    if (typeof value !== "string" && !Array.isArray(value))
      throw new FunctionError(`slice: cannot slice ${kindOf(value)}`);
    const items = typeof value === "string" ? UTF8.encode(value) : value;
    const from = args.length > 1 ? position("slice", args[1], items.length) : 0;
    const to = args.length > 2 ? position("slice", args[2], items.length) : items.length;
    if (from > to) throw new FunctionError(`slice: ${from} is behind ${to}`);
    return Array.isArray(items) ? items.slice(from, to) : new TextDecoder().decode(items.slice(from, to));
  },
  len: (...args) => {
    count("len", args, 1);
    const [value = null] = args;
    if (typeof value === "string") return byteLength(value);
    if (Array.isArray(value)) return value.length;
    if (isObject(value)) return Object.keys(value).length;
    throw new FunctionError(`len: ${kindOf(value)} has no length`);
  },
  print: (...args) => printSpaced(args),
  println: (...args) => `${args.map((value) => printed([value])).join(" ")}\n`,
  printf: (...args) => printf(args),
  html: (...args) => replaceAll(printSpaced(args), HTML),
  js: (...args) => replaceAll(printSpaced(args), JS),
  urlquery: (...args) =>
    encodeURIComponent(printSpaced(args).toWellFormed())
      .replace(/%20/g, "+")
      .replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`),
  escape: counted("escape", 1, (value) => quotedWord(textOf(value))),
  raw: counted("raw", 1, textOf),
  json: counted("json", 1, jsonOf),
  split: texts("split", 2, (source, separator) => (separator === "" ? Array.from(source) : source.split(separator))),
  join: (...args) => {
    count("join", args, 2);
    const [list, separator] = Array.isArray(args[0]) ? [args[0], args[1]] : [args[1], args[0]];
    if (!Array.isArray(list)) throw new FunctionError(`join: a list expected, found ${kindOf(list ?? null)}`);
    return list.map(textOf).join(text("join", separator));
  },
  trimSpace: texts("trimSpace", 1, (source) => source.trim()),
  trim: (...args) => {
    count("trim", args, 1, 2);
    return args.length === 1 ? text("trim", args[0]).trim() : trimSet(text("trim", args[0]), text("trim", args[1]));
  },
  lower: texts("lower", 1, (source) => source.toLowerCase()),
  upper: texts("upper", 1, (source) => source.toUpperCase()),
  replace: texts("replace", 3, (old, fresh, source) => source.replaceAll(old, () => fresh)),
  contains: texts("contains", 2, (part, source) => source.includes(part)),
  hasPrefix: texts("hasPrefix", 2, (part, source) => source.startsWith(part)),
  hasSuffix: texts("hasSuffix", 2, (part, source) => source.endsWith(part)),
  default: counted("default", 2, (fallback, value) => (isTrue(value) ? value : fallback)),
};
