/**
 * The network under the SDK's stream over HTTP: its `fetch`, with what that stream lacks.
 *
 * I1. A stream of events is read on only when the reader of messages waits for one: no more than a portion of each
 *     stream is held.
 * I2. Any stream that ends, and any request that fails at the server, ends the connection: what was in flight would
 *     never be answered. One that the server has ended in order is a goodbye.
 * I3. A session that the server does not know fails alone; the connection stays.
 * I4. A server that is silent is asked for a sign of life; one that gives none is gone.
 * I5. No redirect is followed.
 */

import type { Timers } from "../../actors/acp-client/client.ts";
import type { ClientError } from "../../actors/acp-client/errors.ts";
import { type Address, MOST_REFUSAL, refusedBy, unreached } from "./address.ts";

export const CLOSE_MS = 2_000;
const CONNECTION = "acp-connection-id";
const SESSION = "acp-session-id";
const CONFLICT = 409;

export type NetworkEnd = { isGoodbye: boolean; why: string };

export class Network {
  /** Why no further try can mend it: what `initialize` was answered with. */
  refusal: ClientError | null = null;
  /** A message has been handed over: from now on it may have arrived. */
  onPost: () => void = () => undefined;
  readonly #address: Address;
  readonly #clock: Timers;
  readonly #cut = new AbortController();
  readonly #ended = Promise.withResolvers<NetworkEnd>();
  #stopLooking: () => void;
  #id: string | null = null;
  #isHeard = true;
  #isHungry = false;
  #fed: (() => void)[] = [];

  constructor(address: Address, clock: Timers) {
    this.#address = address;
    this.#clock = clock;
    this.#stopLooking = clock.after(address.pingMs, () => this.#look());
  }

  /** Resolves once, when nothing more comes. */
  get ended(): Promise<NetworkEnd> {
    return this.#ended.promise;
  }
  /** Whether a message is waited for (I1). */
  set isHungry(isHungry: boolean) {
    this.#isHungry = isHungry;
    if (isHungry) for (const resolve of this.#fed.splice(0)) resolve();
  }
  /** What breaks from now on, breaks because we go. */
  leave(): void {
    this.#ended.resolve({ why: "", isGoodbye: false });
  }
  /** Ends it, for a reason of ours or because it is lost; the first reason counts. */
  end(why = "", isGoodbye = false): void {
    this.#stopLooking();
    this.#ended.resolve({ why, isGoodbye });
    this.#cut.abort();
    for (const resolve of this.#fed.splice(0)) resolve();
  }

  readonly fetch: typeof globalThis.fetch = async (input, init = {}) => {
    const headers = new Headers(init.headers);
    const ask = (signal: AbortSignal): Promise<Response> =>
      globalThis.fetch(input, { ...init, headers, signal, redirect: "manual" });
    // The goodbye itself is sent when everything else is cut off.
    if (init.method === "DELETE") return await ask(AbortSignal.timeout(CLOSE_MS));
    if (init.method === "POST") this.onPost();
    let response: Response;
    try {
      response = await ask(init.signal ? AbortSignal.any([init.signal, this.#cut.signal]) : this.#cut.signal);
    } catch (error) {
      const fault = unreached(this.#address.url, error as Error);
      if (this.#id === null && fault.type === "refused") this.refusal = fault;
      this.end(fault.message);
      throw error;
    }
    this.#isHeard = true;
    return init.method === "POST" ? await this.#posted(response, headers) : await this.#streamed(response, headers);
  };

  async #posted(response: Response, headers: Headers): Promise<Response> {
    const { status, statusText } = response;
    if (!headers.has(CONNECTION)) {
      this.#id = response.headers.get(CONNECTION);
      if (response.ok) return response;
      const type = response.headers.get("content-type") ?? "";
      const body = await beginningOf(response.body);
      const fault = refusedBy(this.#address.url, { status, words: statusText, type, body });
      if (fault.type === "refused") this.refusal = fault;
      this.end(fault.message);
      return new Response(body, { status, statusText });
    }
    if (response.ok) return response;
    if (status >= 500) {
      void response.body?.cancel();
      this.end(`the server failed: ${status} ${statusText}`);
      throw new Error("the server failed");
    }
    return await this.#refused(response, headers);
  }

  async #streamed(response: Response, headers: Headers): Promise<Response> {
    if (!response.ok || response.body === null) return await this.#refused(response, headers);
    const { status, headers: said } = response;
    return new Response(this.#throttled(response.body), { status, headers: said });
  }

  /** The SDK takes a conflict, and no other status, for a session's own (I3). */
  async #refused(response: Response, headers: Headers): Promise<Response> {
    const body = await response.text();
    const { status, statusText } = response;
    const isOfSession = headers.has(SESSION) && status === 404 && !/connection/i.test(body);
    if (isOfSession) return new Response(body, { status: CONFLICT, statusText: "no such session" });
    if ([401, 403, 404, 410].includes(status)) this.end(`the server knows this connection no more: ${status}`);
    return new Response(body, { status, statusText });
  }

  #throttled(body: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
    const reader = body.getReader();
    return new ReadableStream(
      {
        pull: async (controller) => {
          if (!this.#isHungry) await new Promise<void>((resolve) => this.#fed.push(resolve));
          const read = await reader.read().catch((error: unknown) => {
            this.end("the connection broke");
            throw error;
          });
          this.#isHeard = true;
          if (!read.done) return controller.enqueue(read.value);
          this.end("the server has closed the connection", true);
          controller.error(new Error("a stream has ended"));
        },
        cancel: (reason) => reader.cancel(reason),
      },
      { highWaterMark: 0 },
    );
  }

  /** Whether the server was heard since the last look. */
  #look(): void {
    if (this.#id !== null && !this.#isHeard) return void this.#ping(this.#id);
    if (this.#id !== null) this.#isHeard = false;
    this.#lookLater();
  }
  #lookLater(): void {
    this.#stopLooking = this.#clock.after(this.#address.pingMs, () => this.#look());
  }
  async #ping(id: string): Promise<void> {
    const { url, headers, pingMs } = this.#address;
    const late = new AbortController();
    this.#stopLooking = this.#clock.after(pingMs, () => late.abort());
    try {
      // What it answers does not matter: it is no request for a stream.
      const signal = AbortSignal.any([late.signal, this.#cut.signal]);
      const answer = await globalThis.fetch(url, { headers: { ...headers, [CONNECTION]: id }, signal });
      await answer.body?.cancel();
    } catch {
      return this.end("the server does not answer any more");
    }
    if (this.#cut.signal.aborted) return;
    this.#stopLooking();
    this.#isHeard = true;
    this.#lookLater();
  }
}

/** Enough of a refusal to say why. A server that does not end it is waited for as long as for a goodbye. */
async function beginningOf(body: ReadableStream<Uint8Array> | null): Promise<string> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  const stop = (): void => void reader?.cancel().catch(() => undefined);
  const late = setTimeout(stop, CLOSE_MS);
  let text = "";
  try {
    while (reader !== undefined && text.length < MOST_REFUSAL) {
      const { done, value } = await reader.read();
      if (done) break;
      text += value;
    }
  } catch {
    // What came counts.
  } finally {
    clearTimeout(late);
    stop();
  }
  return text;
}
