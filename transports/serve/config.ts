/**
 * What a server is started with, checked before anything is opened.
 *
 * I1. Anything but loopback needs a token, and TLS or the word that there is none.
 * I2. Every fault names its flag and says what was expected.
 * I3. Where there are several principals, none has all places.
 */
import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { ServeFault } from "./fault.ts";
import { NAME } from "./hosts.ts";
import { DEFAULT_LIMITS, MAY_BE_ZERO, MOST, type ServeLimits } from "./limits.ts";
import { TokenFile } from "./token-file.ts";
import type { AccessToken } from "./tokens.ts";

/** As given on the command line. */
export type ServeFlags = {
  listen: string;
  allowOrigin: readonly string[];
  allowHost: readonly string[];
  tokenFile?: string;
  requireToken?: boolean;
  tlsCert?: string;
  tlsKey?: string;
  insecureNoTls?: boolean;
  limit: { readonly [name: string]: string };
  defaultWorkflow?: string;
};
export type ServeConfig = {
  host: string;
  port: number;
  isLoopback: boolean;
  origins: readonly string[];
  hosts: readonly string[];
  /** Null: none is asked for. */
  tokens: readonly AccessToken[] | null;
  /** Where they come from. */
  tokenFile: TokenFile | null;
  tls: { cert: Buffer; key: Buffer } | null;
  limits: ServeLimits;
  defaultWorkflow: string | null;
};

const ADDRESS = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9.-]+)):(\d{1,5})$/i;
const MAX_PORT = 65_535;

/** Throws a `ServeFault`. */
export function serveConfig(flags: ServeFlags): ServeConfig {
  const { host, port } = addressOf(flags.listen);
  const isLoopback = host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));
  const tls = tlsOf(flags);
  const { tokenFile } = flags;
  if (tokenFile === undefined && (!isLoopback || flags.requireToken === true)) {
    const why = isLoopback ? "--require-token" : `${flags.listen} can be reached from other machines: it`;
    throw new ServeFault(
      "USER.SERVE.TOKEN_NEEDED",
      `${why} needs --token-file, a file of mode 600 with a token a line`,
    );
  }
  if (!isLoopback && tls === null && flags.insecureNoTls !== true)
    throw new ServeFault(
      "USER.SERVE.TLS_NEEDED",
      `${flags.listen} can be reached from other machines: give --tls-cert and --tls-key, or --insecure-no-tls where something in front of it encrypts`,
    );
  const file = tokenFile === undefined ? null : new TokenFile(tokenFile);
  const tokens = file?.list ?? null;
  return {
    host,
    port,
    isLoopback,
    origins: flags.allowOrigin.map((text) => originOf(text, "--allow-origin")),
    hosts: flags.allowHost.map(hostOf),
    tokens,
    tokenFile: file,
    tls,
    limits: limitsOf(flags.limit, new Set(tokens?.map(({ subject }) => subject)).size > 1),
    defaultWorkflow: flags.defaultWorkflow ?? null,
  };
}

function addressOf(listen: string): { host: string; port: number } {
  const match = ADDRESS.exec(listen);
  const port = Number(match?.[3] ?? Number.NaN);
  if (match === null || port > MAX_PORT)
    throw new ServeFault(
      "USER.SERVE.LISTEN",
      `--listen ${listen}: expected host:port, as in 127.0.0.1:8900 or [::1]:8900`,
    );
  return { host: (match[1] ?? match[2] ?? "").toLowerCase(), port };
}

/** A name as a `Host` has it. One with anything else beside it, as an address of a page, would never be met. */
function hostOf(text: string): string {
  const name = text.toLowerCase();
  const [, , port = "0"] = NAME.exec(name) ?? [];
  if (NAME.test(name) && Number(port) <= MAX_PORT) return name;
  const expected = "expected a name, or name:port, as in troupe.example.org:8443";
  throw new ServeFault("USER.SERVE.HOST", `--allow-host ${text}: ${expected}`);
}

/** An origin as browsers send it: no path, no default port, lower case; other schemes word for word. */
export function originOf(text: string, flag: "--allow-origin" | "--inspect-origin"): string {
  if (text === "*") throw new ServeFault("USER.SERVE.ORIGIN", `${flag} *: name each origin; every page could connect`);
  const refused = new ServeFault(
    "USER.SERVE.ORIGIN",
    `${flag} ${text}: expected an origin, as in https://example.org:8443`,
  );
  if (!/^https?:/i.test(text)) {
    // A host alone would never be met.
    if (text === "null" || /^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return text;
    throw refused;
  }
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || url.origin.length < text.replace(/\/$/, "").length - ":443".length || url.pathname !== "/")
    throw refused;
  return url.origin;
}

function tlsOf({ tlsCert, tlsKey }: ServeFlags): { cert: Buffer; key: Buffer } | null {
  if (tlsCert === undefined && tlsKey === undefined) return null;
  if (tlsCert === undefined || tlsKey === undefined)
    throw new ServeFault("USER.SERVE.TLS", "--tls-cert and --tls-key belong together");
  try {
    return { cert: readFileSync(tlsCert), key: readFileSync(tlsKey) };
  } catch (error) {
    throw new ServeFault("USER.SERVE.TLS", `the certificate cannot be read: ${(error as Error).message}`);
  }
}

function limitsOf(given: ServeFlags["limit"], isShared: boolean): ServeLimits {
  const limits: { [name: string]: number } = { ...DEFAULT_LIMITS };
  for (const [name, text] of Object.entries(given)) {
    if (!Object.hasOwn(DEFAULT_LIMITS, name))
      throw new ServeFault(
        "USER.SERVE.LIMIT",
        `--limit ${name}: there is no such limit; there are ${Object.keys(DEFAULT_LIMITS).join(", ")}`,
      );
    const least = MAY_BE_ZERO.has(name) ? 0 : 1;
    if (!/^\d{1,12}$/.test(text) || Number(text) < least || Number(text) > MOST)
      throw new ServeFault("USER.SERVE.LIMIT", `--limit ${name}=${text}: expected a whole number, ${least} to ${MOST}`);
    limits[name] = Number(text);
  }
  for (const places of ["connections", "readers"])
    if (!Object.hasOwn(given, `${places}PerPrincipal`))
      limits[`${places}PerPrincipal`] = Math.ceil((limits[places] as number) / (isShared ? 2 : 1)); // I3
  return limits as ServeLimits;
}
