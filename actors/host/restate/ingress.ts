/**
 * Calls of the engine's services, over HTTP.
 *
 * I1. A call that changes something has a name of its own: sent again, the engine answers it from the first time.
 * I2. Calls that change one session reach it in the order in which they were made.
 * I3. One that the engine does not answer is made again, for PATIENCE_MS; then it fails, and says what to do.
 */
import { randomUUID } from "node:crypto";
import type { Clock } from "../../base/clock.ts";
import { TroupeError } from "../../errors/troupe-error.ts";
import type { News, Post, Posted, Services, SinceAsked, Talk, Whole } from "./protocol.ts";

const PATIENCE_MS = 10_000;
/** No answer to a call that does not wait by intent. */
const ANSWER_MS = 30_000;
const AGAIN_MS = 200;

type Call = { service: string; key: string; handler: string; body: unknown };

export class Ingress {
  readonly #url: string;
  readonly #services: Services;
  readonly #clock: Pick<Clock, "elapsed" | "sleep">;
  readonly #fetch: typeof fetch;
  readonly #ended = new AbortController();
  /** The last call of each session. */
  readonly #last = new Map<string, Promise<unknown>>();
  constructor(url: string, services: Services, clock: Pick<Clock, "elapsed" | "sleep">, call = fetch) {
    this.#fetch = call;
    this.#url = url.replace(/\/+$/, "");
    this.#services = services;
    this.#clock = clock;
  }

  deliver(session: string, post: Post): Promise<Posted> {
    return this.#inOrder(session, () => this.#changing<Posted>(this.#of(session, "deliver", post)));
  }
  remove(session: string): Promise<"removed" | "running"> {
    return this.#inOrder(session, () => this.#changing(this.#of(session, "remove", null)));
  }
  whole(session: string): Promise<Whole> {
    return this.#patiently(this.#of(session, "whole", null), {});
  }
  since(session: string, asked: SinceAsked): Promise<News> {
    return this.#patiently(this.#of(session, "since", asked), {});
  }
  /** What conversations keep. */
  said(session: string, conversation: string): Promise<string[]> {
    return this.#patiently({ service: this.#services.talk, key: session, handler: "read", body: conversation }, {});
  }
  say(session: string, talk: Talk): Promise<void> {
    return this.#changing({ service: this.#services.talk, key: session, handler: "add", body: talk });
  }
  /** Gives up what is under way. */
  stop(): void {
    this.#ended.abort();
  }

  #of(session: string, handler: string, body: unknown): Call {
    return { service: this.#services.session, key: session, handler, body };
  }
  /** I2. */
  #inOrder<Answer>(session: string, call: () => Promise<Answer>): Promise<Answer> {
    const before = this.#last.get(session) ?? Promise.resolve();
    const answer = before.then(call, call);
    this.#last.set(session, answer);
    const forget = (): void => {
      if (this.#last.get(session) === answer) this.#last.delete(session);
    };
    answer.then(forget, forget);
    return answer;
  }
  /** I1. */
  #changing<Answer>(call: Call): Promise<Answer> {
    return this.#patiently(call, { "idempotency-key": randomUUID() });
  }

  async #patiently<Answer>(call: Call, headers: Record<string, string>): Promise<Answer> {
    const began = this.#clock.elapsed();
    for (;;) {
      const answer = await this.#once<Answer>(call, headers).catch((error: unknown) => {
        if (error instanceof TroupeError || this.#ended.signal.aborted) throw error;
        if (this.#clock.elapsed() - began > PATIENCE_MS) throw this.#unreachable(error);
        return null;
      });
      if (answer !== null) return answer.value;
      await this.#clock.sleep(AGAIN_MS, this.#ended.signal);
    }
  }

  async #once<Answer>({ service, key, handler, body }: Call, headers: Record<string, string>) {
    const url = `${this.#url}/${service}/${encodeURIComponent(key)}/${handler}`;
    const response = await this.#fetch(url, {
      method: "POST",
      headers: { ...headers, ...(body === null ? {} : { "content-type": "application/json" }) },
      body: body === null ? null : JSON.stringify(body),
      signal: AbortSignal.any([this.#ended.signal, AbortSignal.timeout(ANSWER_MS)]),
    });
    const text = await response.text();
    if (response.ok) return { value: (text === "" ? null : JSON.parse(text)) as Answer };
    if (response.status !== 404) throw new Error(`the engine answered ${response.status}: ${text.slice(0, 200)}`);
    const words = `the engine at ${this.#url} knows no worker: start one with troupe worker --engine ${this.#url}`;
    throw new TroupeError("SYSTEM.ENGINE.NO_WORKER", words, { engine: this.#url });
  }

  #unreachable(cause: unknown): TroupeError {
    const words = `the engine at ${this.#url} does not answer: see whether it and a worker run`;
    return new TroupeError("SYSTEM.ENGINE.UNREACHABLE", words, { engine: this.#url }, cause);
  }
}
