/**
 * The user's `acp.json`: what `troupe acp` and `troupe serve` offer. A repository has no say in it.
 *
 * I1. A file that is not there is the default. One that cannot be read or understood ends the start: with the field,
 *     what was expected, and nothing on standard output.
 */

import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import type { Environment } from "../../actors/troupe.ts";
import { type AuthMethod, OFFER, type Offer, OPTIONAL_METHODS, type OptionalMethod } from "./offer.ts";
import { isProfile, PROFILES, type Switches } from "./profile.ts";

/** `USER.ACP.CONFIG` in the table of codes: one line on stderr, exit 1. */
export class ConfigFault extends Error {
  readonly code = "USER.ACP.CONFIG";
}
export type { Environment };
/** From the command line: they stand above the file. */
export type OfferSettings = {
  config?: string;
  profile?: string;
  defaultWorkflow?: string;
  agentAuth?: boolean;
  permissionMode?: Offer["permissionMode"];
  permissionTimeoutMs?: number;
  /** Nothing of it is found by a later process. */
  ephemeral?: boolean;
};
type ConfigFields = { readonly [name: string]: unknown };

const fileOf = ({ XDG_CONFIG_HOME = "", HOME = "" }: Environment): string => {
  const base = isAbsolute(XDG_CONFIG_HOME) ? XDG_CONFIG_HOME : join(isAbsolute(HOME) ? HOME : homedir(), ".config");
  return join(base, "troupe", "acp.json");
};

/** Throws a `ConfigFault`. */
export function offerOf(
  environment: Environment,
  { config, profile, defaultWorkflow, agentAuth, permissionMode, permissionTimeoutMs, ephemeral }: OfferSettings = {},
): Offer {
  const file = config ?? fileOf(environment);
  const text = read(file, config !== undefined);
  const said = text === null ? {} : parsed(file, text);
  const reader = new ConfigReader(file);
  reader.known(said, "", ["profile", "compat", "refusals", "auth", "fork", "without", "defaultWorkflow"]);
  const name = profile ?? reader.text(said, "profile") ?? "acp";
  if (!isProfile(name)) {
    const where = profile === undefined ? `${file}: "profile"` : "--profile";
    throw new ConfigFault(`${where} must be one of ${Object.keys(PROFILES).join(", ")}, not "${name}"`);
  }
  return {
    switches: {
      ...PROFILES[name],
      refusals: reader.flag(said, "refusals") ?? PROFILES[name].refusals,
      ...compatOf(reader, reader.fields(said, "compat") ?? {}),
    },
    auth: withAgents(authOf(reader, reader.fields(said, "auth") ?? {}), agentAuth === true),
    fork: reader.flag(said, "fork") ?? OFFER.fork,
    without: withoutOf(reader, said["without"]),
    permissionMode: permissionMode ?? OFFER.permissionMode,
    permissionTimeoutMs: permissionTimeoutMs ?? OFFER.permissionTimeoutMs,
    defaultWorkflow: defaultWorkflow ?? reader.text(said, "defaultWorkflow") ?? OFFER.defaultWorkflow,
    keeps: ephemeral !== true,
    page: OFFER.page,
  };
}

function read(file: string, isNamed: boolean): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const { code } = error as { code?: string };
    if (!isNamed && (code === "ENOENT" || code === "ENOTDIR")) return null;
    throw new ConfigFault(`${file}: cannot be read: ${String(code)}`);
  }
}
function parsed(file: string, text: string): ConfigFields {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new ConfigFault(`${file}: is no JSON: ${(error as Error).message}`);
  }
  if (!isFields(value)) throw new ConfigFault(`${file}: must hold an object`);
  return value;
}

const isFields = (value: unknown): value is ConfigFields =>
  typeof value === "object" && value !== null && !Array.isArray(value);

