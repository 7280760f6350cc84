/**
 * Which providers let nobody in at this time, and who waits for them: one place for all sessions of a process.
 *
 * I1. While a limit lasts no step asks its provider. One that is refused, or would begin, waits; the order is that in
 *     which they came, also of those that are refused again.
 * I2. When the limit is over the first one asks. The others follow once it was answered, or one by one every PACE_MS.
 * I3. A wait ends with its signal, at once, and holds nobody up.
 * I4. One that is refused again waits for FIRST_PAUSE_MS at least, and twice as long each time, whatever it is told.
 */
import { type Clock, LONGEST_MS } from "../base/clock.ts";

export const PACE_MS = 5_000;
export const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 5 * 60_000;

/** Whom a step asks. `account`: what else than the provider's name its limits hold for. */
export type AskedProvider = { provider: string; account: string; model: string };
/** When the limit is over, in milliseconds since the epoch, and how many ask before this one. */
export type LimitStanding = { provider: string; until: number; before: number };

type Waiter = { who: string; place: number; go: () => void; moved: () => void };
type Limit = {
  key: string;
  provider: string;
  /** When it is over, and when the next one may ask; on the clock that does not jump. */
  until: number;
  next: number;
  refusals: number;
  /** Sorted by their places. */
  waiting: Waiter[];
  places: Map<string, number>;
  letIn: Set<string>;
  disarm: () => void;
};

export class RateLimits {
  readonly #clock: Pick<Clock, "now" | "elapsed" | "after">;
  readonly #limits = new Map<string, Limit>();
  #arrivals = 0;

  constructor(clock: Pick<Clock, "now" | "elapsed" | "after">) {
    this.#clock = clock;
  }

  /** One that would ask now: null where nothing keeps it from that. Otherwise it has its place from now on. */
  enter(who: string, asked: AskedProvider): LimitStanding | null {
    const limit = this.#limitFor(who, asked);
    if (limit === null) return null;
    this.#placeOf(who, limit);
    return this.#standing(who, limit);
  }

  /** How it stands for one that has a place; null where it may ask. */
  standing(who: string): LimitStanding | null {
    const limit = this.#limitOf(who);
    return limit === null ? null : this.#standing(who, limit);
  }

  /** The provider refuses for this long: the whole account, or this model alone. */
  refused(who: string, asked: AskedProvider, { afterMs, account }: { afterMs: number; account: boolean }): void {
    const [all, model] = keysOf(asked);
    const key = account ? all : model;
    const now = this.#clock.elapsed();
    const limit = this.#limits.get(key) ?? newLimit(key, asked.provider, now);
    this.#limits.set(key, limit);
    if (limit.letIn.delete(who)) limit.refusals += 1;
    this.#placeOf(who, limit);
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** limit.refusals, LONGEST_PAUSE_MS);
    const until = now + Math.min(Math.max(afterMs, pause), LONGEST_MS);
    if (until <= limit.until) return;
    limit.until = until;
    limit.next = until;
    this.#arm(limit);
    for (const { moved } of limit.waiting) moved();
  }

  /** The provider answers one that was let in: so it does all. */
  answered(who: string): void {
    for (const limit of this.#limits.values())
      if (limit.letIn.has(who) && limit.until <= this.#clock.elapsed()) this.#open(limit);
  }

  /** Settles when this one may ask; rejects with the signal's reason. `moved`: the limit lasts longer than it was told. */
  wait(who: string, signal: AbortSignal, moved: () => void): Promise<void> {
    const limit = this.#limitOf(who);
    if (limit === null) return Promise.resolve();
    const place = this.#placeOf(who, limit);
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const leave = (): void => {
        limit.waiting = limit.waiting.filter((one) => one !== waiter);
        limit.places.delete(who);
        if (limit.waiting.length === 0) limit.disarm();
        reject(signal.reason);
      };
      const go = (): void => {
        signal.removeEventListener("abort", leave);
        resolve();
      };
      const waiter: Waiter = { who, place, go, moved };
      signal.addEventListener("abort", leave, { once: true });
      limit.waiting = [...limit.waiting, waiter].sort((one, other) => one.place - other.place);
      this.#arm(limit);
    });
  }

  #limitFor(who: string, asked: AskedProvider): Limit | null {
    for (const key of keysOf(asked)) {
      const limit = this.#limits.get(key);
      if (limit !== undefined && this.#keepsOut(limit, who)) return limit;
    }
    return null;
  }
  #limitOf(who: string): Limit | null {
    return [...this.#limits.values()].find((limit) => limit.places.has(who) && this.#keepsOut(limit, who)) ?? null;
  }
  #keepsOut(limit: Limit, who: string): boolean {
    const now = this.#clock.elapsed();
    if (limit.letIn.has(who) && limit.until <= now) return false;
    if (limit.waiting.length > 0 || limit.next > now) return true;
    this.#limits.delete(limit.key);
    return false;
  }
  #placeOf(who: string, { places }: Limit): number {
    const place = places.get(who) ?? this.#arrivals++;
    places.set(who, place);
    return place;
  }
  #standing(who: string, limit: Limit): LimitStanding {
    const place = this.#placeOf(who, limit);
    const left = Math.max(0, limit.until - this.#clock.elapsed());
    const before = limit.waiting.filter((one) => one.place < place).length;
    return { provider: limit.provider, until: this.#clock.now() + left, before };
  }

  /** No timer runs where nobody waits: it would keep the process. */
  #arm(limit: Limit): void {
    limit.disarm();
    if (limit.waiting.length === 0) return;
    const ms = Math.max(0, limit.next - this.#clock.elapsed());
    limit.disarm = this.#clock.after(ms, () => this.#next(limit));
  }

  #next(limit: Limit): void {
    const first = limit.waiting.shift();
    if (first === undefined) return;
    limit.letIn.add(first.who);
    limit.next = this.#clock.elapsed() + PACE_MS;
    first.go();
    this.#arm(limit);
  }

  #open(limit: Limit): void {
    limit.disarm();
    this.#limits.delete(limit.key);
    for (const { go } of limit.waiting.splice(0)) go();
  }
}

const newLimit = (key: string, provider: string, now: number): Limit => ({
  ...{ key, provider },
  until: now,
  next: now,
  refusals: 0,
  waiting: [],
  places: new Map(),
  letIn: new Set(),
  disarm: () => undefined,
});
const keysOf = ({ provider, account, model }: AskedProvider): [all: string, model: string] => [
  `${provider} ${account}`,
  `${provider} ${account} ${model}`,
];
