/**
 * Brings mail to its session, where this process may do so.
 *
 * I1. Only the owner of a session changes it; a session without an owner, or whose owner has died, is taken first.
 * I2. What a dead owner left is brought up to date before anything that arrived in the same tick.
 * I3. A tick that its death cut is finished first, as if it had died after it: work that this begins is cut off as well, so
 *     nothing goes on by itself.
 * I4. Every machine knows of the death before it hears what that cut off.
 */
import type { Key } from "../../machines/model.ts";
import type { ActorCache } from "./actor-cache.ts";
import type { Alarms } from "./alarms.ts";
import type { Executor } from "./executor.ts";
import { OWNER_LOST } from "./host.ts";
import type { Mail } from "./mail.ts";
import type { Ownership } from "./ownership.ts";
import type { Delivered } from "./queue.ts";
import type { Storage } from "./storage.ts";
import { cutOff, takeOver } from "./takeover.ts";
import type { Workers } from "./workers.ts";

export interface DispatcherHost {
  store: Storage;
  family: ActorCache;
  own: Ownership;
  alarms: Alarms;
  executor: Executor;
  workers: Pick<Workers, "startsIn">;
  now(): number;
  post(mail: Mail): void;
  onTakeOver(): void;
}

/** `by`: the mail that found it so, which comes again after each stage; those that wait behind it come after the last. */
type Over = { by: Mail; waiting: Set<Mail>; stage: "finishing" | "losing" | "failing" | "at rest" };

export class Dispatcher {
  readonly #host: DispatcherHost;
  /** Sessions that this tick took over from a dead owner. */
  readonly #takenOver = new Map<Key, Over>();
  constructor(host: DispatcherHost) {
    this.#host = host;
  }

  /** A new tick. */
  begin(): void {
    this.#takenOver.clear();
  }

  /** The session that a mail is for; nothing when there is no such key. */
  readonly sessionOf = ({ key, session }: Mail): Key | undefined =>
    key.startsWith("session/") ? (key as Key) : (session ?? this.#host.family.sessionOf(key));

  /** `given`: the mail was there when the tick began. */
  readonly deliver = (mail: Mail, given: boolean): Delivered => {
    const { letter } = mail;
    if (letter === undefined) return this.#deliver(mail, given);
    const { store } = this.#host;
    if (!store.letters.isUnread(letter)) return "settled"; // taken back, or taken in already
    const delivered = this.#deliver(mail, given);
    const { delivery } = mail;
    if (delivery?.accepted === true || (delivery !== undefined && delivery.reason !== "owned"))
      store.letters.answer(letter, delivery.accepted);
    return delivered;
  };

  #deliver(mail: Mail, given: boolean): Delivered {
    if (mail.input !== undefined) {
      this.#create(mail, mail.input);
      return "settled";
    }
    const { store, family, own, alarms, executor, post } = this.#host;
    const session = this.sessionOf(mail);
    if (session === undefined) {
      mail.delivery = { accepted: false, reason: "unknown" };
      return "settled";
    }
    const over = this.#takenOver.get(session);
    if (over !== undefined && (given || over.waiting.has(mail)) && this.#waits(session, over, mail)) return "held";
    const taken = own.take(session);
    switch (taken) {
      case "unknown":
        mail.delivery = { accepted: false, reason: "unknown" };
        return "settled";
      case "refused":
        mail.delivery = { accepted: false, reason: "owned" };
        return "settled";
      case "over": {
        family.forget((of) => of === session);
        const left = takeOver(store, session, alarms);
        const over: Over = { by: mail, waiting: new Set([mail]), stage: "finishing" };
        this.#takenOver.set(session, over);
        for (const one of left) post(one);
        if (left.length === 0) this.#goOn(session, over);
        this.#host.onTakeOver();
        return "held";
      }
      case "new":
      case "own":
        mail.delivery = executor.deliver(mail);
        return "settled";
      default:
        return taken satisfies never;
    }
  }

  /** Whether a mail waits for the take-over of its session. */
  #waits(session: Key, over: Over, mail: Mail): boolean {
    if (mail === over.by) this.#goOn(session, over);
    if (over.stage !== "at rest") over.waiting.add(mail);
    return over.stage !== "at rest";
  }
  /** To the next stage: what this one posted has come to rest. */
  #goOn(session: Key, over: Over): void {
    const { store, workers, post } = this.#host;
    switch (over.stage) {
      case "finishing":
        over.stage = "losing";
        post({ key: session, event: { type: OWNER_LOST } });
        return;
      case "losing": {
        const cut = cutOff([...store.works.of(session), ...workers.startsIn(session)]);
        for (const one of cut) post(one);
        over.stage = cut.length > 0 ? "failing" : "at rest";
        return;
      }
      case "failing":
        over.stage = "at rest";
        return;
      case "at rest":
        return;
      default:
        over.stage satisfies never;
    }
  }

  #create(mail: Mail, input: object): void {
    const { own, executor, now } = this.#host;
    const { key } = mail;
    const { cwd, principal } = input as { cwd: string; principal: string };
    if (own.open(key, cwd, principal, now()))
      executor.birth({ key, session: key, parent: null, childId: "", nonce: 0 }, input);
    else mail.fault = new Error(`there is a "${key}" already`);
  }
}