class ConfigReader {
  readonly #file: string;
  constructor(file: string) {
    this.#file = file;
  }
  known(fields: ConfigFields, where: string, names: readonly string[]): void {
    for (const name of Object.keys(fields))
      if (!names.includes(name)) throw this.fault(where + name, `is not known; expected one of ${names.join(", ")}`);
  }
  text(fields: ConfigFields, name: string, where = ""): string | undefined {
    const value = fields[name];
    if (value === undefined || (typeof value === "string" && value !== "")) return value;
    throw this.fault(where + name, "must be a text");
  }
  flag(fields: ConfigFields, name: string, where = ""): boolean | undefined {
    const value = fields[name];
    if (value === undefined || typeof value === "boolean") return value;
    throw this.fault(where + name, "must be true or false");
  }
  fields(fields: ConfigFields, name: string): ConfigFields | undefined {
    const value = fields[name];
    if (value === undefined || isFields(value)) return value;
    throw this.fault(name, "must be an object");
  }
  fault(field: string, why: string): ConfigFault {
    return new ConfigFault(`${this.#file}: "${field}" ${why}`);
  }
}

/** A switch takes a value that some profile has, or that is listed here. */
const MORE: { readonly [name: string]: readonly unknown[] } = { executionState: ["notification", "update"] };

function compatOf(reader: ConfigReader, said: ConfigFields): Partial<Switches> {
  const names = Object.keys(PROFILES.acp);
  reader.known(said, "compat.", names);
  for (const [name, value] of Object.entries(said)) {
    const values = Object.values(PROFILES).map((profile: ConfigFields) => profile[name]);
    const allowed = [...new Set([...values, ...(MORE[name] ?? [])])];
    if (!allowed.includes(value))
      throw reader.fault(`compat.${name}`, `must be one of ${allowed.map((each) => JSON.stringify(each)).join(", ")}`);
  }
  return said as Partial<Switches>;
}

/** Troupe has no account of its own: each agent signs in with what its own program knows. */
const AGENTS: AuthMethod = {
  id: "agents",
  name: "The sign-in of your agents",
  description: "Each agent uses the sign-in of its own program; workflows without agents need none",
};
const withAgents = (auth: Offer["auth"], isOffered: boolean): Offer["auth"] =>
  isOffered && auth.methods.length === 0 ? { ...auth, methods: [AGENTS] } : auth;

function withoutOf(reader: ConfigReader, said: unknown): readonly OptionalMethod[] {
  if (said === undefined) return OFFER.without;
  const isKnown = (one: unknown): one is OptionalMethod => (OPTIONAL_METHODS as readonly unknown[]).includes(one);
  if (Array.isArray(said) && said.every(isKnown)) return said;
  throw reader.fault("without", `must be a list of ${OPTIONAL_METHODS.join(", ")}`);
}

function authOf(reader: ConfigReader, said: ConfigFields): Offer["auth"] {
  reader.known(said, "auth.", ["methods", "required"]);
  const { methods = [] } = said;
  if (!Array.isArray(methods)) throw reader.fault("auth.methods", "must be a list");
  const read = methods.map((one: unknown, index) => methodOf(reader, one, `auth.methods[${index}]`));
  const required = reader.flag(said, "required", "auth.") ?? false;
  if (required && read.length === 0) throw reader.fault("auth.required", "needs at least one of auth.methods");
  return { methods: read, required };
}

function methodOf(reader: ConfigReader, said: unknown, where: string): AuthMethod {
  if (!isFields(said)) throw reader.fault(where, "must be an object");
  reader.known(said, `${where}.`, ["id", "name", "description", "variable"]);
  const [id, name] = ["id", "name"].map((field) => reader.text(said, field, `${where}.`));
  if (id === undefined || name === undefined) throw reader.fault(where, "must have an id and a name");
  const description = reader.text(said, "description", `${where}.`);
  const variable = reader.text(said, "variable", `${where}.`);
  return { id, name, ...(description ? { description } : {}), ...(variable ? { variable } : {}) };
}
