/**
 * Who may come in, where a token is asked for.
 *
 * I1. Tokens are compared in a time that does not depend on what was given.
 * I2. A token is never part of an error, a log or an answer.
 */
import { timingSafeEqual } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { ServeFault } from "./fault.ts";
import { headerValues } from "./hosts.ts";
import { digestOf } from "./secret-digest.ts";

const MIN_BYTES = 32;
/** What a header carries, and `tokenOf` reads. */
const SENDABLE = /^[\x21-\x2b\x2d-\x7e]+$/;
const SUBJECT = /^[a-z0-9][a-z0-9._-]{0,63}$/i;
/** Browsers cannot set headers on a socket: a subprotocol of this name carries the token there. */
export const BEARER_PROTOCOL = "bearer.";

/** `subject`: whose token it is; null is the user who runs the server. */
export type AccessToken = { subject: string | null; digest: Buffer };

/** One a line: `token`, or `subject token`. Throws USER.SERVE.TOKEN_FILE. */
export function readTokens(file: string): AccessToken[] {
  const fault = (what: string): ServeFault => new ServeFault("USER.SERVE.TOKEN_FILE", `token file ${file}: ${what}`);
  let text: string;
  try {
    const found = statSync(file);
    if (found.isDirectory()) throw fault("is a folder; expected a file with a token on each line");
    if (process.platform !== "win32" && (found.mode & 0o077) !== 0)
      throw fault("others than its owner may read it; chmod 600 it");
    text = readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof ServeFault) throw error;
    throw fault(`cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  const tokens: AccessToken[] = [];
  for (const [index, raw] of text.split("\n").entries()) {
    const words = raw.trim().split(/\s+/).filter(Boolean);
    if (words.length === 0 || words[0]?.startsWith("#")) continue;
    const [subject, token] = words.length === 1 ? [null, words[0]] : words;
    const line = `line ${index + 1}`;
    if (words.length > 2 || token === undefined) throw fault(`${line}: expected "token" or "subject token"`);
    if (subject !== null && !SUBJECT.test(subject ?? ""))
      throw fault(`${line}: a subject is a name of letters, digits, ".", "_" and "-"`);
    if (Buffer.byteLength(token) < MIN_BYTES)
      throw fault(`${line}: a token has at least ${MIN_BYTES} characters; make one with: openssl rand -hex 32`);
    if (!SENDABLE.test(token))
      throw fault(`${line}: a token has letters, digits and signs of ASCII without commas: no client can send another`);
    const digest = digestOf(token);
    if (tokens.some((one) => one.digest.equals(digest) && one.subject !== subject))
      throw fault(`${line}: another subject has this token: give each one of its own`);
    tokens.push({ subject: subject ?? null, digest });
  }
  if (tokens.length === 0) throw fault("holds no token");
  return tokens;
}

/** The token of a request, from its one place; null where there is none or more than one. */
export function tokenOf(request: Pick<IncomingMessage, "rawHeaders">): string | null {
  const found = headerValues(request, "authorization").flatMap((value) => {
    const match = /^bearer +([^\s,]+)$/i.exec(value.trim());
    return match === null ? [] : [match[1] as string];
  });
  const offered = protocolsOf(request).filter((name) => name.startsWith(BEARER_PROTOCOL));
  const tokens = [...found, ...offered.map((name) => name.slice(BEARER_PROTOCOL.length))];
  return tokens.length === 1 ? (tokens[0] as string) : null;
}

/** The subprotocols that a client offers, in order. */
export const protocolsOf = (request: Pick<IncomingMessage, "rawHeaders">): string[] =>
  headerValues(request, "sec-websocket-protocol")
    .flatMap((value) => value.split(","))
    .map((name) => name.trim())
    .filter((name) => name !== "");

/** The token that was given, or undefined when it is none of these (I1). */
export function findToken(tokens: readonly AccessToken[], given: string | null): AccessToken | undefined {
  const digest = digestOf(given ?? "");
  let found: AccessToken | undefined;
  for (const token of tokens) if (timingSafeEqual(token.digest, digest) && given !== null) found = token;
  return found;
}
