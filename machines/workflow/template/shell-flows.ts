/**
 * Where the values of a script go by way of its variables, and what is demanded of them there.
 *
 * I1. What is demanded of a variable is demanded of everything that ever flows into it, in any order of the script.
 * I2. What has gone through another program is only asked to be tame where a number or name is wanted: such a program
 *     mostly writes something else. Where its output is code it is asked for as much as everything else.
 * I3. Two names stand for what has none: POSITIONAL for `$1` and its like, STREAM for what `read` reads.
 */
import type { Demand, ShellWord } from "./shell-holes.ts";

export const POSITIONAL = "@";
export const STREAM = "<";

type Bare = Pick<ShellWord["bare"], "names" | "holes">;
export type Source = { names: readonly string[]; holes: readonly number[]; through: "nothing" | "a program" };

/** What is demanded of what a program is given, when this is demanded of its output (I2). */
export const before = (demand: Demand): Demand =>
  demand.type === "integer" || demand.type === "name" ? { type: "tame", why: demand.why } : demand;

export class Flows {
  readonly #sources = new Map<string, Source[]>();
  readonly #demands: { name: string; demand: Demand }[] = [];
  readonly #seen = new Map<string, Demand[]>();
  /** Functions that the script declares. */
  readonly functions = new Set<string>();
  /** Calls of what may be a function, by its name; null: any of them. */
  readonly calls: { name: string | null; source: Source }[] = [];
  /** The first arguments of those calls, and first elements of arrays (`name[`), as far as they are split into words. */
  readonly firsts: { name: string | null; bare: Bare }[] = [];
  /** What is demanded of them where a command of the script is what it is given, `"$@"`, or such an array. */
  readonly runners = new Map<string, Demand>();

  feed(name: string, source: Source): void {
    if (source.names.length === 0 && source.holes.length === 0) return;
    const known = this.#sources.get(name);
    if (known === undefined) this.#sources.set(name, [source]);
    else known.push(source);
  }

  demand(name: string, demand: Demand): void {
    this.#demands.push({ name, demand });
  }

  /** Call once at the end: reports what is demanded of each hole that flows somewhere. */
  settle(tell: (hole: number, demand: Demand) => void): void {
    const isCall = (name: string | null): boolean =>
      name === null ? this.functions.size > 0 : this.functions.has(name);
    for (const { name, source } of this.calls) if (isCall(name)) this.feed(POSITIONAL, source);
    for (const { name, bare } of this.firsts) {
      const runner = this.runners.get(name?.endsWith("[") === true || !isCall(name) ? (name ?? "") : POSITIONAL);
      if (runner === undefined) continue;
      for (const hole of bare.holes) tell(hole, runner);
      for (const each of bare.names) this.demand(each, runner);
    }
    const queue = [...this.#demands];
    for (let one = queue.pop(); one !== undefined; one = queue.pop()) {
      const { name, demand } = one;
      const seen = this.#seen.get(name) ?? [];
      if (seen.some(({ type }) => type === demand.type)) continue;
      this.#seen.set(name, [...seen, demand]);
      for (const { names, holes, through } of this.#sources.get(name) ?? []) {
        const passed = through === "nothing" ? demand : before(demand);
        for (const hole of holes) tell(hole, passed);
        queue.push(...names.map((each) => ({ name: each, demand: passed })));
      }
    }
  }

  /** After `settle`: all that is demanded of a variable. */
  demandsOn(name: string): readonly Demand[] {
    return this.#seen.get(name) ?? [];
  }
}
