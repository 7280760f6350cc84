/**
 * Mail in order of arrival, taken in ticks.
 *
 * I1. Mail of one session is delivered in the order in which it was posted, except that mail which found its session
 *     taken over in the same tick waits, in order, until everything the take-over caused has come to rest.
 * I2. Sessions take turns: one comes to rest, or has had MAILS_A_TURN, before the next one's mail. So a tick that is cut
 *     leaves little that it caused itself, which alone has to be written down.
 * I3. A tick that takes too long is cut between two mails, of one session only where it has much to do; what is left
 *     begins the next tick, and who was cut comes last. While text flows a tick is cut after few, so that the words go
 *     out in between.
 * I4. A tick that is undone leaves what the host had to deliver when it began, in order; what the tick itself caused
 *     never was, and callers get the error.
 */
import type { Key } from "../../machines/model.ts";
import { systemClock } from "../base/clock.ts";
import type { Mail } from "./mail.ts";

export const TICK_BUDGET_MS = 20;
export const MAILS_BESIDE_TEXT = 32;
export const MAILS_A_TURN = 64;
const MAILS_A_LOOK = 64;
/** Within a turn: a mail may start 64 machines. */
export const MAILS_A_GLANCE = 8;
/** `held`: the mail's session was taken over in this tick; the mail comes again when the rest is done. */
export type Delivered = "settled" | "held";

type SessionOf = (mail: Mail) => Key | undefined;
/** The mail of one session in a tick. Of `given` so many were there when it began. */
type Lane = { mail: Mail[]; given: number; next: number; held: Mail[] };

export class Queue {
  #mail: Mail[] = [];
  /** What was there when the tick began. */
  #given: Mail[] | undefined;
  /** While a tick delivers: its mail by session, in the order in which they take turns. */
  #lanes: Map<Key | undefined, Lane> | undefined;
  #sessionOf: SessionOf = () => undefined;
  /** Mails that this tick wrote down. */
  #kept: Mail[] = [];

  get isEmpty(): boolean {
    return this.#mail.length === 0;
  }
  post(mail: Mail): void {
    if (this.#lanes === undefined) this.#mail.push(mail);
    else this.#lane(this.#lanes, mail).mail.push(mail);
  }

  /**
   * Delivers until nothing is left or it is enough for one tick; answers what was settled. `given`: not of this tick.
   * `most`: so many mails are enough.
   */
  drain(deliver: (mail: Mail, given: boolean) => Delivered, most: number, sessionOf: SessionOf): Mail[] {
    if (this.isEmpty) return []; // nothing was given: where the tick is put off, what comes meanwhile is the next one's
    const settled: Mail[] = [];
    const until = systemClock.elapsed() + TICK_BUDGET_MS;
    const lanes = new Map<Key | undefined, Lane>();
    this.#sessionOf = sessionOf;
    this.#given = this.#mail;
    this.#mail = [];
    this.#lanes = lanes;
    for (const mail of this.#given) {
      const lane = this.#lane(lanes, mail);
      lane.mail.push(mail);
      lane.given++;
    }
    let delivered = 0;
    let looked = 0;
    const isOver = (since: number, mails: number): boolean => {
      if (delivered >= most) return true;
      if (since < mails) return false;
      looked = delivered;
      return systemClock.elapsed() > until;
    };
    for (const [session, lane] of lanes) {
      lanes.delete(session);
      lanes.set(session, lane); // the last to have its next turn; this loop comes to it again
      const begun = delivered;
      let isCut = false;
      for (; lane.next < lane.mail.length || lane.held.length > 0; lane.next++) {
        const isHolding = lane.held.length > 0; // the first that comes again may cause more
        if (lane.next >= lane.mail.length) lane.mail.push(...lane.held.splice(0));
        if (!isHolding) {
          const since = delivered - Math.max(begun, looked);
          isCut = isOver(since, MAILS_A_GLANCE);
          if (isCut || delivered - begun >= MAILS_A_TURN) break;
        }
        const mail = lane.mail[lane.next] as Mail;
        delivered++;
        if (deliver(mail, lane.next < lane.given) === "held") lane.held.push(mail);
        else settled.push(mail);
      }
      if (lane.next >= lane.mail.length) lanes.delete(session);
      if (isCut || isOver(delivered - looked, MAILS_A_LOOK)) break;
    }
    this.#lanes = undefined;
    for (const { mail, next } of lanes.values()) this.#mail.push(...mail.slice(next));
    return settled;
  }

  /**
   * Writes down what a cut tick has caused and left: `write` answers the row, or nothing for mail that needs none. What
   * came from outside is not promised before it is delivered, nor is a work's result: its start is still in the store.
   * `all`: no tick comes after this one.
   */
  keep(write: (mail: Mail) => number | undefined, all: boolean): void {
    if (this.isEmpty) return;
    const given = new Set(all ? [] : this.#given);
    for (const mail of this.#mail) {
      const row = mail.row === undefined && !given.has(mail) ? write(mail) : undefined;
      if (row === undefined) continue;
      mail.row = row;
      this.#kept.push(mail);
    }
  }

  /** The tick is committed: forgets what it delivered. */
  settle(): void {
    this.#given = undefined;
    this.#kept = [];
  }
  /** The sessions that the tick under way had mail for, or the next one has. */
  sessions(sessionOf: SessionOf): Key[] {
    return (this.#given ?? this.#mail).map(sessionOf).filter((session) => session !== undefined);
  }
  /** The tick is undone: answers the mail of callers, keeps the rest (I4). A due timer is left to its row. */
  undo(): Mail[] {
    for (const mail of this.#kept) delete mail.row;
    const given = this.#given ?? this.#mail;
    this.#mail = given.filter((mail) => mail.done === undefined && mail.timer === undefined);
    this.#lanes = undefined;
    this.settle();
    return given.filter((mail) => mail.done !== undefined);
  }

  #lane(lanes: Map<Key | undefined, Lane>, mail: Mail): Lane {
    const session = this.#sessionOf(mail);
    const known = lanes.get(session);
    if (known !== undefined) return known;
    const lane: Lane = { mail: [], given: 0, next: 0, held: [] };
    lanes.set(session, lane);
    return lane;
  }
}
