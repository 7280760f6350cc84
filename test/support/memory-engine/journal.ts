/**
 * What one call of a service has asked of the engine in memory, and what it was answered.
 *
 * I1. A try after a crash is answered from the journal as far as that goes, and asks the same in the same order, with the
 *     same values: where it asks something else, the call fails for good.
 * I2. A try that is over asks and changes nothing more.
 */
import type { Sdk } from "../../../actors/host/restate/serving-host.ts";

/** `key`: empty for a service without objects. `body`: as it came through JSON. */
export type Called = { id: string; service: string; key: string; handler: string; body: unknown };
/** What a call asks of the engine. */
export type EngineAsked = {
  /** Whether a try ends before this is in its journal. */
  breaks(called: Called, what: string): boolean;
  /** What an object keeps, as JSON. */
  state(service: string, key: string): Map<string, string>;
  call(called: Called): Promise<unknown>;
  send(called: Called, delayMs: number): Promise<void>;
  /** What an awakeable comes to. */
  awaited(id: string): Promise<unknown>;
  resolve(id: string, value: unknown): void;
  sleep(ms: number): Promise<void>;
  /** The call fails for good. */
  fail(called: Called, error: Error): never;
};

type Entry = { what: string; answer: Promise<unknown> | null };
type Retrying = { maxRetryAttempts?: number };
type Sent = { delay?: { milliseconds: number } };

export class Journal {
  readonly entries: Entry[] = [];
  /** How often the function of an entry has thrown. */
  readonly failures = new Map<number, number>();
}
/** A journal of another try: what a worker would be told as a mismatch. */
export class Mismatch extends Error {}

/** One try of a call: what its handler is given as its context. */
export class Attempt {
  readonly over = new AbortController();
  readonly #engine: EngineAsked;
  readonly #sdk: Sdk;
  readonly #called: Called;
  readonly #journal: Journal;
  #at = 0;
  constructor(engine: EngineAsked, sdk: Sdk, { called, journal }: { called: Called; journal: Journal }) {
    this.#engine = engine;
    this.#sdk = sdk;
    this.#called = called;
    this.#journal = journal;
  }

  context(): object {
    const { service, key } = this.#called;
    const state = (): Map<string, string> => this.#engine.state(service, key);
    const call = (to: Called): unknown => this.#timed(this.#entry(`call ${nameOf(to)}`, () => this.#engine.call(to)));
    const send = (to: Called, after: Sent = {}): void =>
      void this.#entry(`send ${nameOf(to)}`, () => this.#engine.send(to, after.delay?.milliseconds ?? 0));
    return {
      key,
      get: (name: string) => this.#entry(`get ${name}`, () => JSON.parse(state().get(name) ?? "null")),
      stateKeys: () => this.#entry("keys", () => [...state().keys()]),
      set: (name: string, value: unknown) => {
        const json = JSON.stringify(value);
        void this.#entry(`set ${name} ${json}`, () => void state().set(name, json));
      },
      clear: (name: string) => void this.#entry(`clear ${name}`, () => void state().delete(name)),
      clearAll: () => void this.#entry("clear all", () => state().clear()),
      run: (name: string, act: () => unknown, retrying?: Retrying) => this.#run(name, act, retrying),
      awakeable: () => this.#awakeable(),
      resolveAwakeable: (id: string, value: unknown) =>
        void this.#entry(`resolve ${id}`, () => this.#engine.resolve(id, value)),
      request: () => ({ attemptCompletedSignal: this.over.signal }),
      objectClient: (to: { name: string }, of: string) => calls(call, to.name, of),
      serviceClient: (to: { name: string }) => calls(call, to.name, ""),
      objectSendClient: (to: { name: string }, of: string) => calls(send, to.name, of),
      serviceSendClient: (to: { name: string }) => calls(send, to.name, ""),
    };
  }

  /** I1, I2. */
  #entry<Answer>(what: string, act: () => Answer): Promise<Answer> {
    const n = this.#next(what);
    if (n === null) return never();
    const known = this.#journal.entries[n];
    if (known !== undefined) return known.answer as Promise<Answer>;
    const answer = Promise.resolve(act());
    answer.catch(() => undefined);
    this.#journal.entries.push({ what, answer });
    return answer.then(copyOf);
  }
  /** The place of what is asked now; null where this try is over. */
  #next(what: string): number | null {
    const n = this.#at;
    const known = this.#journal.entries[n];
    if (known === undefined && !this.over.signal.aborted && this.#engine.breaks(this.#called, what)) this.over.abort();
    if (this.over.signal.aborted) return null;
    this.#at++;
    if (known !== undefined && known.what !== what)
      this.#engine.fail(this.#called, new Mismatch(`entry ${n} was "${known.what}", and now is "${what}"`));
    return n;
  }
  async #run(name: string, act: () => unknown, { maxRetryAttempts = Infinity }: Retrying = {}): Promise<unknown> {
    const what = `run ${name}`;
    const n = this.#next(what);
    if (n === null) return await never();
    const known = this.#journal.entries[n];
    if (known?.answer) return await known.answer.then(copyOf);
    this.#journal.entries[n] = { what, answer: null };
    const done = await this.#tried(n, act, maxRetryAttempts);
    if (!this.over.signal.aborted && this.#engine.breaks(this.#called, `${what}, done`)) this.over.abort();
    if (this.over.signal.aborted) return await never();
    const answer = "failed" in done ? Promise.reject(done.failed) : Promise.resolve(done.value);
    answer.catch(() => undefined);
    this.#journal.entries[n] = { what, answer };
    return await answer.then(copyOf);
  }
  /** What becomes of it for good; throws where it is to be tried again. */
  async #tried(n: number, act: () => unknown, most: number): Promise<{ value: unknown } | { failed: Error }> {
    try {
      return { value: await act() };
    } catch (error) {
      const failures = (this.#journal.failures.get(n) ?? 0) + 1;
      this.#journal.failures.set(n, failures);
      if (failures < most) throw error;
      return { failed: new this.#sdk.TerminalError((error as Error).message) };
    }
  }

  #awakeable(): { id: string; promise: unknown } {
    const n = this.#next("awakeable");
    const id = `${this.#called.id} ${n}`;
    const answer = this.#engine.awaited(id);
    if (n !== null) this.#journal.entries[n] ??= { what: "awakeable", answer };
    return { id, promise: this.#timed(n === null ? never() : answer) };
  }
  /** With a limit of time, which is an entry of its own. */
  #timed(answer: Promise<unknown>): Promise<unknown> {
    const orTimeout = ({ milliseconds }: { milliseconds: number }): Promise<unknown> => {
      const late = this.#entry("timeout", () => this.#engine.sleep(milliseconds));
      const error = (): never => {
        throw new this.#sdk.TimeoutError();
      };
      return Promise.race([answer, late.then(error)]);
    };
    return Object.assign(answer, { orTimeout });
  }
}

const never = <Answer>(): Promise<Answer> => new Promise(() => undefined);
const nameOf = ({ service, key, handler, body }: Called): string =>
  `${service}/${key}/${handler} ${JSON.stringify(body)}`;
/** Any handler of a service, as a method. */
const calls = (act: (to: Called, after?: Sent) => unknown, service: string, key: string): object =>
  new Proxy(
    {},
    {
      get: (_, handler: string) => (body?: unknown, after?: Sent) =>
        act({ service, key, handler, body: copyOf(body), id: "" }, after),
    },
  );
/** As it comes through JSON. */
export function copyOf<Value>(value: Value): Value {
  return value === undefined ? value : (JSON.parse(JSON.stringify(value)) as Value);
}
