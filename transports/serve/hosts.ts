/**
 * Which names a request may call this server by. A page of another site that has its name point here (DNS rebinding)
 * still sends that name.
 *
 * I1. A name is compared whole, after it was parsed, and with its port. Where something ends TLS before us, a name
 *     without a port stands for the port of that: it is compared without one, with names that were given to us.
 * I2. No name, or more than one, is none. HTTP/2 calls it `:authority`; a `Host` beside it must be the same.
 */
import type { IncomingMessage } from "node:http";

/** A name, and the port that may stand with it. */
export const NAME = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?$/;
const LOCAL = ["127.0.0.1", "[::1]", "localhost"];

/** The values of a header, as they came: Node drops or joins repeated ones. */
export function headerValues({ rawHeaders }: Pick<IncomingMessage, "rawHeaders">, name: string): string[] {
  const values: string[] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2)
    if (rawHeaders[i]?.toLowerCase() === name) values.push(rawHeaders[i + 1] as string);
  return values;
}

export type Naming = {
  /** The one the server listens on. */
  port: number;
  /** What a name without a port stands for. */
  defaultPort: 80 | 443;
  /** Configured: `name` for our own port, `name:port` for another. */
  allowed: readonly string[];
  /** Whether the addresses that a connection came in on are names too; for others than loopback. */
  ownAddresses: boolean;
};

/** Whether the request names us. */
export function isOurName(request: Pick<IncomingMessage, "rawHeaders" | "socket">, naming: Naming): boolean {
  const match = NAME.exec(nameOf(request)?.toLowerCase() ?? "");
  if (match === null) return false;
  const [, name = "", given] = match;
  const { port, defaultPort, allowed, ownAddresses } = naming;
  const named = Number(given ?? defaultPort);
  if (allowed.includes(`${name}:${named}`)) return true;
  if (given === undefined && [name, `${name}:443`].some((one) => allowed.includes(one))) return true;
  if (named !== port) return false;
  if (LOCAL.includes(name) || allowed.includes(name)) return true;
  const { localAddress = "", localFamily } = request.socket;
  return ownAddresses && name === (localFamily === "IPv6" ? `[${localAddress}]` : localAddress);
}

function nameOf(request: Pick<IncomingMessage, "rawHeaders">): string | undefined {
  const hosts = headerValues(request, "host");
  const [authority, ...others] = headerValues(request, ":authority");
  if (authority === undefined) return hosts.length === 1 ? hosts[0] : undefined;
  return others.length === 0 && hosts.every((host) => host === authority) ? authority : undefined;
}
