/**
 * Names of workflows as an MCP host may call them: letters, digits, `_` and `-`, 64 of them at most.
 *
 * I1. Canonical `pack/workflow` is `pack_workflow`; `_` itself is `__`, and any other character is `_-` with two
 *     hexadecimal digits for each of its bytes. Both ways round-trip for every name that has a form.
 * I2. A name whose form would be longer has none: to cut it would give two workflows one name.
 */

const LONGEST = 64;
const PLAIN = /^[A-Za-z0-9-]$/;
/** The parts of a canonical name begin with a letter or a digit; so a `_` before one of these is the slash. */
const PART = /^[A-Za-z0-9][A-Za-z0-9._-]*$/;

/** The form of a canonical name; null where it has none. */
export function encodeMcpName(name: string): string | null {
  const parts = name.split("/");
  if (parts.length > 2 || !parts.every((part) => PART.test(part))) return null;
  const wire = parts.map((part) => Array.from(part, coded).join("")).join("_");
  return wire.length <= LONGEST ? wire : null;
}

const coded = (char: string): string =>
  PLAIN.test(char) ? char : char === "_" ? "__" : `_-${(char.codePointAt(0) ?? 0).toString(16).padStart(2, "0")}`;

/** The canonical name of a form; null when it is none. */
export function decodeMcpName(wire: string): string | null {
  const name = wire.replace(/__|_-([0-9a-f]{2})|_/g, (token, hex: string | undefined) => {
    if (token === "__") return "_";
    return hex === undefined ? "/" : String.fromCharCode(Number.parseInt(hex, 16));
  });
  return encodeMcpName(name) === wire ? name : null;
}
