/**
 * One session as one connection has it: everything that belongs to both. Decisions are the facade's; here are the
 * handles.
 *
 * I1. It is shown while it was loaded, while another client prompts it, while its run outlives its prompt, and while a
 *     prompt of this client is in flight.
 * I2. Its questions are asked of the client while the session says that this viewer is asked. Nothing is remembered of
 *     that here.
 */
import type { AgentContext } from "@agentclientprotocol/sdk";
import type { Attendance, Json, Reservation, Session } from "../../actors/troupe.ts";
import { interruptedUpdate } from "../../projections/acp/view.ts";
import { editorClient, showsTerminalOutput } from "./editor-client.ts";
import type { Offer } from "./offer.ts";
import type { Outgoing } from "./outgoing.ts";
import { askOf } from "./permissions.ts";
import { type AskClient, SessionView, type SessionViewOptions } from "./session-view.ts";
import { tell } from "./states.ts";

/** What a session needs of its connection. */
export interface ClientSide {
  readonly writer: Outgoing;
  readonly offer: Offer;
  /** The SDK's side of it; a session may be attended before that is there. */
  readonly client: AgentContext | undefined;
  readonly capabilities: Json;
  readonly wantsCursors: boolean;
  /** Distinguishes terminals of this connection from those of others, and of the past. */
  readonly mark: string;
  /** Something was chosen for the session. */
  chosen(session: Session): void;
}

export class AttendedSession {
  readonly session: Session;
  readonly #side: ClientSide;
  /** Null where the session is only heard of. */
  #attendance: Attendance | null = null;
  #view: SessionView | null = null;
  /** Another process's turns are not shown: it is about to be shown anew. */
  #isHeld = false;
  /** Before that, a load that is under way says itself how the run stands, behind all that it shows. */
  #wasShown = false;
  /** The last row of the log when it was said that a crash cut the run off: a load and a death may both say it. */
  #cutOffSaidAt: number | null = null;
  constructor(session: Session, side: ClientSide) {
    this.session = session;
    this.#side = side;
  }

  get isAttended(): boolean {
    return this.#attendance !== null;
  }
  /** From now on the client takes part in it. */
  attend(): void {
    const { capabilities, mark } = this.#side;
    this.#attendance = this.session.attend({
      turnBegins: (after) => void (this.#isHeld || this.show({ after })),
      cutOff: () => {
        if (this.#wasShown && !this.#isHeld) void this.sayCutOff().catch(() => undefined); // it was closed meanwhile
      },
      hands: editorClient({ capabilities, sessionId: this.session.id, client: () => this.#side.client, mark }),
    });
  }

  /** Reserves the session for a prompt. Throws USER.PROMPT.IN_FLIGHT; nothing was awaited before. */
  reserve(): Reservation {
    if (this.#attendance === null) throw new Error("a session that is only heard of takes no prompt");
    return this.#attendance.reserve();
  }
  /** Throws USER.PROMPT.IN_FLIGHT while a prompt of this client has no answer. */
  refusePrompting(): void {
    this.#attendance?.refuseAwaited();
  }
  #isPrompting(): boolean {
    try {
      this.refusePrompting();
      return false;
    } catch {
      return true;
    }
  }
  /** Resolves when the client waits for no answer. */
  async answered(): Promise<void> {
    await this.#attendance?.answered();
  }
  /** The client cancels: what it is shown of the turn from now on is the profile's. */
  cancelled(): void {
    this.#view?.cancelled();
  }

  /** What shows the session: as it is, or a new one from a row of the log on. */
  show(from: Pick<SessionViewOptions, "after" | "shown">): SessionView {
    if (this.#view !== null) return this.#view;
    const { writer, offer, wantsCursors, capabilities, mark } = this.#side;
    const { session } = this;
    const view = new SessionView(session, writer, {
      ...from,
      cursors: wantsCursors,
      switches: offer.switches,
      chosen: () => this.#side.chosen(session),
      asking: () => this.#asking(),
      retrying: (retry) => tell(writer, offer.switches, { sessionId: session.id, retry }),
      broken: () => {
        this.#view = null;
      },
      terminals: mark,
      keeps: offer.keeps,
      page: offer.page,
      showsTerminalOutput: showsTerminalOutput(capabilities),
    });
    this.#view = view;
    this.#wasShown = true;
    return view;
  }
  get isShown(): boolean {
    return this.#view !== null;
  }
  /** Resolves when the client was sent what the log holds now. */
  async caughtUp(): Promise<void> {
    await this.#view?.reached(this.session.head());
  }
  /** Says once, behind what the log holds, that a crash cut the run off, and how to resume it; nothing where it is not so. */
  async sayCutOff(): Promise<void> {
    const { session } = this;
    await this.caughtUp();
    if (session.interrupted() === null) return;
    await this.caughtUp(); // what ended it may have come meanwhile
    const workflow = session.interrupted();
    const at = session.head();
    if (workflow === null || at === this.#cutOffSaidAt) return;
    this.#cutOffSaidAt = at;
    this.#side.writer.update(session.id, interruptedUpdate(workflow));
  }
  hide(): void {
    this.#view?.close();
    this.#view = null;
  }
  /**
   * A client that loads it again has forgotten what it was shown: nothing more is shown of that, unless a prompt of it
   * runs. The answer goes on where this began.
   */
  hold(): () => void {
    const at = this.#view?.at;
    if (at === undefined || this.#isPrompting()) return () => undefined;
    this.#isHeld = true;
    this.hide();
    return () => {
      this.#isHeld = false;
      if (this.isAttended) this.show({ after: at });
    };
  }

  /** The client takes part no more; what runs is the session's to decide. */
  leave(options?: { graceMs: number }): void {
    this.hide();
    this.#attendance?.leave(options);
    this.#attendance = null;
  }

  #asking(): AskClient | null {
    const { client, offer } = this.#side;
    if (this.#attendance?.isAsked !== true || client === undefined) return null;
    return askOf(client, this.session.id, this.#attendance, offer);
  }
}
