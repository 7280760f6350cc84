/**
 * Which viewers attend which session of this process. The machine decides; here is what is no data: whom to call, and
 * the host.
 *
 * I1. While a session of this process has a viewer, it hears what other processes write.
 * I2. A session without a prompt yet costs a list: its machine begins with the first turn.
 */
import { type Actor, createActor } from "xstate";
import type { Exchange } from "../../machines/exchange.ts";
import type { Key } from "../../machines/model.ts";
import { type ViewersFact, viewersMachine } from "../../machines/viewers-machine.ts";
import type { Viewer } from "../api/attendance.ts";
import type { Clock } from "../base/clock.ts";
import type { EditorClient } from "../base/editor-client.ts";

export type ViewersHost = {
  clock: Clock;
  /** Asks anew what is open in a session: the one who was asked has gone. */
  askAnew: (session: Key) => void;
  /** The last viewer has left the session. */
  desert: (session: Key) => void;
  /** Listens to other processes until the answer is called. */
  listen: () => () => void;
  /** Whether a turn of this process runs in the session, or is about to. */
  hasTurn: (session: Key) => boolean;
  /** The seq of a session's last row. */
  head: (session: Key) => number;
};
/** `seen`: the last row that this process knows of. */
type SessionViewers = { viewers: Map<string, Viewer>; actor: Actor<typeof viewersMachine> | null; seen: number };

export class Viewers {
  readonly #host: ViewersHost;
  readonly #bySession = new Map<Key, SessionViewers>();
  #ids = 0;
  #unlisten: (() => void) | null = null;
  constructor(host: ViewersHost) {
    this.#host = host;
  }

  /** Answers the name of this attendance. */
  come(session: Key, viewer: Viewer): string {
    const id = String(++this.#ids);
    const attended = this.#bySession.get(session) ?? {
      ...{ viewers: new Map(), actor: null },
      seen: this.#host.head(session),
    };
    this.#bySession.set(session, attended);
    this.#unlisten ??= this.#host.listen();
    attended.viewers.set(id, viewer);
    if (attended.actor !== null) attended.actor.send({ type: "viewer.came", viewer: id });
    else if (this.#host.hasTurn(session)) this.#join(session, attended);
    return id;
  }
  leave(session: Key, id: string, graceMs: number): void {
    const attended = this.#bySession.get(session);
    if (attended?.viewers.delete(id) !== true) return;
    if (attended.actor !== null) attended.actor.send({ type: "viewer.left", viewer: id, graceMs });
    else if (attended.viewers.size === 0) this.#forget(session);
  }

  /** A turn of this process begins behind the row `after`; `by` attends and has prompted it. */
  turnBegins(session: Key, { by, after }: { by: string | null; after: () => number }): void {
    const attended = this.#bySession.get(session);
    if (attended === undefined) return;
    attended.actor ??= this.#start(session, attended);
    attended.actor.send({ type: "turn.began", by });
    for (const [id, viewer] of attended.viewers) if (id !== by) viewer.turnBegins(after());
  }
  /** Another process has written: who attends what it wrote to hears of it, and is not asked what it asks. */
  look(): void {
    for (const [session, attended] of this.#bySession) {
      const after = attended.seen;
      attended.seen = this.#host.head(session);
      if (attended.seen <= after) continue;
      if (!this.#host.hasTurn(session)) attended.actor?.send({ type: "turn.began elsewhere" });
      for (const viewer of [...attended.viewers.values()]) viewer.turnBegins(after);
    }
  }
  /** The viewer who is asked what the session asks; null where none is. */
  asked(session: Key): string | null {
    const asked = this.#bySession.get(session)?.actor?.getSnapshot().context.asked;
    return asked?.is === "viewer" ? asked.viewer : null;
  }
  /** What the viewer who is asked does in our place; null where none is asked, or nothing is done. */
  hands(session: Key): EditorClient | null {
    const asked = this.asked(session);
    return (asked === null ? undefined : this.#bySession.get(session)?.viewers.get(asked)?.hands) ?? null;
  }
  /** For every committed row. */
  note(session: Key, { seq }: Exchange): void {
    const attended = this.#bySession.get(session);
    if (attended !== undefined) attended.seen = seq;
  }

  close(): void {
    for (const { actor } of this.#bySession.values()) actor?.stop();
    for (const session of [...this.#bySession.keys()]) this.#forget(session);
  }
  #forget(session: Key): void {
    this.#bySession.delete(session);
    if (this.#bySession.size > 0) return;
    this.#unlisten?.();
    this.#unlisten = null;
  }

  /** The first viewer to come while a turn runs that no viewer has begun: what is open is asked of it. */
  #join(session: Key, attended: SessionViewers): void {
    attended.actor = this.#start(session, attended);
    attended.actor.send({ type: "turn.began", by: null });
  }
  #start(session: Key, attended: SessionViewers): Actor<typeof viewersMachine> {
    const { clock } = this.#host;
    const actor = createActor(viewersMachine, {
      clock: {
        setTimeout: (act, ms) => clock.after(ms, () => act()),
        clearTimeout: (cancel: (() => void) | undefined) => cancel?.(),
      },
    });
    actor.on("*", (fact) => this.#hear(session, fact));
    actor.subscribe({ complete: () => this.#forget(session) });
    actor.start();
    for (const viewer of attended.viewers.keys()) actor.send({ type: "viewer.came", viewer });
    return actor;
  }
  #hear(session: Key, fact: ViewersFact): void {
    switch (fact.type) {
      case "asked.changed":
        return this.#host.askAnew(session);
      case "session.deserted":
        return this.#host.desert(session);
      default:
        fact satisfies never;
    }
  }
}
