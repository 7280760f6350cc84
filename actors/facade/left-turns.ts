/**
 * Turns of other processes in sessions that are attended here. A process that dies says nothing: whether it lives is
 * looked at, and who finds it dead ends its turn.
 *
 * I1. It is looked at while such a turn runs, and not otherwise.
 * I2. Who attends hears that the run was cut off, whichever process has found it; not where it goes on at once.
 */
import type { Key } from "../../machines/model.ts";
import type { Timers } from "../base/clock.ts";
import type { Host } from "../host/host.ts";

/** How the turn of a session stands, seen from this process. `left`: the process that ran it has died. */
export type TurnStanding = "runs elsewhere" | "left" | "cut off" | "none elsewhere";
/** What they ask of the process. */
export type LeftHost = {
  clock: Pick<Timers, "after">;
  standing: (session: Key) => TurnStanding;
  /** Takes a session over from a process that has died. Resolves when that is committed, or refused. */
  takeOver: (session: Key) => Promise<unknown>;
};

export const LOOK_MS = 2_000;
/** No machine takes it; but a session is taken over by whatever is sent to it, and that ends its turn. */
const LOOKED = { type: "owner.looked at" };

export class LeftTurns {
  readonly #host: LeftHost;
  readonly #watched = new Set<Key>();
  /** Tells who attends one that its run was cut off. */
  readonly #tell: (session: Key) => void;
  #stop: (() => void) | null = null;
  constructor(host: LeftHost, tell: (session: Key) => void) {
    this.#host = host;
    this.#tell = tell;
  }

  /** Something may have come of the session: it is attended, or was written to. */
  look(session: Key): void {
    if (this.#see(session) !== "left") return;
    this.#host.takeOver(session).then(
      () => void this.#see(session),
      () => undefined,
    );
  }
  #see(session: Key): TurnStanding {
    const standing = this.#host.standing(session);
    switch (standing) {
      case "runs elsewhere":
      case "left":
        this.#watched.add(session);
        this.#stop ??= this.#host.clock.after(LOOK_MS, () => this.#lookAgain());
        break;
      case "cut off":
        if (this.#watched.delete(session)) this.#tell(session);
        break;
      case "none elsewhere":
        this.#watched.delete(session);
        break;
      default:
        standing satisfies never;
    }
    return standing;
  }
  #lookAgain(): void {
    this.#stop = null;
    for (const session of [...this.#watched]) this.look(session);
  }

  /** Nobody attends it any more. */
  forget(session: Key): void {
    this.#watched.delete(session);
    if (this.#watched.size === 0) this.close();
  }
  close(): void {
    this.#watched.clear();
    this.#stop?.();
    this.#stop = null;
  }
}

type Reads = Pick<Host["sessions"], "read" | "isOwn" | "find">;

/** What this process asks of its host for them. */
export const leftIn = (host: () => { sessions: Reads } & Pick<Host, "send">): Omit<LeftHost, "clock"> => ({
  standing: (session) => standingIn(host().sessions, session),
  takeOver: (session) => host().send(session, LOOKED),
});

function standingIn(sessions: Reads, session: Key): TurnStanding {
  const value = sessions.read(session)?.value;
  if (value === "interrupted") return "cut off";
  if ((value !== "prompted" && value !== "abandoned") || sessions.isOwn(session)) return "none elsewhere";
  return sessions.find(session)?.isOwned === true ? "runs elsewhere" : "left";
}
