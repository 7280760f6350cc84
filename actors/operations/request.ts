/**
 * One request over HTTP, and its answer. Not `fetch`: that refuses the ports which browsers block.
 *
 * I1. Redirects are followed as by Go's client: ten at most; a POST becomes a GET where the server means that. Another
 *     origin gets no credentials: no header that is known for them, and none whose name promises a secret (`X-Api-Key`).
 * I2. Where the request does not say what encoding it takes, a gzipped answer is unpacked.
 */
import { request as http, type IncomingMessage } from "node:http";
import { request as https } from "node:https";
import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { isSecretName } from "../../machines/secret-name.ts";

type Headers = { readonly [name: string]: string };
export type Asked = { method: string; headers: Headers; body: string | null; signal: AbortSignal };

const MAX_REDIRECTS = 10;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const NO_BODY: ReadonlySet<number> = new Set([204, 205, 304]);
const CREDENTIALS: ReadonlySet<string> = new Set(["authorization", "cookie", "proxy-authorization"]);
const OF_THE_BODY: ReadonlySet<string> = new Set(["content-type", "content-length", "content-encoding"]);

/** The answer, its body not yet read. Rejects with what the socket says, or when the signal aborts. */
export async function requested(url: string, asked: Asked): Promise<Response> {
  let at = new URL(url);
  let { method, body } = asked;
  let headers = Object.fromEntries(Object.entries(asked.headers).map(([name, value]) => [name.toLowerCase(), value]));
  const unpacks = headers["accept-encoding"] === undefined;
  if (unpacks) headers["accept-encoding"] = "gzip";
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    const message = await sent(at, { method, headers, body, signal: asked.signal });
    const status = message.statusCode ?? 0;
    const { location } = message.headers;
    if (!REDIRECTS.has(status) || location === undefined) return answerOf(message, method, unpacks);
    message.destroy();
    const next = new URL(location, at);
    if (status === 303 || (status < 303 && method === "POST")) {
      method = method === "HEAD" ? method : "GET";
      body = null;
      headers = without(headers, (name) => OF_THE_BODY.has(name));
    }
    if (next.origin !== at.origin) headers = without(headers, isCredential);
    at = next;
  }
  throw new Error(`more than ${MAX_REDIRECTS} redirects`);
}

const isCredential = (name: string): boolean => CREDENTIALS.has(name) || isSecretName(name);

const without = (headers: Headers, isOut: (name: string) => boolean): { [name: string]: string } =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !isOut(name)));

function sent(url: URL, { method, headers, body, signal }: Asked): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    if (url.protocol !== "http:" && url.protocol !== "https:") throw new Error(`a redirect to ${url.protocol}`);
    const request = (url.protocol === "https:" ? https : http)(url, { method, headers, signal }, resolve);
    request.once("error", reject);
    if (body === null) request.end();
    else request.end(body);
  });
}

function answerOf(message: IncomingMessage, method: string, unpacks: boolean): Response {
  const status = message.statusCode ?? 0;
  const isPacked = unpacks && message.headers["content-encoding"]?.toLowerCase() === "gzip";
  const headers = new Headers();
  for (const [name, values] of Object.entries(message.headersDistinct)) {
    if (isPacked && OF_THE_BODY.has(name) && name !== "content-type") continue;
    for (const value of values ?? []) headers.append(name, value);
  }
  if (method === "HEAD" || NO_BODY.has(status)) {
    message.resume();
    return new Response(null, { status, headers });
  }
  // An error of either stream ends the other, and is seen by who reads.
  const stream = isPacked ? pipeline(message, createGunzip(), () => undefined) : message;
  return new Response(Readable.toWeb(stream) as ReadableStream<Uint8Array>, { status, headers });
}
