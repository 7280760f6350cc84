/**
 * How a client reaches its agent, over one connection after the other: the machine `link` decides when, this does it.
 *
 * I1. A call waits for a connection within its time limit, and fails with `notConnected` when there will be none.
 * I2. A call that was not sent when its connection was lost is sent on the next one. One that was sent is sent again
 *     only if that changes nothing at the agent; every other fails, as a prompt does, with `outcomeUnknown`. One that
 *     was cancelled before it was sent never is.
 * I3. After a loss, sessions are reopened before the first call: from where the client is, if the agent sends
 *     that, otherwise from their beginning, so that nothing is missing of what was said meanwhile.
 * I4. Of a connection that is left nothing runs on.
 */
import type { Implementation, InitializeResponse, McpServer } from "@agentclientprotocol/sdk";
import { type Actor, createActor, fromPromise } from "xstate";
import type { ChooseAuth } from "../../actors/acp-client/authenticated.ts";
import type { AgentCalls, Attached } from "../../actors/acp-client/calls.ts";
import type { OpenChannel } from "../../actors/acp-client/channel.ts";
import type { Timers } from "../../actors/acp-client/client.ts";
import type { ClientHandlers } from "../../actors/acp-client/client-handlers.ts";
import type { ClientMask } from "../../actors/acp-client/client-mask.ts";
import { AgentConnection, anyOf, REQUEST_TIMEOUT_MS } from "../../actors/acp-client/connection.ts";
import { offersCursors } from "../../actors/acp-client/cursors.ts";
import { ClientError, isClientError } from "../../actors/acp-client/errors.ts";
import { initialize } from "../../actors/acp-client/handshake.ts";
import { unknownOutcome } from "../../actors/acp-client/single.ts";
import { backoffMs, type LinkFault, type LinkInput, linkMachine } from "../../machines/link-machine.ts";
import { restore } from "./restore.ts";

/** How a client's connection stands. */
export type LinkState = "connecting" | "initializing" | "restoring" | "ready" | "backing off" | "closed";
export type LinkOptions = {
  open: OpenChannel;
  desk: ClientHandlers;
  info: Implementation;
  reconnect: LinkInput;
  clock: Timers;
  /** Numbers in [0, 1), which shorten the waits between tries. */
  random: () => number;
  onState: (state: LinkState) => void;
  onError: (error: unknown) => void;
  mask: Pick<ClientMask, "error" | "learnServers">;
  maxInFlightSends?: number;
  initializeTimeoutMs?: number;
  chooseAuth?: ChooseAuth;
};
type Waiting = { resolve: (connection: AgentConnection) => void; reject: (error: ClientError) => void };

/** Asking these once more changes nothing at an agent. */
const SAFE: ReadonlySet<string> = new Set(["initialize", "session/list", "session/resume", "session/load"]);

export class Link implements AgentCalls {
  agent!: InitializeResponse;
  readonly #o: LinkOptions;
  readonly #actor: Actor<typeof linkMachine>;
  readonly #sessions = new Map<string, Attached>();
  readonly #waiting = new Set<Waiting>();
  #connection: AgentConnection | null = null;
  #state: LinkState = "connecting";
  /** Why the last connection, or the last try, is gone. */
  #lost: unknown = null;
  /** Ours, or because no try is left. */
  readonly ended: { readonly promise: Promise<void>; resolve: () => void } = Promise.withResolvers<void>();

