/**
 * An engine in memory: what services see of one, as its library shows it to them. Each call keeps a journal, and is tried
 * again from it, by the next worker, where a try ends before the call does.
 *
 * I1. Calls that change one object run one after the other; those that only read, at once.
 * I2. What was asked under one idempotency key is answered once.
 * I3. A call that no worker takes to its end is tried again, as long as there is one.
 */
import * as restate from "@restatedev/restate-sdk";
import type { Sdk } from "../../../actors/host/restate/serving-host.ts";
import { turn as nextTurn, type TestClock } from "../host-stage.ts";
import { Attempt, type Called, copyOf, type EngineAsked, Journal } from "./journal.ts";

type Handler = ((ctx: object, body: unknown) => Promise<unknown>) & { isShared?: true };
type Service = { name: string; handlers: { [name: string]: Handler } };
/** `log`: what went wrong in its calls. */
export type Worker = { services: readonly Service[]; attempts: Set<Attempt>; log(line: string): void };

/** The library, of which only what makes services known differs. */
export const SDK: Sdk = {
  ...restate,
  service: ((service: Service) => service) as never,
  object: ((service: Service) => service) as never,
  handlers: {
    object: { shared: (handler: Handler) => Object.assign(handler.bind(null), { isShared: true }) },
  } as never,
  rpc: { sendOpts: (options: object) => options } as never,
  RestatePromise: { all: (promises: Promise<unknown>[]) => Promise.all(promises) } as never,
};

export class MemoryEngine implements EngineAsked {
  /** Asked before what a call asks is in its journal: true ends that try. */
  breaks: (called: Called, what: string) => boolean = () => false;
  /** Calls that have failed for good. */
  readonly failed: Error[] = [];
  readonly #clock: TestClock;
  readonly #workers: Worker[] = [];
  readonly #states = new Map<string, Map<string, string>>();
  readonly #last = new Map<string, Promise<unknown>>();
  readonly #answered = new Map<string, Promise<unknown>>();
  readonly #awaited = new Map<string, PromiseWithResolvers<unknown>>();
  #coming = Promise.withResolvers<void>();
  #calls = 0;
  #turns = 0;
  constructor(clock: TestClock) {
    this.#clock = clock;
  }

  enter(services: unknown, log: (line: string) => void): Worker {
    const worker = { services: services as Service[], attempts: new Set<Attempt>(), log };
    this.#workers.push(worker);
    this.#coming.resolve();
    this.#coming = Promise.withResolvers();
    return worker;
  }
  leave(worker: Worker): void {
    const at = this.#workers.indexOf(worker);
    if (at >= 0) this.#workers.splice(at, 1);
    for (const attempt of worker.attempts) attempt.over.abort();
  }
  serves(service: string): boolean {
    return this.#workers.some(({ services }) => services.some(({ name }) => name === service));
  }

  /** The ingress. */
  readonly fetch: typeof fetch = async (url, options = {}) => {
    const [service = "", key = "", handler = ""] = new URL(String(url)).pathname.slice(1).split("/");
    if (service === "restate") return new Response("");
    if (!this.serves(service)) return new Response("no such service", { status: 404 });
    const body: unknown = typeof options.body === "string" ? JSON.parse(options.body) : undefined;
    const name = (options.headers as Record<string, string>)["idempotency-key"];
    const made = (): Promise<unknown> => this.call({ id: "", service, key: decodeURIComponent(key), handler, body });
    const answer = name === undefined ? made() : (this.#answered.get(name) ?? made());
    if (name !== undefined) this.#answered.set(name, answer);
    const gone = new Promise<never>((_, reject) => {
      options.signal?.addEventListener("abort", () => reject(options.signal?.reason));
    });
    try {
      return new Response(JSON.stringify(await Promise.race([answer, gone])) ?? "");
    } catch (error) {
      if (options.signal?.aborted) throw error;
      return new Response((error as Error).message, { status: 500 });
    }
  };

  async call(asked: Called): Promise<unknown> {
    const called = { ...asked, id: `call-${++this.#calls}` };
    const object = `${called.service}/${called.key}`;
    if (called.key === "" || this.#handlerOf(called)?.isShared) return await this.#carry(called);
    const before = this.#last.get(object) ?? Promise.resolve();
    const carried = before.then(() => this.#carry(called));
    this.#last.set(
      object,
      carried.catch(() => undefined),
    );
    return await carried; // I1
  }
  async send(called: Called, delayMs: number): Promise<void> {
    const go = (): void => void this.call(called).catch(() => undefined);
    if (delayMs > 0) this.#clock.after(delayMs, go);
    else go();
  }
  /** What objects keep, as JSON. */
  state(service: string, key: string): Map<string, string> {
    const name = `${service}/${key}`;
    const known = this.#states.get(name) ?? new Map<string, string>();
    this.#states.set(name, known);
    return known;
  }
  awaited(id: string): Promise<unknown> {
    return this.#awakeableOf(id).promise;
  }
  resolve(id: string, value: unknown): void {
    this.#awakeableOf(id).resolve(copyOf(value));
  }
  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => void this.#clock.after(ms, resolve));
  }
  fail(called: Called, error: Error): never {
    this.failed.push(error);
    throw Object.assign(new SDK.TerminalError(error.message), { called });
  }

  #awakeableOf(id: string): PromiseWithResolvers<unknown> {
    const known = this.#awaited.get(id) ?? Promise.withResolvers<unknown>();
    this.#awaited.set(id, known);
    return known;
  }
  #handlerOf({ service, handler }: Called, workers: readonly Worker[] = this.#workers): Handler | undefined {
    return workers.flatMap(({ services }) => services).find(({ name }) => name === service)?.handlers[handler];
  }

  /** I3. */
  async #carry(called: Called): Promise<unknown> {
    const journal = new Journal();
    for (let [turn, refused] = [this.#turns++, 0]; ; turn++) {
      const worker = this.#workers[turn % Math.max(1, this.#workers.length)];
      const handler = worker && this.#handlerOf(called, [worker]);
      const tried = handler === undefined ? "refused" : await this.#try(worker!, handler, { called, journal });
      if (typeof tried !== "string") return tried.answer;
      if (tried === "refused") refused++;
      if (refused < this.#workers.length) continue;
      await (this.#workers.length === 0 ? this.#coming.promise : nextTurn());
      refused = 0;
    }
  }
  /** `ended`: its process did, before the call. */
  async #try(worker: Worker, handler: Handler, of: { called: Called; journal: Journal }) {
    const attempt = new Attempt(this, SDK, of);
    worker.attempts.add(attempt);
    const ended = new Promise<"ended">((resolve) => {
      attempt.over.signal.addEventListener("abort", () => resolve("ended"));
    });
    const done = handler(attempt.context(), copyOf(of.called.body)).then((answer) => ({ answer: copyOf(answer) }));
    try {
      return await Promise.race([ended, done]);
    } catch (error) {
      if (error instanceof SDK.TerminalError) throw error;
      const { code = "", message } = error as Error & { code?: string };
      worker.log(`${code}: ${message}`);
      return "refused";
    } finally {
      worker.attempts.delete(attempt);
      attempt.over.abort();
    }
  }
}
