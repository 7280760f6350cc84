/**
 * What the handlers of one connection share: its machine, and the handles that go with what the machine knows.
 * Decisions are the machine's; here are only the things that are no data.
 */
import { randomUUID } from "node:crypto";
import type { AgentContext } from "@agentclientprotocol/sdk";
import { createActor } from "xstate";
import type { Attendance, Environment, Json, Session, Troupe } from "../../actors/troupe.ts";
import { type ClientFacts, type ConnectionEvent, connectionMachine } from "../../machines/connection-machine.ts";
import { Announcer } from "./announcer.ts";
import { Auth } from "./auth.ts";
import type { BroadcastGroup } from "./broadcast.ts";
import { Choices } from "./choices.ts";
import { wantsCursors } from "./cursor.ts";
import { editorClient, showsTerminalOutput } from "./editor-client.ts";
import { showsForms } from "./elicit.ts";
import { inFlight, unknownSession } from "./errors.ts";
import { OFFER, type Offer } from "./offer.ts";
import type { Outgoing } from "./outgoing.ts";
import { askOf } from "./permissions.ts";
import { CLOSED, SessionView, type SessionViewOptions } from "./session-view.ts";
import { tell } from "./states.ts";

export type Service = {
  writer: Outgoing;
  version: string;
  open: () => Promise<Troupe>;
  defaultWorkflow?: string;
  /** How long what runs goes on after its last connection was lost. */
  graceMs?: number;
  offer?: Offer;
  /** Of who started the service: what ways to authenticate look into. */
  environment?: Environment;
  /** Where its principal's connections hear of each other. */
  room?: BroadcastGroup;
};

type Attended = { session: Session; attendance: Attendance };

export class EditorConnection {
  readonly service: Service;
  readonly #room: BroadcastGroup | null;
  /** The client's side of the connection. */
  client: AgentContext | undefined;
  readonly offer: Offer;
  readonly announcer: Announcer;
  readonly choices: Choices;
  readonly auth: Auth;
  #wantsCursors = false;
  readonly #actor = createActor(connectionMachine).start();
  readonly #sessions = new Map<string, Attended>();
  /**
   * Sessions that were loaded, those that somebody else prompted, and those whose run has outlived its prompt are watched
   * until they are closed; others while a prompt of theirs runs.
   */
  readonly #watches = new Map<string, SessionView>();
  /** Resolved when the prompt in flight has its answer. */
  readonly #answers = new Map<string, PromiseWithResolvers<void>>();

  /** Sessions whose questions this client is asked. */
  readonly #asked = new Set<string>();
  /** What is asked of the client before a prompt is sent on. */
  readonly #asking = new Map<string, AbortController>();

  /** Tells terminals of this connection from those of others, and of the past. */
  readonly #mark = randomUUID();

