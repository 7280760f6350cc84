/**
 * Owns how a member is found.
 *
 * I1. Own properties only: `constructor` and `__proto__` are missing unless the data has them.
 * I2. The properties of a state, of `loop`, `error`, `workflow` and `context` are also found under other cases and with
 *     underscores (`exit_code` for `ExitCode`); an exact name wins. Names that authors choose are exact.
 * I3. A state that has run has every property of a result: what its kind does not give is 0, false or null.
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

/** What a result has where its state says nothing of it, by folded name. */
const UNSAID: { readonly [property: string]: Json } = {
  tokensused: 0,
  tokensinput: 0,
  tokensoutput: 0,
  tokensestimated: false,
  truncated: false,
};

/** A property of a state's result (I3); null where the state has not run. */
export function propertyOf(result: Json, name: string): Json {
  const said = memberOf(result, name, true);
  return said === null && isMap(result) ? (own(UNSAID, fold(name)) ?? null) : said;
}

/** True where a property is the head of an output that did not fit. */
export const wasCut = (result: Json, name: string): boolean =>
  isMap(result) && own(result, "Truncated") === true && ["output", "stderr"].includes(fold(name));

/** The state whose result a node is, `states.a` or `states["a"]`; null for any other node. */
export function stateOf(node: Expression): string | null {
  if ((node.kind !== "member" && node.kind !== "index") || node.object.kind !== "name") return null;
  if (node.object.name !== "states") return null;
  if (node.kind === "member") return node.name;
  return node.index.kind === "literal" && typeof node.index.value === "string" ? node.index.value : null;
}

/** The state that a chain of members and slices begins with, where it has no result; null for any other node. */
export function absentState(node: Expression, scope: { readonly [name: string]: Json }): string | null {
  for (let at = node; at.kind === "member" || at.kind === "index" || at.kind === "slice"; at = at.object) {
    const state = stateOf(at);
    if (state === null) continue;
    const states = own(scope, "states") ?? null;
    return isMap(states) && own(states, state) !== undefined ? null : state;
  }
  return null;
}

const isMap = (value: Json): value is { [name: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value);

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

/** A property's name under all its spellings. */
export function fold(name: string): string {
  return name.toLowerCase().replaceAll("_", "");
}
