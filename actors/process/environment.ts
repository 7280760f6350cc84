/**
 * What a child gets of the user's environment.
 *
 * I1. A command gets all of it but Troupe's own variables, which may hold tokens, and the marker of another owner.
 * I2. An agent or MCP server gets a list of harmless names, what its provider names beside them, and what is configured
 *     for it; nothing else. Troupe's own variables never.
 */
import type { Environment } from "../base/user-folders.ts";
export type ChildEnvironment = { [name: string]: string };

/** Names, and beginnings of names. */
export type AllowedEnvironment = { readonly names: readonly string[]; readonly prefixes: readonly string[] };

const OWN = "TROUPE_";

const AGENT_NAMES: ReadonlySet<string> = new Set([
  "PATH",
  "HOME",
  "LANG",
  "TERM",
  "TMPDIR",
  "USER",
  "SHELL",
  "NODE_EXTRA_CA_CERTS",
  ...["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY"].flatMap((name) => [name, name.toLowerCase()]),
]);
const AGENT_PREFIXES = ["LC_", "XDG_", "SSL_CERT_"];

const ofCommands = new WeakMap<Environment, ChildEnvironment>();

/** The environment of a command step (I1). Of a parent that is frozen it is worked out once. */
export function commandEnvironment(parent: Environment): Readonly<ChildEnvironment> {
  const known = ofCommands.get(parent);
  if (known !== undefined) return known;
  const environment = Object.freeze(pick(parent, (name) => !name.startsWith(OWN)));
  if (Object.isFrozen(parent)) ofCommands.set(parent, environment);
  return environment;
}

/**
 * The environment of an agent or an MCP server (I2).
 * @param extra what its configuration sets; it wins
 * @param provider what this provider takes of the user's environment
 */
export function agentEnvironment(
  parent: Environment,
  extra: { readonly [name: string]: string },
  provider: AllowedEnvironment = { names: [], prefixes: [] },
): ChildEnvironment {
  const prefixes = [...AGENT_PREFIXES, ...provider.prefixes];
  const allowed = (name: string) =>
    !name.startsWith(OWN) &&
    (AGENT_NAMES.has(name) ||
      provider.names.includes(name) ||
      prefixes.some((prefix) => name.startsWith(prefix) && name !== prefix));
  return { ...pick(parent, allowed), ...extra };
}

function pick(parent: Environment, wanted: (name: string) => boolean): ChildEnvironment {
  const names = Object.entries(parent).filter(([name]) => wanted(name));
  return Object.fromEntries(names.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}