  constructor(service: Service) {
    this.service = service;
    this.offer = service.offer ?? OFFER;
    this.#room = this.offer.switches.notify === "broadcast" ? (service.room ?? null) : null;
    const teller = { update: (session: string, update: object) => this.#tellAll(session, update) };
    this.announcer = new Announcer(teller, service.open);
    this.choices = new Choices(teller, this.offer.switches.legacyFields);
    this.auth = new Auth(this.offer.auth, (name) => (service.environment?.[name] ?? "") !== "");
  }

  initialized(client: ClientFacts): void {
    this.#note({ type: "client.initialized", client });
    this.#room?.enter(this);
    this.#wantsCursors = wantsCursors(client.capabilities);
  }
  attends(session: string): boolean {
    return this.#sessions.has(session);
  }
  /** A turn of a session begins, prompted here. */
  spread(session: Session): void {
    for (const one of this.#room?.besides(session.id) ?? []) one.hear(session, session.head());
  }
  spreadEnd(session: Session): void {
    for (const one of this.#room?.besides(session.id) ?? []) one.heard(session);
  }
  hear(session: Session, after: number): void {
    if (!this.isClosed) this.watch(session, { after });
  }
  heard(session: Session): void {
    const over = this.#watches.get(session.id)?.reached(session.head());
    const unwatch = (): void => (this.attends(session.id) ? undefined : this.unwatch(session.id));
    over?.then(unwatch, () => undefined); // it was closed meanwhile
  }
  told(session: string, update: object): void {
    this.service.writer.update(session, update);
  }
  #tellAll(session: string, update: object): void {
    this.service.writer.update(session, update);
    for (const one of this.#room?.besides(session) ?? []) if (one !== this) one.told(session, update);
  }
  attach(session: Session): void {
    const { id } = session;
    if (this.isClosed) throw CLOSED;
    const before = this.#sessions.get(id);
    const attendance = session.attend({
      turnBegins: (after) => void this.watch(session, { after }),
      asked: (isAsked) => {
        if (isAsked) this.#asked.add(id);
        else this.#asked.delete(id);
        this.#tell(id);
      },
      hands: editorClient({
        capabilities: this.#capabilities,
        sessionId: id,
        client: () => this.client,
        mark: this.#mark,
      }),
    });
    this.#sessions.set(id, { session, attendance });
    this.#tell(id); // it may have been asked before it had a name
    this.#note({ type: "session.attached", session: id });
    before?.attendance.leave(); // after the new one has come: nobody was lost
  }
  detach(id: string): void {
    const attended = this.#sessions.get(id);
    this.#sessions.delete(id);
    this.#asked.delete(id);
    this.announcer.forget(id);
    this.unwatch(id);
    this.#note({ type: "session.detached", session: id });
    attended?.attendance.leave();
  }

  /** Throws -32002 for a session that this connection has neither opened nor loaded. */
  session(id: string): Session {
    return this.#attended(id).session;
  }
  /** The sessions that the connection has. */
  get attached(): string[] {
    return [...this.#sessions.keys()];
  }
  find(id: string): Session | undefined {
    return this.#sessions.get(id)?.session;
  }

  /** Reserves the session for a prompt, or throws -32600; nothing was awaited before. */
  reserve(id: string): { session: Session; by: string } {
    const { session, attendance } = this.#attended(id);
    const event = { type: "prompt.received", session: id } as const;
    if (!this.#actor.getSnapshot().can(event)) throw inFlight(id, this.offer);
    this.#actor.send(event);
    this.#answers.set(id, Promise.withResolvers());
    return { session, by: attendance.id };
  }
  get showsForms(): boolean {
    return showsForms(this.#capabilities);
  }
  get #capabilities(): Json {
    return this.#actor.getSnapshot().context.client?.capabilities ?? null;
  }
  /** Aborted when the session is cancelled or closed before its prompt was sent on. */
  asking(id: string): AbortSignal {
    const controller = new AbortController();
    this.#asking.set(id, controller);
    return controller.signal;
  }
  /** The session is being cancelled: what was asked before its prompt is not wanted any more. */
  withdraw(id: string): void {
    this.#asking.get(id)?.abort();
    this.#watches.get(id)?.cancelled();
  }
  release(id: string): void {
    this.#asking.delete(id);
    this.#note({ type: "prompt.answered", session: id });
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

  /** The session's watch, or a new one that shows the log from `after` on. */
  watch(session: Session, from: Pick<SessionViewOptions, "after" | "shown">): SessionView {
    const known = this.#watches.get(session.id);
    if (known !== undefined) return known;
    const watch = new SessionView(session, this.service.writer, {
      ...from,
      cursors: this.#wantsCursors,
      chosen: () => this.choices.tell(session),
      retrying: (retry) => tell(this.service.writer, this.offer.switches, { sessionId: session.id, retry }),
      switches: this.offer.switches,
      broken: () => void this.#watches.delete(session.id),
      terminals: this.#mark,
      showsTerminalOutput: showsTerminalOutput(this.#capabilities),
    });
    this.#watches.set(session.id, watch);
    this.#tell(session.id);
    return watch;
  }
  isWatched(id: string): boolean {
    return this.#watches.has(id);
  }
  unwatch(id: string): void {
    this.#watches.get(id)?.close();
    this.#watches.delete(id);
  }

  /** Ends what is this connection's own; what runs is the sessions' to decide. */
  close(): void {
    this.#room?.leave(this);
    this.#actor.send({ type: "connection.closed" });
    this.announcer.close();
    for (const controller of this.#asking.values()) controller.abort();
    for (const watch of this.#watches.values()) watch.close();
    this.#watches.clear();
    for (const { attendance } of this.#sessions.values()) attendance.leave({ graceMs: this.service.graceMs ?? 0 });
    this.#sessions.clear();
  }
  get isClosed(): boolean {
    return this.#actor.getSnapshot().status === "done";
  }

  /** A handler may end after its connection. */
  #note(event: ConnectionEvent): void {
    if (!this.isClosed) this.#actor.send(event);
  }
  #attended(id: string): Attended {
    const attended = this.#sessions.get(id);
    if (attended === undefined) throw unknownSession(id, this.offer);
    return attended;
  }
  /** Whether the client is asked what the session asks. */
  #tell(id: string): void {
    const attended = this.#sessions.get(id);
    const { client } = this;
    if (attended === undefined || client === undefined) return;
    this.#watches.get(id)?.asks(this.#asked.has(id) ? askOf(client, id, attended.attendance, this.offer) : null);
  }
}
