/** One given value as the type that its input declares. Values of a prompt or a command line are always text. */
import type { Json } from "../../model.ts";
import type { InputType } from "../document.ts";

export type Coerced = { ok: true; value: Json } | { ok: false; expected: string };

const INTEGER = /^[+-]?\d+$/;
/** A greater one would be altered without a word. */
const AT_MOST = `up to ${Number.MAX_SAFE_INTEGER} in size`;
const YES = new Set(["true", "yes", "1"]);
const NO = new Set(["false", "no", "0"]);

function integer(value: Json): Coerced {
  const isSpelled = typeof value === "string" && INTEGER.test(value.trim());
  const number = isSpelled ? Number(value.trim()) : value;
  // Minus zero would print as "-0".
  if (typeof number === "number" && Number.isSafeInteger(number)) return { ok: true, value: number + 0 };
  const isTooGreat = isSpelled || Number.isInteger(number);
  return { ok: false, expected: isTooGreat ? `a whole number ${AT_MOST}` : "a whole number" };
}

function boolean(value: Json): Coerced {
  if (typeof value === "boolean") return { ok: true, value };
  const word = typeof value === "string" ? value.trim().toLowerCase() : "";
  if (YES.has(word)) return { ok: true, value: true };
  if (NO.has(word)) return { ok: true, value: false };
  return { ok: false, expected: "true or false" };
}

/** Numbers and booleans become text. Lists and maps stay: an input without a type may hold any value. */
function string(value: Json): Coerced {
  return { ok: true, value: typeof value === "number" || typeof value === "boolean" ? String(value) : value };
}

/** `value` as `type`, or what was expected. `null` never comes here: it means that nothing was given. */
export function coerce(value: Json, type: InputType): Coerced {
  switch (type) {
    case "string":
      return string(value);
    case "integer":
      return integer(value);
    case "boolean":
      return boolean(value);
    default:
      return type satisfies never;
  }
}
