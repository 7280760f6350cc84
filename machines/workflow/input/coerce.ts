/** One given value as the type that its input declares. Values of a prompt or a command line are always text. */
import type { Json } from "../../model.ts";
import type { InputType } from "../document.ts";

export type Coerced = { ok: true; value: Json } | { ok: false; expected: string };

const INTEGER = /^[+-]?\d+$/;
const YES = new Set(["true", "yes", "1"]);
const NO = new Set(["false", "no", "0"]);

function integer(value: Json): Coerced {
  const number = typeof value === "string" && INTEGER.test(value.trim()) ? Number(value.trim()) : value;
  // Minus zero would print as "-0".
  if (typeof number === "number" && Number.isSafeInteger(number)) return { ok: true, value: number + 0 };
  return { ok: false, expected: "a whole number" };
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
