/**
 * Owns how a member is found.
 *
 * I1. Own properties only: `constructor` and `__proto__` are missing unless the data has them.
 * I2. The properties of a state, of `loop`, `error`, `workflow` and `context` are also found under other cases and with
 *     underscores (`exit_code` for `ExitCode`); an exact name wins. Names that authors choose are exact.
 */

import { type Json, own } from "../../model.ts";
import type { Expression } from "./syntax.ts";

const FOLDED_ROOTS: ReadonlySet<string> = new Set(["loop", "error", "workflow", "context"]);

/** The member of a value, or null. `folded` allows the other spellings. */
export function memberOf(value: Json, name: string, folded: boolean): Json {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const exact = own(value, name);
  if (exact !== undefined || !folded) return exact ?? null;
  const wanted = fold(name);
  const found = Object.keys(value).find((key) => fold(key) === wanted);
  return found === undefined ? null : (own(value, found) ?? null);
}

/** Whether the members of this node are properties of the system, which have other spellings. */
export function hasFoldedMembers(object: Expression): boolean {
  switch (object.kind) {
    case "name":
      return FOLDED_ROOTS.has(object.name);
    case "member":
      if (object.object.kind === "name" && object.object.name === "states") return true;
      return fold(object.name) === "parent" && isLoop(object.object);
    case "index":
      return object.object.kind === "name" && object.object.name === "states";
    default:
      return false;
  }
}

/** `loop`, `loop.Parent`, `loop.Parent.Parent` … */
function isLoop(node: Expression): boolean {
  if (node.kind === "name") return node.name === "loop";
  return node.kind === "member" && fold(node.name) === "parent" && isLoop(node.object);
}

function fold(name: string): string {
  return name.toLowerCase().replaceAll("_", "");
}
