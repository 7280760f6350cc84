/**
 * What the handlers of one connection share: what the client has said of itself, and its sessions. Which prompts may run
 * is the sessions' to decide.
 */
import { randomUUID } from "node:crypto";
import type { AgentContext } from "@agentclientprotocol/sdk";
import { createActor } from "xstate";
import type { Environment, Json, Session, Troupe } from "../../actors/troupe.ts";
import { type ClientFacts, type ConnectionEvent, connectionMachine } from "../../machines/connection-machine.ts";
import { Announcer } from "./announcer.ts";
import { AttendedSession, type ClientSide } from "./attended-session.ts";
import { Auth } from "./auth.ts";
import type { BroadcastGroup, BroadcastMember } from "./broadcast.ts";
import { Choices } from "./choices.ts";
import { wantsCursors } from "./cursor.ts";
import { showsForms } from "./elicit.ts";
import { unknownSession } from "./errors.ts";
import { type Manner, mannerOf } from "./manner.ts";
import { OFFER, type Offer } from "./offer.ts";
import type { Outgoing } from "./outgoing.ts";
import { CLOSED } from "./session-view.ts";

export type Service = {
  writer: Outgoing;
  version: string;
  open: () => Promise<Troupe>;
  defaultWorkflow?: string;
  /** How long what runs continues after its last connection was lost. */
  graceMs?: number;
  offer?: Offer;
  /** Of who started the service: what ways to authenticate look into. */
  environment?: Environment;
  /** Where its principal's connections hear of each other. */
  room?: BroadcastGroup;
};

export class EditorConnection implements BroadcastMember, ClientSide {
  readonly service: Service;
  readonly #room: BroadcastGroup | null;
  /** The client's side of the connection. */
  client: AgentContext | undefined;
  readonly offer: Offer;
  readonly announcer: Announcer;
  readonly choices: Choices;
  readonly auth: Auth;
  /** How its prompts are spoken of: the profile's. */
  readonly manner: Manner;
  readonly mark = randomUUID();
  readonly #actor = createActor(connectionMachine).start();
  /** Those that it attends, and those that it only hears of. */
  readonly #sessions = new Map<string, AttendedSession>();
  /** By session: loads and resumes that are about to attend it. */
  readonly #reopening = new Map<string, Promise<unknown>>();
  /** Requests of the client that are worked on. */
  readonly #answering = new Set<Promise<unknown>>();

  constructor(service: Service) {
    this.service = service;
    this.offer = service.offer ?? OFFER;
    this.manner = mannerOf(this.offer.switches);
    this.#room = this.offer.switches.notify === "broadcast" ? (service.room ?? null) : null;
    const teller = { update: (session: string, update: object) => this.#tellAll(session, update) };
    this.announcer = new Announcer(teller, service.open);
    this.choices = new Choices(teller, this.offer.switches.legacyFields);
    this.auth = new Auth(this.offer.auth, (name) => (service.environment?.[name] ?? "") !== "");
  }

  initialized(client: ClientFacts): void {
    this.#note({ type: "client.initialized", client });
    this.#room?.enter(this);
  }
  get writer(): Outgoing {
    return this.service.writer;
  }
  get capabilities(): Json {
    return this.#actor.getSnapshot().context.client?.capabilities ?? null;
  }
  get wantsCursors(): boolean {
    return wantsCursors(this.capabilities);
  }
  get showsForms(): boolean {
    return showsForms(this.capabilities);
  }
  chosen(session: Session): void {
    this.choices.tell(session);
  }

  attends(id: string): boolean {
    return this.find(id) !== undefined;
  }
  /** A turn of a session begins, prompted here. */
  spread(session: Session): void {
    for (const one of this.#room?.besides(session.id) ?? []) one.hear(session, session.head());
  }
  spreadEnd(session: Session): void {
    for (const one of this.#room?.besides(session.id) ?? []) one.heard(session);
  }
  hear(session: Session, after: number): void {
    if (this.isClosed) return;
    const known = this.#sessions.get(session.id) ?? new AttendedSession(session, this);
    this.#sessions.set(session.id, known);
    known.show({ after });
  }
  heard(session: Session): void {
    const known = this.#sessions.get(session.id);
    const forget = (): void => {
      if (known?.isAttended !== false) return;
      known.hide();
      if (this.#sessions.get(session.id) === known) this.#sessions.delete(session.id);
    };
    known?.caughtUp().then(forget, () => undefined); // it was closed meanwhile
  }
  told(session: string, update: object): void {
    this.writer.update(session, update);
  }
  #tellAll(session: string, update: object): void {
    this.writer.update(session, update);
    for (const one of this.#room?.besides(session) ?? []) if (one !== this) one.told(session, update);
  }

  /** Attends a session anew. */
  attach(session: Session): AttendedSession {
    if (this.isClosed) throw CLOSED;
    const before = this.#sessions.get(session.id);
    const attended = new AttendedSession(session, this);
    this.#sessions.set(session.id, attended);
    attended.attend();
    before?.leave(); // after the new one has come: the session was never without a viewer
    return attended;
  }
  /** A load or resume is about to attend a session; `attaching` settles when it does, or has failed. */
  reopens(id: string, attaching: Promise<unknown>): void {
    const all = Promise.allSettled([this.#reopening.get(id), attaching]).then(() => {
      if (this.#reopening.get(id) === all) this.#reopening.delete(id);
    });
    this.#reopening.set(id, all);
  }
  /** Settles when the loads and resumes that were sent until now attend the session; undefined where there is none. */
  reopening(id: string): Promise<unknown> | undefined {
    return this.#reopening.get(id);
  }
  /** Attends it no more; a session that was loaded again meanwhile is attended anew, and stays. */
  detach(attended: AttendedSession): void {
    const { id } = attended.session;
    attended.leave();
    if (this.#sessions.get(id) !== attended) return;
    this.#sessions.delete(id);
    this.announcer.forget(id);
  }

  /** Answers `answer`; `handled` waits for it. */
  answers<Answer>(answer: Promise<Answer>): Promise<Answer> {
    this.#answering.add(answer);
    const over = (): void => void this.#answering.delete(answer);
    answer.then(over, over);
    return answer;
  }
  /** Resolves when no request of the client is worked on. */
  async handled(): Promise<void> {
    await Promise.allSettled(this.#answering);
  }

  /** Throws -32002 for a session that this connection has neither opened nor loaded. */
  attended(id: string): AttendedSession {
    const attended = this.find(id);
    if (attended === undefined) throw unknownSession(id, this.offer);
    return attended;
  }
  find(id: string): AttendedSession | undefined {
    const known = this.#sessions.get(id);
    return known?.isAttended === true ? known : undefined;
  }
  /** The sessions that the connection has. */
  get attached(): string[] {
    return [...this.#sessions.keys()].filter((id) => this.attends(id));
  }

  /** Ends what is this connection's own; what runs is the sessions' to decide. */
  close(): void {
    this.#room?.leave(this);
    this.#actor.send({ type: "connection.closed" });
    this.announcer.close();
    for (const attended of this.#sessions.values()) attended.leave({ graceMs: this.service.graceMs ?? 0 });
    this.#sessions.clear();
  }
  get isClosed(): boolean {
    return this.#actor.getSnapshot().status === "done";
  }

  /** A handler may end after its connection. */
  #note(event: ConnectionEvent): void {
    if (!this.isClosed) this.#actor.send(event);
  }
}