  constructor(o: LinkOptions) {
    this.#o = o;
    const machine = linkMachine.provide({
      actors: {
        open: fromPromise<unknown>(({ signal }) => this.#final(() => this.#open(signal))),
        initialize: fromPromise<unknown>(() => this.#final(() => this.#initialize())),
        restore: fromPromise<unknown>(() => this.#final(() => this.#restore())),
        watch: fromPromise<unknown>(() => this.#final(() => this.#watch())),
      },
      delays: { backoff: ({ context }) => Math.round(backoffMs(context) * (1 - o.random() / 2)) },
    });
    this.#actor = createActor(machine, { input: o.reconnect, clock: xstateClock(o.clock) });
    this.#actor.subscribe(({ value }) => this.#enter(value as LinkState));
    this.#actor.start();
  }

  get state(): LinkState {
    return this.#state;
  }
  /** Calls in flight, timers that run, and sends that wait: all 0 when nothing is asked. */
  get counts(): AgentConnection["counts"] {
    const { pending = 0, timers = 0, sending = 0, waiting = 0 } = this.#connection?.counts ?? {};
    return { pending: pending + this.#waiting.size, timers, sending, waiting };
  }

  /** Resolves when there is a connection for the first time; rejects when there will be none. */
  async connected(): Promise<void> {
    await this.#next(undefined, null).catch((error) => {
      throw this.#o.mask.error(this.#lost ?? error);
    });
  }
  request: AgentCalls["request"] = async (method, params, options = {}) => {
    this.#o.mask.learnServers((params as { mcpServers?: McpServer[] }).mcpServers ?? []);
    return await this.#request(method, params, options).catch((error: unknown) => {
      throw this.#o.mask.error(error);
    });
  };
  #request: AgentCalls["request"] = async (method, params, options = {}) => {
    for (;;) {
      const connection = this.#usable() ?? (await this.#next(anyOf(options.signal, options.unsent), options.timeoutMs));
      try {
        return await connection.request(method, params, options);
      } catch (error) {
        if (this.#state === "closed" || !isClientError(error, "eof")) throw error;
        const isSent = error.details["written"] === true;
        if (isSent && !SAFE.has(method)) throw unknownOutcome(error);
        // Where nothing is tried any more, this very loss is the reason.
        if (this.#o.reconnect.attempts === 0) throw error;
      }
    }
  };
  notify: AgentCalls["notify"] = async (method, params) => {
    if (this.#connection === null) throw this.#none();
    await this.#connection.notify(method, params);
  };
  attached(session: Attached): void {
    this.#sessions.set(session.id, session);
  }
  detached(sessionId: string): void {
    this.#sessions.delete(sessionId);
  }
  async drop(): Promise<void> {
    await this.#connection?.close();
  }
  async close(): Promise<void> {
    if (this.#state !== "closed") this.#actor.send({ type: "link.closed" });
    await this.drop();
  }

  async #open(signal: AbortSignal): Promise<void> {
    const { open, desk, info, clock, maxInFlightSends } = this.#o;
    const channel = await open(signal);
    if (signal.aborted) return channel.end();
    this.#connection = new AgentConnection(channel, {
      app: desk.app(info.name),
      onUnknownUpdate: (one) => desk.showUnknown(one),
      clock,
      ...(maxInFlightSends === undefined ? {} : { maxInFlightSends }),
    });
  }
  async #initialize(): Promise<void> {
    const { info, desk, initializeTimeoutMs } = this.#o;
    const limit = initializeTimeoutMs === undefined ? {} : { timeoutMs: initializeTimeoutMs };
    this.agent = await initialize(this.#here(), { info, capabilities: desk.capabilities, ...limit });
    desk.hasCursors = offersCursors(this.agent);
  }
  async #restore(): Promise<void> {
    const connection = this.#here();
    const { desk, chooseAuth } = this.#o;
    for (const session of [...this.#sessions.values()]) {
      const lost = await restore(session, { connection, agent: this.agent, desk, chooseAuth });
      if (lost === null) continue;
      this.#sessions.delete(session.id);
      this.#o.onError(this.#o.mask.error(lost));
    }
  }
  async #watch(): Promise<never> {
    throw new ClientError("eof", (await this.#here().ended) || "the connection was lost");
  }
  #here(): AgentConnection {
    if (this.#connection === null) throw new ClientError("eof", "the connection was lost");
    return this.#connection;
  }

  /** A failure leaves the connection, and is reported to the machine in its words. */
  async #final<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.#lost = error;
      const left = this.#connection;
      this.#connection = null;
      await Promise.all([left?.close(), this.#o.desk.lost()]);
      throw faultOf(error);
    }
  }

  #enter(state: LinkState): void {
    if (state === this.#state) return;
    this.#state = state;
    this.#o.onState(state);
    if (state !== "ready" && state !== "closed") return;
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const one of waiting) {
      if (state === "ready" && this.#connection !== null) one.resolve(this.#connection);
      else one.reject(this.#none());
    }
    if (state === "closed") this.ended.resolve();
  }

  #usable(): AgentConnection | null {
    return this.#state === "ready" && this.#connection?.isOpen ? this.#connection : null;
  }
  /** The connection, or the next one (I1). */
  #next(signal: AbortSignal | undefined, timeoutMs: number | null = REQUEST_TIMEOUT_MS): Promise<AgentConnection> {
    if (this.#state === "closed") return Promise.reject(this.#none());
    const open = this.#usable();
    if (open !== null) return Promise.resolve(open);
    const { clock } = this.#o;
    const left = (): ClientError => new ClientError("cancelled", "the call was cancelled before it was sent");
    if (signal?.aborted) return Promise.reject(left());
    return new Promise((resolve, reject) => {
      const forget = (): void => {
        this.#waiting.delete(waiting);
        signal?.removeEventListener("abort", leave);
        stopTimer?.();
      };
      const fail = (error: ClientError): void => {
        forget();
        reject(error);
      };
      const leave = (): void => fail(left());
      const late = (): void =>
        fail(new ClientError("requestTimeout", `there was no connection within ${timeoutMs} ms`, { ms: timeoutMs }));
      const waiting: Waiting = {
        resolve: (connection) => {
          forget();
          resolve(connection);
        },
        reject: fail,
      };
      this.#waiting.add(waiting);
      const stopTimer = timeoutMs === null ? null : clock.after(timeoutMs, late);
      signal?.addEventListener("abort", leave, { once: true });
    });
  }
  #none(): ClientError {
    const { fault } = this.#actor.getSnapshot().context;
    if (fault === null) return new ClientError("notConnected", "there is no connection: the client is closed", {});
    return new ClientError("notConnected", `there is no connection: ${fault.message}`, { code: fault.code });
  }
}

/** No further try mends a program that is not there, an address that is none, a refusal, or another version. */
function faultOf(error: unknown): LinkFault {
  if (!isClientError(error)) return { code: "SYSTEM.CLIENT.EOF", message: String(error), isFinal: false };
  const isFinal = ["agentNotFound", "refused", "unsupported", "unsupportedProtocol", "invalidResponse"].includes(
    error.type,
  );
  return { code: error.code, message: error.message, isFinal };
}

/** Our clock as XState takes one: a timer is what takes it back. */
const xstateClock = ({ after }: Timers) => ({
  setTimeout: (act: () => void, ms: number): (() => void) => after(ms, act),
  clearTimeout: (stop: () => void) => stop(),
});
