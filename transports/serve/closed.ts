/**
 * When an answer closes: it was given, or its client has gone.
 *
 * I1. One that has closed already does not say so again: what is to follow is done at once.
 * I2. Of HTTP/2 its stream is asked: the answer itself has no `destroyed`, and is silent where a HEAD was taken back.
 */
import type { ServerResponse } from "node:http";
import type { ServerHttp2Stream } from "node:http2";

/** Undefined for HTTP/1.1. */
const streamOf = (response: ServerResponse): ServerHttp2Stream | undefined =>
  (response as { stream?: ServerHttp2Stream }).stream;

export const hasClosed = (response: ServerResponse): boolean => (streamOf(response) ?? response).destroyed;

/** Calls `then` once, when the answer closes (I1). */
export function whenClosed(response: ServerResponse, then: () => void): void {
  if (hasClosed(response)) then();
  else (streamOf(response) ?? response).once("close", then);
}
