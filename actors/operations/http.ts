/**
 * `http.request`.
 *
 * I1. Every status is a success, as AWF has it, but those that `retryable_status_codes` names: they fail the step, with
 *     all outputs.
 * I2. A body that is a map or a list goes out as JSON, with that content type where the headers name none.
 * I3. At most MAX_BODY_BYTES of the answer's body are read and kept; `body_truncated` says that there was more.
 */
import { z } from "zod";
import { timeLimit } from "../base/clock.ts";
import { list, map, needed, text, whole } from "./fields.ts";
import { checkedInputs, type Operation, type Outputs } from "./operation.ts";
import { requested } from "./request.ts";

export const MAX_BODY_BYTES = 1024 * 1024;
const DEFAULT_TIMEOUT_S = 30;
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"];

const inputs = z.strictObject({
  url: needed("an address").refine((url) => /^https?:\/\//.test(url) && URL.canParse(url), {
    error: "an address that begins with http:// or https://",
  }),
  method: needed(`one of ${METHODS.join(", ")}`)
    .transform((method) => method.toUpperCase())
    .refine((method) => METHODS.includes(method), { error: `one of ${METHODS.join(", ")}` }),
  headers: map(text(), "a map of names to texts").nullish(),
  body: z.unknown().nullish(),
  timeout: whole(1).nullish(),
  retryable_status_codes: list(whole(100), "a list of status codes").nullish(),
});

const request: Operation = async (call) => {
  const given = checkedInputs(inputs, call);
  const { url, method, headers } = given;
  const body = bodyOf(given.body);
  const seconds = given.timeout ?? DEFAULT_TIMEOUT_S;
  const limit = timeLimit(seconds * 1000);
  const signal = AbortSignal.any([call.signal, limit]);
  try {
    const sent = { method, headers: { ...typeOf(given.body, headers ?? {}), ...headers }, body, signal };
    const outputs = await outputsOf(await requested(url, sent));
    const told = `${method} ${url}: ${String(outputs["status_code"])}`;
    if (given.retryable_status_codes?.includes(outputs["status_code"] as number) === true) {
      return { ok: false, message: `${told}, which retryable_status_codes names`, outputs };
    }
    return { ok: true, outputs, told };
  } catch (error) {
    if (limit.aborted && !call.signal.aborted) {
      return { ok: false, message: `${method} ${url}: no answer within ${seconds} s; set timeout to wait longer` };
    }
    return { ok: false, message: `${method} ${url}: ${reasonOf(error)}` };
  }
};
export const httpRequest: Operation = Object.assign(request, { inputs });

function bodyOf(body: unknown): string | null {
  if (body === undefined || body === null || body === "") return null;
  return typeof body === "string" ? body : JSON.stringify(body);
}

/** The content type of a body, where the headers do not name one (I2). */
function typeOf(body: unknown, headers: { readonly [name: string]: string }): { [name: string]: string } {
  if (bodyOf(body) === null || Object.keys(headers).some((name) => name.toLowerCase() === "content-type")) return {};
  return { "content-type": typeof body === "string" ? "text/plain;charset=UTF-8" : "application/json" };
}

async function outputsOf(response: Response): Promise<Outputs> {
  const { text, truncated } = await readBody(response, MAX_BODY_BYTES);
  const headers = [...response.headers].map(([name, value]) => [canonical(name), value]);
  return {
    status_code: response.status,
    body: text,
    headers: Object.fromEntries(headers),
    body_truncated: truncated,
  };
}

/** `content-type` → `Content-Type`, which is what templates written for AWF say. */
const canonical = (name: string): string => name.replace(/(?:^|-)[a-z]/g, (part) => part.toUpperCase());

/** The head of an answer's body as text; what comes after `max` bytes is not waited for. */
export async function readBody(response: Response, max: number): Promise<{ text: string; truncated: boolean }> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    const left = max - length;
    if (chunk.length > left) {
      // Leaving the loop cancels the stream.
      chunks.push(chunk.subarray(0, left));
      return { text: decoded(chunks, true), truncated: true };
    }
    chunks.push(chunk);
    length += chunk.length;
  }
  return { text: decoded(chunks, false), truncated: false };
}

/** A character that was cut in two is left out. */
const decoded = (chunks: readonly Uint8Array[], cut: boolean): string =>
  new TextDecoder().decode(Buffer.concat(chunks), { stream: cut });

/** `fetch` says why only in the cause of its error. */
export function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  if (cause instanceof AggregateError && cause.errors[0] instanceof Error) return cause.errors[0].message;
  return cause instanceof Error ? cause.message : String(cause);
}
