/**
 * Where an agent is served, and how to call there.
 *
 * I1. A token is sent in a header, and only encrypted or to this machine.
 */
import { ClientError } from "../../actors/acp-client/errors.ts";

const LOOPBACK = new Set(["127.0.0.1", "localhost", "[::1]"]);
const PING_MS = 30_000;
const MOST_SAID = 300;
/** Of the body of a refusal. */
export const MOST_REFUSAL = 4_096;
/** By the scheme: a socket, or requests and streams of events. */
const WAYS: { readonly [protocol: string]: Pick<Address, "way"> & { encrypted: boolean } } = {
  "ws:": { way: "socket", encrypted: false },
  "wss:": { way: "socket", encrypted: true },
  "http:": { way: "http", encrypted: false },
  "https:": { way: "http", encrypted: true },
};

export type AddressOptions = {
  url: string;
  token?: string;
  headers?: { readonly [name: string]: string };
  pingMs?: number;
};
export type Address = { way: "socket" | "http"; url: URL; headers: { [name: string]: string }; pingMs: number };

/** Whether a word of a command line is meant as an address. */
export const isAddress = (word: string): boolean => /^(ws|http)s?:\/\//i.test(word);

/** Where and how to connect. Throws `unsupported` for what is no such address. */
export function addressOf({ url, token, headers = {}, pingMs = PING_MS }: AddressOptions): Address {
  const address = URL.canParse(url) ? new URL(url) : null;
  const way = WAYS[address?.protocol ?? ""];
  if (address === null || way === undefined) {
    const message = `"${url}" is no address of an agent; expected ws://, wss://, http:// or https://`;
    throw new ClientError("unsupported", message, { url });
  }
  if (token !== undefined && !way.encrypted && !LOOPBACK.has(address.hostname)) {
    const secure = way.way === "socket" ? "wss://" : "https://";
    const message = `a token is not sent unencrypted to ${address.host}; use ${secure}`;
    throw new ClientError("unsupported", message, { url });
  }
  const all = { ...headers, ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }) };
  return { way: way.way, url: address, headers: all, pingMs };
}

export type Refusal = {
  status: number;
  words: string /** Its content type and its text. */;
  type: string;
  body: string;
};
/** What the server will say again is final; that it is busy, or not up yet, is not. */
export function refusedBy(url: URL, { status, words, type, body }: Refusal): ClientError {
  const why = whyIn(type, body);
  const message = `${url.host} refuses the connection: ${`${status} ${words}`.trimEnd()}${why === "" ? "" : `: ${why}`}`;
  const isFinal = status >= 400 && status < 500 && status !== 408 && status !== 429;
  return new ClientError(isFinal ? "refused" : "eof", message, { status });
}

/** A server says it in a line of text, or as a problem (RFC 9457); a page of a proxy is not for a terminal. */
function whyIn(type: string, body: string): string {
  if (type.startsWith("text/plain")) return oneLine(body);
  if (!type.startsWith("application/problem+json")) return "";
  try {
    const { detail } = JSON.parse(body) as { detail?: unknown };
    return typeof detail === "string" ? oneLine(detail) : "";
  } catch {
    return "";
  }
}
const oneLine = (text: string): string => (text.trim().split("\n")[0] ?? "").slice(0, MOST_SAID);

/** A server that was not reached. A certificate that is not believed now will not be the next time either. */
export function unreached(url: URL, error: Error): ClientError {
  const cause = error.cause instanceof Error ? error.cause : error;
  const { code = "", message } = cause as NodeJS.ErrnoException;
  const isFinal = /CERT|^ERR_TLS|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code);
  const why =
    code === "ECONNREFUSED"
      ? "no server listens there; `troupe serve` starts one"
      : /SELF_SIGNED|UNABLE_TO_/.test(code)
        ? `${message}; where its authority is your own, NODE_EXTRA_CA_CERTS names a file with it`
        : message || code;
  return new ClientError(isFinal ? "refused" : "eof", `${url.host} cannot be reached: ${why}`, {}, error);
}
