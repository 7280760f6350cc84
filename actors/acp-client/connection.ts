/**
 * One connection to an agent: the SDK's client over one channel, with what it lacks.
 *
 * I1. Every call has one outcome: an answer that was checked, or one `ClientError`.
 * I2. At most `maxInFlightSends` messages are on their way out at once; a call that is cancelled before that takes no place.
 * I3. When the channel has ended, all calls in flight fail with `eof`, which says whether they had been sent; later
 *     ones fail with `notConnected`.
 * I4. When a call settles, nothing of it is left: no timer, no entry.
 * I5. What is no JSON is refused before it is sent: on the way it would end the connection.
 */
import {
  type AgentNotificationMethod,
  type AgentNotificationParamsByMethod,
  type AgentRequestMethod,
  type AgentRequestParamsByMethod,
  type ClientApp,
  type ClientConnection,
  RequestError,
} from "@agentclientprotocol/sdk";
import type { Json } from "../../machines/model.ts";
import { systemClock, type Timers } from "../base/clock.ts";
import type { Channel } from "./channel.ts";
import { ClientError } from "./errors.ts";
import { checked, misnamed, type Response, unanswered } from "./responses.ts";
import { Semaphore } from "./semaphore.ts";
import { type UnknownUpdate, type Wire, wire } from "./wire.ts";

export const MAX_IN_FLIGHT_SENDS = 64;
export const REQUEST_TIMEOUT_MS = 60_000;
/** So long the right answer is waited for, in milliseconds, where one has come that seems to be meant for a request and does not name it. */
export const MISNAMED_MS = 1_000;

export type ConnectionOptions = {
  app: ClientApp;
  onUnknownUpdate?: (one: UnknownUpdate) => void;
  maxInFlightSends?: number;
  clock?: Timers;
};
export type CallOptions = {
  /** Milliseconds; null waits for ever. */
  timeoutMs?: number | null;
  /** Cancels the call at the agent (`$/cancel_request`); the call settles with the agent's answer, or `cancelled`. */
  signal?: AbortSignal | undefined;
  /** Takes the call back while it was not sent: then it settles with `cancelled`, and never goes out. Later it does nothing. */
  unsent?: AbortSignal | undefined;
};

export class AgentConnection {
  /** Resolves when it has ended, with the reason in words. */
  readonly ended: Promise<string>;
  readonly #channel: Channel;
  readonly #wire: Wire;
  readonly #sdk: ClientConnection;
  readonly #gate: Semaphore;
  readonly #clock: Timers;
  /** Calls in flight, each with what fails it. */
  readonly #pending = new Map<object, (error: Error) => void>();
  #timers = 0;
  #isClosed = false;

  constructor(channel: Channel, { app, onUnknownUpdate, maxInFlightSends, clock }: ConnectionOptions) {
    this.#channel = channel;
    this.#gate = new Semaphore(maxInFlightSends ?? MAX_IN_FLIGHT_SENDS);
    this.#clock = clock ?? systemClock;
    this.#wire = wire(channel.stream, onUnknownUpdate ?? (() => undefined));
    this.#sdk = app.connect(this.#wire.stream);
    void channel.ended.then(() => this.#sdk.close());
    // Whatever ended the stream, the channel ends with it, and can say why.
    this.ended = this.#sdk.closed.then(async () => {
      for (const fail of this.#pending.values()) fail(new Error("the connection has ended"));
      await channel.end();
      return channel.ended;
    });
  }

  /** Calls in flight, timers that run, and sends that wait: all 0 when nothing is asked. */
  get counts(): { pending: number; timers: number; sending: number; waiting: number } {
    return {
      pending: this.#pending.size,
      timers: this.#timers,
      sending: this.#gate.inUse,
      waiting: this.#gate.waiting,
    };
  }
  get isOpen(): boolean {
    return !this.#sdk.signal.aborted;
  }

