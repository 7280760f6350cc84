/**
 * Owns how values are named, coerced and compared.
 *
 * I1. Inputs arrive as text, so a text that spells a number or a boolean counts as one beside a number or a boolean.
 * I2. Null, which is also what is missing, equals null alone and is in no order with anything.
 */

import { type Json, own } from "../../model.ts";

const NUMBER = /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/;
const LONGEST_NUMBER = 64;

/** What a value is, without its content: it may be a secret. */
export function describe(value: Json): string {
  if (value === null) return "missing (null)";
  if (Array.isArray(value)) return `an array (${count(value.length, "item")})`;
  switch (typeof value) {
    case "boolean":
      return `the boolean ${value}`;
    case "number":
      return `the number ${value}`;
    case "string":
      return `a string (${count(value.length, "character")})`;
    case "object":
      return `a map (${count(Object.keys(value).length, "key")})`;
    default:
      return value satisfies never;
  }
}

function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? "" : "s"}`;
}

/** The number a value is or spells in decimal, blanks around it ignored; null otherwise. */
export function asNumber(value: Json): number | null {
  if (typeof value === "number") return value;
  if (typeof value !== "string") return null;
  // A trailing line end is what commands print; a long text is no number and not worth reading.
  const text = value.length <= LONGEST_NUMBER ? value.trim() : "";
  if (!NUMBER.test(text)) return null;
  const number = Number(text);
  return Number.isFinite(number) ? number : null;
}

/** The boolean a value is or spells; null counts as false, since what is missing is not so. Null for anything else. */
export function asBoolean(value: Json): boolean | null {
  if (typeof value === "boolean") return value;
  if (value === null) return false;
  return typeof value === "string" ? spelledBoolean(value) : null;
}

function spelledBoolean(text: string): boolean | null {
  if (text.length > LONGEST_NUMBER) return null;
  const folded = text.trim().toLowerCase();
  return folded === "true" ? true : folded === "false" ? false : null;
}

/** Whether two values are equal by I1 and I2, arrays and maps by their parts. The caller has bounded their depth. */
export function areEqual(a: Json, b: Json): boolean {
  if (a === b) return true;
  if (a === null || b === null) return false;
  if (typeof a === "number" || typeof b === "number") return asNumber(a) !== null && asNumber(a) === asNumber(b);
  if (typeof a === "boolean") return typeof b === "string" && spelledBoolean(b) === a;
  if (typeof b === "boolean") return areEqual(b, a);
  if (typeof a !== "object" || typeof b !== "object") return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    return a.every((item, at) => areEqual(item, b[at] ?? null));
  }
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => Object.hasOwn(b, key) && areEqual(own(a, key) ?? null, own(b, key) ?? null))
  );
}

/**
 * Below, at or above zero as `a` is before, beside or after `b`; "none" when one is null; "unlike" when there is no
 * order. Two texts are compared as numbers when both spell one, otherwise by their UTF-16 units.
 */
export function order(a: Json, b: Json): number | "none" | "unlike" {
  if (a === null || b === null) return "none";
  const left = asNumber(a);
  const right = asNumber(b);
  if (left !== null && right !== null) return Math.sign(left - right);
  if (typeof a !== "string" || typeof b !== "string") return "unlike";
  return a < b ? -1 : a > b ? 1 : 0;
}
