/**
 * Sessions on machines: each machine is a node of the engine with a worker and a gateway of its own. Time is virtual.
 *
 * I1. A session takes one event after the other; what is asked meanwhile waits.
 * I2. A commit costs its node before and after its worker, and its gateway when it is read. With several machines another
 *     node writes it too, and it is not over before that.
 */
import { Machine, type ProcessName, Timeline } from "./machine.ts";
import type { Deed } from "./session.ts";

/** Processor time in milliseconds of one commit, where its machine has no other and where it has. */
export type Cost = { alone: number; crowded: number };
/** Of one commit. `waitMs`: what it takes beside processor time. `replicated`: what several nodes use for it, to one. */
export type Costs = Record<ProcessName, Cost> & { waitMs: number; replicated: number };
export type ClusterOptions = { machines: number; cores: number; costs: Costs; below: (most: number) => number };
/** Of a commit: when it was asked for, and how long it took. */
export type Taken = { at: number; ms: number };

export class SimulatedCluster {
  readonly time = new Timeline();
  readonly machines: readonly Machine[];
  readonly taken: Taken[] = [];
  asked = 0;
  readonly #options: ClusterOptions;
  /** Commits under way, by machine. */
  readonly #underWay: number[];
  constructor(options: ClusterOptions) {
    this.#options = options;
    this.machines = Array.from({ length: options.machines }, () => new Machine(this.time, options));
    this.#underWay = this.machines.map(() => 0);
  }

  /** A session at one of the machines: does these deeds in order, then `done`. */
  session(deeds: readonly Deed[], done: () => void, home = this.#options.below(this.machines.length)): void {
    const next = (i: number): void => {
      const deed = deeds[i];
      if (deed === undefined) return done();
      this.time.after(deed.after, () => this.#commit(home, deed, () => next(i + 1)));
    };
    next(0);
  }

  /** I2. */
  #commit(home: number, deed: Deed, done: () => void): void {
    const { costs, machines, below } = this.#options;
    const machine = this.machines[home]!;
    const began = this.time.now;
    this.asked++;
    this.#underWay[home]!++;
    const give = (name: ProcessName, share: number, then: () => void): void =>
      machine.give(name, share * this.#cost(name, home, 1), then);
    let left = machines > 1 ? 2 : 1;
    const over = (): void => {
      if (--left > 0) return;
      this.#underWay[home]!--;
      this.taken.push({ at: began, ms: this.time.now - began });
      done();
    };
    const written = (): void =>
      this.time.after(costs.waitMs, () => {
        // Who has asked through a gateway has its answer from it; others hear of it beside.
        if (deed.by === "gateway") return give("gateway", 1, over);
        give("gateway", 1, () => undefined);
        over();
      });
    if (machines > 1) {
      const other = (home + 1 + below(machines - 1)) % machines;
      this.machines[other]!.give("node", (costs.replicated - 1) * this.#cost("node", other, 0), over);
    }
    give("node", 0.5, () => give("worker", 1, () => give("node", 0.5, written)));
  }
  /** `own`: of those under way there, so many are this one. */
  #cost(name: ProcessName, machine: number, own: number): number {
    const { alone, crowded } = this.#options.costs[name];
    return this.#underWay[machine]! > own ? crowded : alone;
  }
}