  async request<Method extends AgentRequestMethod>(
    method: Method,
    params: AgentRequestParamsByMethod[Method],
    options?: CallOptions,
  ): Promise<Response<Method>>;
  /** A method of an extension. */
  async request(method: `_${string}`, params: object, options?: CallOptions): Promise<unknown>;
  async request(method: string, given: object, { timeoutMs, signal, unsent }: CallOptions = {}): Promise<unknown> {
    if (!this.isOpen) throw notConnected(method);
    checkJson(method, given);
    const params = { ...given };
    let written = false;
    let release: (() => void) | undefined;
    const stops: (() => void)[] = [];
    const over = new AbortController();
    const abort = (): void => over.abort();
    const cut = Promise.withResolvers<never>();
    cut.promise.catch(() => undefined);
    const limit = timeoutMs === undefined ? REQUEST_TIMEOUT_MS : timeoutMs;
    this.#pending.set(params, cut.reject);
    const failAfter = (ms: number, error: ClientError): void => {
      this.#timers++;
      const stop = this.#clock.after(ms, () => {
        // What ended first decides: a connection that is closed has failed the call already.
        if (!this.isOpen) return;
        cut.reject(error);
        abort();
      });
      stops.push(stop);
    };
    if (limit !== null) failAfter(limit, timedOut(method, limit));
    const ask = async (): Promise<unknown> => {
      release = await this.#gate.acquire(anyOf(over.signal, signal, unsent));
      this.#wire.follow(params, {
        written: () => {
          written = true;
          release?.();
        },
        misnamed: (answer) => failAfter(MISNAMED_MS, misnamed(method, answer)),
      });
      signal?.addEventListener("abort", abort, { once: true });
      return await this.#sdk.agent.request(method, params, { cancellationSignal: over.signal });
    };
    try {
      return checked(method, await Promise.race([ask(), cut.promise]));
    } catch (error) {
      if (error instanceof RequestError && this.#wire.isNoAnswer(error.data)) return unanswered(method, error.data);
      throw await this.#explained(error, method, () => written);
    } finally {
      // A call that still waits for its turn to be sent gives its place back.
      over.abort();
      release?.();
      this.#wire.forget(params);
      this.#pending.delete(params);
      signal?.removeEventListener("abort", abort);
      for (const stop of stops) stop();
      this.#timers -= stops.length;
    }
  }

  async notify<Method extends AgentNotificationMethod>(
    method: Method,
    params: AgentNotificationParamsByMethod[Method],
  ): Promise<void>;
  async notify(method: string, params: object): Promise<void> {
    if (!this.isOpen) throw notConnected(method);
    checkJson(method, params);
    try {
      await this.#sdk.agent.notify(method, params);
    } catch {
      throw notConnected(method);
    }
  }

  /** Ends the connection and what carries it; a second call waits for the first. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#sdk.close();
    await this.#channel.end();
  }

  async #explained(error: unknown, method: string, wasWritten: () => boolean): Promise<unknown> {
    if (error instanceof ClientError) return error;
    if (error instanceof RequestError) {
      const { code, message, data } = error;
      const details = { method, code, message, ...(data === undefined ? {} : { data: data as Json }) };
      return code === -32800
        ? new ClientError("cancelled", `${method} was cancelled`, details, error)
        : new ClientError("refused", `the agent refuses ${method}: ${message}`, details, error);
    }
    const refusal = this.#channel.refusal?.() ?? null;
    if (refusal !== null) return refusal;
    if (this.isOpen) return new ClientError("eof", `${method} could not be sent: ${String(error)}`, { method }, error);
    const written = wasWritten();
    const why = this.#isClosed ? "it was closed here" : await this.ended;
    return new ClientError("eof", `the connection ended before ${method} was answered${why === "" ? "" : `: ${why}`}`, {
      method,
      written,
    });
  }
}

/** Aborts with the first of them. */
export const anyOf = (...signals: (AbortSignal | undefined)[]): AbortSignal =>
  AbortSignal.any(signals.filter((one) => one !== undefined));
function checkJson(method: string, params: object): void {
  try {
    JSON.stringify(params);
  } catch (error) {
    const why = `${method} was not sent: it cannot be written as JSON: ${(error as Error).message}`;
    throw new ClientError("unsupported", why, { method }, error);
  }
}
const notConnected = (method: string): ClientError =>
  new ClientError("notConnected", `there is no connection to send ${method} on`, { method });
/** What a call fails with whose time is over. */
export const timedOut = (method: string, ms: number): ClientError =>
  new ClientError("requestTimeout", `the agent did not answer ${method} within ${ms} ms`, { method, ms });
