/**
 * One session at an agent.
 *
 * I1. One prompt runs at a time. Its answer comes after every update that came before it was shown.
 * I2. A cancel is reported to the agent, takes back what it asked, and is waited for; an agent that does not answer is
 *     dropped with its connection. Either way the prompt ends `cancelled`. One that comes after the answer reaches no
 *     agent: it bounds the wait for what is shown, and the answer stands.
 * I3. A prompt is sent with content that the agent has said it takes; any other is refused before it is sent.
 * I4. A session that is closed cancels the prompts that wait for their turn, too.
 * I5. A prompt whose time is over fails at once, is cancelled at the agent, and keeps its place until the agent has
 *     answered, CANCEL_MS at most: the next one would be refused by an agent that still ends it.
 */
import type { ContentBlock, PromptResponse, SessionConfigOption, SessionModeState } from "@agentclientprotocol/sdk";
import { systemClock, type Timers } from "../base/clock.ts";
import type { AgentCalls } from "./calls.ts";
import type { ClientHandlers } from "./client-handlers.ts";
import { anyOf, type CallOptions, timedOut } from "./connection.ts";
import { ClientError, isClientError } from "./errors.ts";
import { PromptQueue, type WhenBusy } from "./prompt-queue.ts";

/** How long, in milliseconds, an agent and what shows its updates may take to end a prompt that was cancelled. */
export const CANCEL_MS = 2500;

export type SessionFacts = { id: string; cwd: string; additional: readonly string[] };
/** How one prompt is sent. `whenBusy`: whether it waits for the one that runs, or fails. */
export type PromptOptions = {
  signal?: AbortSignal;
  /** Milliseconds for the whole turn; by default there is no limit. */
  timeoutMs?: number | null;
  whenBusy?: WhenBusy;
  /** Sent with the prompt as it is. */
  _meta?: { [name: string]: unknown };
};
export type Opened = { modes?: SessionModeState | null; configOptions?: SessionConfigOption[] | null };

/** A session at an agent, until it or its client is closed. */
export class AgentSession {
  readonly id: string;
  readonly cwd: string;
  /** What the agent reported when the session was opened. */
  readonly opened: Opened;
  readonly #calls: AgentCalls;
  readonly #desk: ClientHandlers;
  readonly #clock: Timers;
  readonly #turns = new PromptQueue();
  readonly #closed = new AbortController();
  #cancel: (() => void) | null = null;

  /** @internal */
  constructor(
    facts: SessionFacts,
    opened: Opened,
    { calls, desk, clock }: { calls: AgentCalls; desk: ClientHandlers; clock?: Timers },
  ) {
    this.id = facts.id;
    this.cwd = facts.cwd;
    this.opened = opened;
    this.#calls = calls;
    this.#desk = desk;
    this.#clock = clock ?? systemClock;
  }

  /**
   * Prompts, and resolves with the agent's answer; what it says meanwhile comes to the client's `onUpdate`.
   * @example const { stopReason } = await session.prompt("/review", { signal: AbortSignal.timeout(60_000) });
   */
  async prompt(content: string | ContentBlock[], o: PromptOptions = {}): Promise<PromptResponse> {
    const prompt: ContentBlock[] = typeof content === "string" ? [{ type: "text", text: content }] : content;
    this.#check(prompt);
    const closed = this.#closed.signal.aborted ? undefined : this.#closed.signal; // I4
    const end = await this.#turns.begin(o.whenBusy ?? "queue", anyOf(o.signal, closed)).catch(unlessCancelled);
    if (end === null) return { stopReason: "cancelled" };
    const over = Promise.withResolvers<never>();
    over.promise.catch(() => undefined);
    const turn = this.#turn(prompt, o, over.reject);
    turn.then(end, end); // I5
    return await Promise.race([turn, over.promise]);
  }
  /** Cancels the prompt that runs, if one does. */
  cancel(): void {
    this.#cancel?.();
  }

