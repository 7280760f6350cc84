/**
 * Calls of the engine's services, over HTTP.
 *
 * I1. A call that changes something has a name of its own: sent again, the engine answers it from the first time.
 * I2. Calls that change one session reach it in the order in which they were made.
 * I3. One without an answer is made again, for PATIENCE_MS; then it fails: the engine is silent, or its workers are.
 * I4. Of several nodes one is called until it does not answer; then the next one is.
 * I5. A node that takes a call and says nothing is passed over: after PASSED_OVER_MS the next one is asked the same, by the
 *     same name, and the first answer counts. Who waits for news at a node that was passed over asks anew.
 */
import { randomUUID } from "node:crypto";
import type { Clock } from "../../base/clock.ts";
import { TroupeError } from "../../errors/troupe-error.ts";
import { PASSED_OVER_MS } from "./admin.ts";
import { ALL_SHARDS } from "./index-service.ts";
import {
  type MovedFrom,
  NEWS_SECONDS,
  type News,
  type Part,
  type PartOf,
  type Piece,
  type Post,
  type Posted,
  type Sealing,
  type Services,
  type Shards,
  type SinceAsked,
  type Talk,
  type Whole,
} from "./protocol.ts";
import type { EntryPage, PageAsked } from "./sorted-list.ts";
import { unanswered } from "./unanswered.ts";

const PATIENCE_MS = 10_000;
/** No answer to a call that does not wait by intent. */
const ANSWER_MS = 30_000;
const AGAIN_MS = 200;
/** A call that waits by intent answers that much later at most. */
const NO_NEWS_MS = 2_000;

/** `waitsMs`: so long it waits by intent. `signal`: gives it up. */
type Call = {
  service: string;
  key: string;
  handler: string;
  body: unknown;
  waitsMs?: number;
  signal?: AbortSignal | undefined;
};
type Headers = Record<string, string>;

export class Ingress {
  readonly #urls: readonly string[];
  readonly #services: Services;
  readonly #clock: Pick<Clock, "elapsed" | "sleep">;
  readonly #fetch: typeof fetch;
  readonly #ended = new AbortController();
  /** The last call of each session. */
  readonly #last = new Map<string, Promise<unknown>>();
  /** How often another node was taken. */
  #turns = 0;
  /** Aborts when one is. */
  #turned = new AbortController();
  /** `urls`: of its nodes, with commas between them. */
  constructor(urls: string, services: Services, clock: Pick<Clock, "elapsed" | "sleep">, call = fetch) {
    this.#fetch = call;
    this.#urls = urls.split(",").map((url) => url.replace(/\/+$/, ""));
    this.#services = services;
    this.#clock = clock;
  }

