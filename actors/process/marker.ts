/**
 * The variables that every child process carries, and that its own children inherit. Two find a process again that left
 * its process group and its parent (setsid and a double fork). The third tells a Troupe among them how deep it stands.
 *
 * I1. A marker's values hold no space and nothing outside ASCII, so `ps` shows them whole.
 */
import type { Environment } from "../base/user-folders.ts";
import { encodeIdentity, type Identity } from "./identity.ts";
import { DEPTH_VARIABLE, MARKER_VARIABLE, SCOPE_VARIABLE } from "./marker-names.ts";

export { SCOPE_VARIABLE };

export type Marker = { readonly [name: string]: string };

/**
 * The environment variables for the processes of one attempt.
 * @param scope unique for the attempt, for example its step key and a nonce: all of this owner that carries it ends with
 *   the attempt.
 */
export function markerFor(owner: Identity, scope: string): Marker {
  if (scope === "") throw new TypeError("a marker's scope must not be empty: name the attempt, for example by its key");
  return {
    [MARKER_VARIABLE]: encodeIdentity(owner),
    [SCOPE_VARIABLE]: encodeScope(scope),
    [DEPTH_VARIABLE]: String(depthIn(process.env) + 1),
  };
}

/** How many Troupes stand above the one that has this environment. */
export function depthIn(environment: Environment): number {
  const told = environment[DEPTH_VARIABLE] ?? "";
  return /^\d{1,4}$/.test(told) ? Number(told) : 0;
}

/** A marker for what begins and ends within another's time, and must not take the rest with it. */
export const markerWithin = (marker: Marker, name: string): Marker => ({
  ...marker,
  [SCOPE_VARIABLE]: `${marker[SCOPE_VARIABLE] ?? ""}/${encodeScope(name)}`,
});

const PLAIN = /^[0-9A-Za-z/_.:-]*$/;

// Unlike encodeURIComponent this takes a lone surrogate too.
function encodeScope(scope: string): string {
  if (PLAIN.test(scope)) return scope;
  return [...new TextEncoder().encode(scope)]
    .map((byte) => (/[0-9A-Za-z/_.:-]/.test(String.fromCharCode(byte)) ? String.fromCharCode(byte) : percent(byte)))
    .join("");
}

function percent(byte: number): string {
  return `%${byte.toString(16).padStart(2, "0")}`;
}