  /** Chooses one of the agent's modes. Rejects with `refused` where it does not know it. */
  async setMode(modeId: string): Promise<void> {
    await this.#calls.request("session/set_mode", { sessionId: this.id, modeId });
  }
  /** Sets one of the agent's options. Rejects with `refused` where it does not take the value. */
  async setOption(configId: string, value: string | boolean): Promise<SessionConfigOption[]> {
    const chosen = typeof value === "boolean" ? { type: "boolean" as const, value } : { value };
    const params = { sessionId: this.id, configId, ...chosen };
    return (await this.#calls.request("session/set_config_option", params)).configOptions;
  }
  /** Closes it at the agent, where that is offered, and ends what it had here. */
  async close(): Promise<void> {
    this.#closed.abort();
    this.cancel();
    this.#calls.detached(this.id);
    if (this.#calls.agent.agentCapabilities?.sessionCapabilities?.close != null)
      await this.#calls.request("session/close", { sessionId: this.id }).catch(unlessGone);
    await this.#desk.unseat(this.id);
  }

  /** `late` is told why, where its time is over; it settles when the next prompt may go. */
  async #turn(
    prompt: ContentBlock[],
    { signal, timeoutMs = null, _meta }: PromptOptions,
    late: (error: ClientError) => void,
  ): Promise<PromptResponse> {
    const cut = Promise.withResolvers<PromptResponse>();
    let stopTimer: (() => void) | undefined;
    const unsent = new AbortController();
    let isCancelled = false;
    let isAnswered = false;
    const takeBack = (): void => {
      isCancelled = true;
      unsent.abort();
      if (!isAnswered) this.#calls.notify("session/cancel", { sessionId: this.id }).catch(() => undefined);
      this.#desk.withdraw(this.id);
    };
    const cancel = (): void => {
      if (isCancelled) return;
      takeBack();
      stopTimer = this.#clock.after(CANCEL_MS, () => {
        cut.resolve({ stopReason: "cancelled" });
        if (!isAnswered) void this.#calls.drop();
      });
    };
    this.#desk.withdraw(this.id);
    this.#cancel = cancel;
    signal?.addEventListener("abort", cancel, { once: true });
    const stopLimit =
      timeoutMs === null
        ? undefined
        : this.#clock.after(timeoutMs, () => {
            if (isCancelled || isAnswered) return;
            late(timedOut("session/prompt", timeoutMs));
            takeBack();
          });
    const options: CallOptions = {
      timeoutMs: timeoutMs === null ? null : timeoutMs + CANCEL_MS, // I5
      unsent: unsent.signal,
    };
    const asked = this.#calls
      .request("session/prompt", { sessionId: this.id, prompt, ...(_meta === undefined ? {} : { _meta }) }, options)
      .catch((error) => {
        const isEnd = isClientError(error, "cancelled") || (isCancelled && !isClientError(error, "refused"));
        if (isEnd) return { stopReason: "cancelled" } as const;
        throw error;
      });
    if (signal?.aborted) cancel();
    try {
      const response = await Promise.race([asked, cut.promise]);
      isAnswered = true;
      await Promise.race([this.#desk.shown(this.id), cut.promise]);
      return response;
    } finally {
      this.#cancel = null;
      this.#desk.withdraw(this.id);
      signal?.removeEventListener("abort", cancel);
      stopTimer?.();
      stopLimit?.();
    }
  }

  #check(prompt: readonly ContentBlock[]): void {
    if (!Array.isArray(prompt))
      throw new ClientError("unsupported", "a prompt is a text, or a list of blocks; nothing was sent");
    const { image, audio, embeddedContext } = this.#calls.agent.agentCapabilities?.promptCapabilities ?? {};
    const takes = { text: true, resource_link: true, image, audio, resource: embeddedContext };
    const wrong = prompt.find(({ type }) => takes[type as keyof typeof takes] !== true);
    if (wrong === undefined) return;
    throw new ClientError("unsupported", `the agent takes no "${wrong.type}" in a prompt; nothing was sent`, {
      type: wrong.type,
    });
  }
}

function unlessCancelled(error: unknown): null {
  if (isClientError(error, "cancelled")) return null;
  throw error;
}
/** What is not there any more is closed. */
function unlessGone(error: unknown): void {
  if (isClientError(error, "refused") && error.details["code"] === -32002) return;
  throw error;
}