  deliver(session: string, post: Post): Promise<Posted> {
    return this.#inOrder(session, () => this.#changing<Posted>(this.#of(session, "deliver", post)));
  }
  /** `n`: the only version that may go. */
  remove(session: string, n: number | null = null): Promise<"removed" | "running"> {
    return this.#inOrder(session, () => this.#changing(this.#of(session, "remove", n)));
  }
  adopt(session: string, part: Part): Promise<void> {
    return this.#inOrder(session, () => this.#changing(this.#of(session, "adopt", part)));
  }
  origin(session: string): Promise<{ origin: MovedFrom | null } | null> {
    return this.#patiently(this.#of(session, "origin", null), {});
  }
  whole(session: string): Promise<Whole> {
    return this.#patiently(this.#of(session, "whole", null), {});
  }
  since(session: string, asked: SinceAsked, signal?: AbortSignal): Promise<News> {
    const call = { ...this.#of(session, "since", asked), signal };
    const { waits, seconds = NEWS_SECONDS } = asked;
    return this.#patiently(waits ? { ...call, waitsMs: seconds * 1_000 } : call, {});
  }
  /** What conversations keep. */
  said(session: string, conversation: string): Promise<string[]> {
    return this.#patiently({ service: this.#services.talk, key: session, handler: "read", body: conversation }, {});
  }
  say(session: string, talk: Talk): Promise<void> {
    return this.#changing({ service: this.#services.talk, key: session, handler: "add", body: talk });
  }
  async page(shard: string, asked: PageAsked): Promise<EntryPage> {
    for (;;) {
      const call = { service: this.#services.index, key: shard, handler: "page", body: asked };
      const page = await this.#patiently<EntryPage | null>(call, {});
      if (page !== null) return page; // null: it was written meanwhile
    }
  }
  shards(): Promise<Shards> {
    return this.#patiently({ service: this.#services.index, key: ALL_SHARDS, handler: "shards", body: null }, {});
  }
  /** All that conversations of a session keep. */
  talks(session: string): Promise<Talk[]> {
    return this.#patiently({ service: this.#services.talk, key: session, handler: "all", body: null }, {});
  }
  putTalk(session: string, talk: Talk): Promise<void> {
    return this.#changing({ service: this.#services.talk, key: session, handler: "put", body: talk });
  }
  pieces(session: string): Promise<Piece[]> {
    return this.#patiently(this.#ofPieces(session, "pieces", null), {});
  }
  part(session: string, part: Pick<PartOf, "id" | "n">): Promise<string> {
    return this.#patiently(this.#ofPieces(session, "part", part), {});
  }
  putPart(session: string, part: PartOf): Promise<void> {
    return this.#changing(this.#ofPieces(session, "put", part));
  }
  seal(session: string, sealing: Sealing): Promise<boolean> {
    return this.#changing(this.#ofPieces(session, "seal", sealing));
  }
  /** The URL of a node that answers soon. */
  async ping(): Promise<string | null> {
    for (const url of this.#urls) {
      const within = { signal: AbortSignal.timeout(PASSED_OVER_MS) };
      const answer = await this.#fetch(`${url}/restate/health`, within).catch(() => null);
      await answer?.body?.cancel();
      if (answer !== null) return url;
    }
    return null;
  }
  /** Gives up what is under way. */
  stop(): void {
    this.#ended.abort();
  }

  #of(session: string, handler: string, body: unknown): Call {
    return { service: this.#services.session, key: session, handler, body };
  }
  #ofPieces(session: string, handler: string, body: unknown): Call {
    return { service: this.#services.piece, key: session, handler, body };
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

  #urlAt(turns: number): string {
    return this.#urls[turns % this.#urls.length] ?? "";
  }
  #turn(turns: number): void {
    if (turns <= this.#turns) return; // another call was first
    this.#turns = turns;
    this.#turned.abort();
    this.#turned = new AbortController();
  }

  async #patiently<Answer>(call: Call, headers: Headers): Promise<Answer> {
    const began = this.#clock.elapsed();
    for (;;) {
      const turns = this.#turns;
      const answer = await this.#soonest<Answer>(call, headers).catch(async (error: unknown) => {
        if (this.#ended.signal.aborted || call.signal?.aborted === true) throw error;
        if (call.waitsMs !== undefined && this.#turns > turns) return null; // its node was passed over
        if (this.#clock.elapsed() - began > PATIENCE_MS) throw unanswered(this.#urls, await this.ping(), error);
        this.#turn(turns + 1); // I4
        return null;
      });
      if (answer !== null) return answer();
      if (this.#turns % this.#urls.length === 0) await this.#clock.sleep(AGAIN_MS, this.#ended.signal);
    }
  }

  /** I5. Rejects when none of those that were asked answers. */
  async #soonest<Answer>(call: Call, headers: Headers): Promise<() => Answer> {
    const over = new AbortController();
    const { waitsMs } = call;
    const givenUp = [this.#ended.signal, over.signal, ...(waitsMs === undefined ? [] : [this.#turned.signal])];
    const signal = AbortSignal.any(call.signal === undefined ? givenUp : [...givenUp, call.signal]);
    const first = this.#turns;
    const asked: Promise<() => Answer>[] = [];
    try {
      for (;;) {
        const turns = first + asked.length;
        const asking = this.#once<Answer>(this.#urlAt(turns), call, { headers, signal });
        asked.push(
          asking.then((answer) => {
            this.#turn(turns);
            return answer;
          }),
        );
        const answered = Promise.any(asked);
        if (asked.length === this.#urls.length) return await answered;
        const pause = this.#clock.sleep(waitsMs === undefined ? PASSED_OVER_MS : waitsMs + NO_NEWS_MS, signal);
        const found = await Promise.race([answered, pause.then(() => null)]);
        if (found !== null) return found;
      }
    } catch (error) {
      throw error instanceof AggregateError ? error.errors[0] : error;
    } finally {
      over.abort();
    }
  }

  async #once<Answer>(
    at: string,
    { service, key, handler, body, waitsMs = 0 }: Call,
    { headers, signal }: { headers: Headers; signal: AbortSignal },
  ): Promise<() => Answer> {
    const response = await this.#fetch(`${at}/${service}/${encodeURIComponent(key)}/${handler}`, {
      method: "POST",
      headers: { ...headers, ...(body === null ? {} : { "content-type": "application/json" }) },
      body: body === null ? null : JSON.stringify(body),
      signal: AbortSignal.any([signal, AbortSignal.timeout(waitsMs + ANSWER_MS)]),
    });
    const text = await response.text();
    if (response.ok) return () => (text === "" ? null : JSON.parse(text)) as Answer;
    if (response.status !== 404) throw new Error(`the engine answered ${response.status}: ${text.slice(0, 200)}`);
    const words = `the engine at ${at} knows no worker: start one with troupe worker --engine ${at}`;
    return () => {
      throw new TroupeError("SYSTEM.ENGINE.NO_WORKER", words, { engine: at });
    };
  }
}
