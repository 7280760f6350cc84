/**
 * Names of workflows as they stand in a slash command.
 *
 * I1. Canonical `pack/workflow` is `pack:workflow` on the wire, reserved characters percent-coded; both ways
 *     round-trip for every well-formed name.
 */

/** The wire form of a canonical name. */
export function encodeWireName(name: string): string {
  const slash = name.indexOf("/");
  const code = (part: string): string => encodeURIComponent(part.toWellFormed());
  return slash < 0 ? code(name) : `${code(name.slice(0, slash))}:${code(name.slice(slash + 1))}`;
}

/** The canonical name of a wire form, or null when it is none. `pack/workflow` itself is taken too. */
export function decodeWireName(wire: string): string | null {
  const colon = wire.indexOf(":");
  try {
    if (colon < 0) {
      const name = decodeURIComponent(wire);
      return name.includes("/") && !wire.includes("/") ? null : name;
    }
    const pack = decodeURIComponent(wire.slice(0, colon));
    return pack.includes("/") ? null : `${pack}/${decodeURIComponent(wire.slice(colon + 1))}`;
  } catch {
    return null;
  }
}
