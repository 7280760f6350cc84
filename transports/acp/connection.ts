/**
 * What the handlers of one connection share: its machine, and the handles that go with what the machine knows.
 * Decisions are the machine's; here are only the things that are no data.
 */
import { RequestError } from "@agentclientprotocol/sdk";
import { createActor } from "xstate";
import type { Session, Troupe } from "../../actors/troupe.ts";
import { type ClientFacts, connectionMachine } from "../../machines/connection-machine.ts";
import { Announcer } from "./announcer.ts";
import { showsForms } from "./elicit.ts";
import { Watch } from "./watch.ts";
import type { LineWriter } from "./writer.ts";

export type Service = {
  writer: LineWriter;
  version: string;
  open: () => Promise<Troupe>;
  defaultWorkflow?: string;
};

export class Connection {
  readonly service: Service;
  readonly announcer: Announcer;
  readonly #actor = createActor(connectionMachine).start();
  readonly #sessions = new Map<string, Session>();
  /** Sessions that were loaded are watched until they are closed; others while a prompt of theirs runs. */
  readonly #watches = new Map<string, Watch>();

  /** Resolved when the prompt in flight has its answer. */
  readonly #answers = new Map<string, PromiseWithResolvers<void>>();

  /** What is asked of the client before a prompt is sent on. */
  readonly #asking = new Map<string, AbortController>();

  constructor(service: Service) {
    this.service = service;
    this.announcer = new Announcer(service);
  }

  initialized(client: ClientFacts): void {
    this.#actor.send({ type: "client.initialized", client });
  }
  attach(session: Session): void {
    this.#sessions.set(session.id, session);
    this.#actor.send({ type: "session.attached", session: session.id });
  }
  detach(id: string): void {
    this.#sessions.delete(id);
    this.unwatch(id);
    this.#actor.send({ type: "session.detached", session: id });
  }

  /** Throws -32002 for a session that this connection has neither opened nor loaded. */
  session(id: string): Session {
    const session = this.#sessions.get(id);
    if (session === undefined) throw RequestError.sessionNotFound(id);
    return session;
  }
  find(id: string): Session | undefined {
    return this.#sessions.get(id);
  }

  /** Reserves the session for a prompt, or throws -32600; nothing was awaited before. */
  reserve(id: string): Session {
    const session = this.session(id);
    const event = { type: "prompt.received", session: id } as const;
    if (!this.#actor.getSnapshot().can(event)) throw inFlight(id);
    this.#actor.send(event);
    this.#answers.set(id, Promise.withResolvers());
    return session;
  }
  get showsForms(): boolean {
    return showsForms(this.#actor.getSnapshot().context.client?.capabilities ?? null);
  }
  /** Aborted when the session is cancelled or closed before its prompt was sent on. */
  asking(id: string): AbortSignal {
    const controller = new AbortController();
    this.#asking.set(id, controller);
    return controller.signal;
  }
  /** What was asked before the prompt is not wanted any more. */
  withdraw(id: string): void {
    this.#asking.get(id)?.abort();
  }
  release(id: string): void {
    this.#asking.delete(id);
    this.#actor.send({ type: "prompt.answered", session: id });
    this.#answers.get(id)?.resolve();
    this.#answers.delete(id);
  }
  /** Resolves when the session has no prompt in flight any more. */
  async answered(id: string): Promise<void> {
    await this.#answers.get(id)?.promise;
  }
  isPrompting(id: string): boolean {
    return this.#actor.getSnapshot().context.prompts.has(id);
  }

  /** The session's watch, or a new one that shows the log from `after` on. `alone`: only we write meanwhile. */
  watch(session: Session, from: { after: number; alone: boolean }): Watch {
    const known = this.#watches.get(session.id);
    if (known !== undefined) return known;
    const watch = new Watch(session, this.service.writer, from);
    this.#watches.set(session.id, watch);
    return watch;
  }
  isWatched(id: string): boolean {
    return this.#watches.has(id);
  }
  unwatch(id: string): void {
    this.#watches.get(id)?.close();
    this.#watches.delete(id);
  }

  /** Ends what is this connection's own; the facade ends what runs. */
  close(): void {
    this.announcer.close();
    for (const watch of this.#watches.values()) watch.close();
    this.#watches.clear();
    this.#actor.send({ type: "connection.closed" });
  }
}

export const inFlight = (sessionId: string): RequestError =>
  new RequestError(-32600, "Invalid request: a prompt of this session is in flight; wait for its end or cancel it", {
    code: "USER.PROMPT.IN_FLIGHT",
    reason: "prompt_in_flight",
    sessionId,
  });
