/**
 * Go's `printf` for the verbs that authors use: %s %v %d %q %t %f %e %g %x %X %o %b %c %U %T %%.
 *
 * I1. A verb that does not fit its value, a missing and a spare argument are errors, not `%!d(…)` in the output.
 * I2. Width and precision are at most 10,000.
 * I3. Zeros fill up numbers only; Go puts them before texts, too.
 */
import type { Json } from "../../model.ts";
import { exponential, fixed, general } from "./digits.ts";
import { FunctionError, kindOf, textOf } from "./value.ts";

const MAX_WIDTH = 10_000;
const VERB = /%([-+# 0]*)(\d+|\*)?(?:\.(\d+|\*)?)?([a-zA-Z%]|$)/g;

const numberOf = (value: Json, verb: string): number => {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof number !== "number" || !Number.isFinite(number)) {
    throw new FunctionError(`printf: %${verb} needs a number, found ${kindOf(value)} ${JSON.stringify(value)}`);
  }
  return number;
};

const integerOf = (value: Json, verb: string): number => {
  const number = numberOf(value, verb);
  if (!Number.isInteger(number)) throw new FunctionError(`printf: %${verb} needs an integer, found ${number}`);
  return number;
};

/** Go writes at least two digits of exponent. */
const goExponent = (text: string): string => text.replace(/e([-+])(\d)$/, "e$10$2");

const hexOf = (text: string): string =>
  Array.from(unescape8(text), (char) => char.charCodeAt(0).toString(16).padStart(2, "0")).join("");
/** The UTF-8 bytes of a text, one character each. */
const unescape8 = (text: string): string =>
  encodeURIComponent(text.toWellFormed()).replace(/%([0-9A-F]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );

const RADIX: { readonly [verb: string]: number } = { d: 10, x: 16, X: 16, o: 8, b: 2 };
const PREFIX: { readonly [verb: string]: string } = { x: "0x", X: "0X", o: "0", b: "0b" };

function verbText(
  verb: string,
  flags: string,
  precision: number | null,
  value: Json,
): { text: string; numeric: boolean } {
  const sign = flags.includes("+") ? "+" : flags.includes(" ") ? " " : "";
  const signed = (text: string) => ({ text: text.startsWith("-") ? text : sign + text, numeric: true });
  // An integer with a precision is not filled up with zeros once more.
  const integer = () => ({ ...signed(integerText(verb, flags, precision ?? 0, value)), numeric: precision === null });
  switch (verb) {
    case "s":
    case "v": {
      const text = value === null ? "<nil>" : textOf(value);
      if (typeof value === "number") return signed(text);
      return { text: precision === null ? text : Array.from(text).slice(0, precision).join(""), numeric: false };
    }
    case "q":
      return {
        text: typeof value === "number" ? `'${String.fromCodePoint(value)}'` : JSON.stringify(textOf(value)),
        numeric: false,
      };
    case "t":
      if (typeof value !== "boolean") throw new FunctionError(`printf: %t needs a boolean, found ${kindOf(value)}`);
      return { text: String(value), numeric: false };
    case "x":
    case "X":
      if (typeof value === "string") {
        const hex = hexOf(value);
        return { text: verb === "X" ? hex.toUpperCase() : hex, numeric: false };
      }
      return integer();
    case "d":
    case "o":
    case "b":
      return integer();
    case "c":
      return { text: String.fromCodePoint(integerOf(value, verb)), numeric: false };
    case "U":
      return { text: `U+${integerOf(value, verb).toString(16).toUpperCase().padStart(4, "0")}`, numeric: false };
    case "T":
      return { text: typeOf(value), numeric: false };
    case "f":
    case "F":
      return signed(fixed(numberOf(value, verb), Math.min(precision ?? 6, 100)));
    case "e":
      return signed(exponential(numberOf(value, verb), Math.min(precision ?? 6, 100)));
    case "g":
      return signed(
        precision === null
          ? goExponent(String(numberOf(value, verb)))
          : general(numberOf(value, verb), Math.max(1, Math.min(precision, 100))),
      );
    default:
      throw new FunctionError(`printf: unknown verb %${verb}; use one of s v d q t f e g x X o b c U T`);
  }
}

/** What Go calls the kind of a value that came from JSON or YAML. */
function typeOf(value: Json): string {
  if (value === null) return "<nil>";
  if (typeof value === "number") return Number.isInteger(value) ? "int" : "float64";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "string") return "string";
  return Array.isArray(value) ? "[]interface {}" : "map[string]interface {}";
}

const integerText = (verb: string, flags: string, least: number, value: Json): string => {
  const number = integerOf(value, verb);
  const digits = BigInt(Math.abs(number)).toString(RADIX[verb]).padStart(least, "0");
  const bare = !flags.includes("#") || (verb === "o" && digits.startsWith("0"));
  const prefix = bare ? "" : (PREFIX[verb] ?? "");
  return (number < 0 ? "-" : "") + prefix + (verb === "X" ? digits.toUpperCase() : digits);
};

const pad = (text: string, width: number, flags: string, numeric: boolean): string => {
  const fill = " ".repeat(Math.max(0, width - Array.from(text).length));
  if (flags.includes("-")) return text + fill;
  if (!flags.includes("0") || !numeric) return fill + text;
  // The sign counts into the width, a prefix does not.
  return text.replace(
    /^([-+ ]?)(0[xXb])?(.*)/,
    (_, sign: string, prefix: string | undefined, digits: string) =>
      sign + (prefix ?? "") + digits.padStart(width - sign.length, "0"),
  );
};

export function printf(args: readonly Json[]): string {
  const [format, ...values] = args;
  if (typeof format !== "string") throw new FunctionError("printf: the first argument is the format, a string");
  let used = 0;
  const take = (): Json => {
    const value = values[used];
    if (value === undefined)
      throw new FunctionError(`printf: ${JSON.stringify(format)} needs more than ${values.length} values`);
    used += 1;
    return value;
  };
  const size = (digits: string | undefined): number => {
    const number = digits === "*" ? integerOf(take(), "*") : Number(digits ?? 0);
    if (Math.abs(number) > MAX_WIDTH) throw new FunctionError(`printf: width and precision are at most ${MAX_WIDTH}`);
    return number;
  };
  const text = format.replace(
    VERB,
    (match, flags: string, width: string | undefined, precision: string | undefined, verb: string) => {
      if (verb === "%") return "%";
      if (verb === "") throw new FunctionError("printf: the format ends in an unfinished %");
      const wide = size(width);
      const precise = match.includes(".") ? size(precision) : null;
      if ((precise ?? 0) < 0) throw new FunctionError("printf: a precision is never negative");
      const { text: shown, numeric } = verbText(verb, flags, precise, take());
      return pad(shown, Math.abs(wide), wide < 0 ? `${flags}-` : flags, numeric);
    },
  );
  if (used < values.length)
    throw new FunctionError(`printf: ${JSON.stringify(format)} uses ${used} of ${values.length} values`);
  return text;
}
