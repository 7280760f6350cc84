/**
 * Finds many patterns at once in one pass over a text (Aho and Corasick, 1975), and skips most of it.
 *
 * I1. Every place where a pattern ends is found; where several end, the longest.
 * I2. `opens` are the ends of the text that may still become a pattern, and no others.
 * I3. Memory grows with the length of all patterns together, 26 bytes a unit.
 */

export type Match = { start: number; end: number; pattern: number };
/**
 * An end of the text that may still become a pattern of at least `goal` units; `wraps`: one that may be broken into
 * lines.
 */
export type Open = { length: number; goal: number; wraps: boolean };
export type Scan = { matches: Match[]; opens: Open[] };

/** Of most texts: nothing is made for them. */
const NOTHING: Scan = { matches: [], opens: [] };
const NONE = -1;
const ROOT = 0;
const FOUND = -2;
const MAX_WINDOW = 16;
const PAIRS = 0xffff;
const unitsOf = (text: string): number[] => Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
const pairOf = (one: number, two: number): number => ((one << 7) ^ two) & PAIRS;

export class Automaton {
  readonly #patterns: readonly string[];
  /** First unit → state, ROOT for a unit that no pattern begins with. */
  readonly #first = new Int32Array(65_536);
  /** How many units the shortest pattern has, and how far may be skipped by the two units that end such a window. */
  readonly #window: number;
  readonly #skip: Uint8Array;
  readonly #unit: Uint16Array;
  readonly #child: Int32Array;
  readonly #sibling: Int32Array;
  readonly #fail: Int32Array;
  readonly #depth: Int32Array;
  /** State → the longest pattern that ends there. */
  readonly #ends: Int32Array;
  /** State → the length of the shortest pattern that continues there. */
  readonly #goal: Int32Array;
  /** State → 1 where a pattern continues that may be broken into lines. */
  readonly #wraps: Uint8Array;
  #states = 1;

  constructor(patterns: readonly string[], wraps: (pattern: number) => boolean = () => false) {
    this.#patterns = patterns;
    const most = patterns.reduce((sum, { length }) => sum + length, 1);
    const table = (value: number): Int32Array => new Int32Array(most).fill(value);
    this.#unit = new Uint16Array(most);
    [this.#child, this.#sibling, this.#ends] = [table(NONE), table(NONE), table(NONE)];
    [this.#fail, this.#depth, this.#goal] = [table(ROOT), table(0), table(0)];
    this.#wraps = new Uint8Array(most);
    for (const [index, pattern] of patterns.entries()) this.#add(index, pattern, wraps(index));
    this.#link();
    this.#window = patterns.reduce((least, { length }) => Math.min(least, length), MAX_WINDOW);
    this.#skip = this.#skips();
  }

  /** `opens`: the longest first. */
  scan(text: string): Scan {
    const matches: Match[] = [];
    const last = this.#run(text, matches);
    if (last === ROOT) return matches.length === 0 ? NOTHING : { matches, opens: [] };
    const opens: Open[] = [];
    for (let state = last; state !== ROOT; state = this.#fail[state] as number)
      // What ends a pattern and continues none is no prefix.
      if (this.#child[state] !== NONE)
        opens.push({
          length: this.#depth[state] as number,
          goal: this.#goal[state] as number,
          wraps: this.#wraps[state] === 1,
        });
    return { matches, opens };
  }

  /** The longest pattern that this one ends in; null where there is none. */
  suffixOf(pattern: number): number | null {
    let state = ROOT;
    for (const unit of unitsOf(this.#patterns[pattern] as string)) state = this.#move(state, unit);
    const shorter = this.#ends[this.#fail[state] as number] as number;
    return shorter === NONE ? null : shorter;
  }

  /** Whether any pattern is in the text. */
  finds(text: string): boolean {
    return this.#run(text, null) === FOUND;
  }

  /** Answers the state at the end. Without a list of matches the first one ends it. */
  #run(text: string, matches: Match[] | null): number {
    // The inner loop of all masking: fields are read once.
    const [first, skip, window, units, children, siblings, fails, ends] = [
      this.#first,
      this.#skip,
      this.#window,
      this.#unit,
      this.#child,
      this.#sibling,
      this.#fail,
      this.#ends,
    ];
    const { length } = text;
    let state = ROOT;
    for (let i = 0; i < length; i++) {
      if (state === ROOT) {
        // Wu and Manber (1994): no pattern begins where its window could not end with these two units.
        for (let end = i + window - 1; end < length; end = i + window - 1) {
          const far = skip[pairOf(text.charCodeAt(end - 1), text.charCodeAt(end))] as number;
          if (far === 0) break;
          i += far;
        }
      }
      const now = text.charCodeAt(i);
      for (;;) {
        if (state === ROOT) {
          state = first[now] as number;
          break;
        }
        let child = children[state] as number;
        while (child !== NONE && units[child] !== now) child = siblings[child] as number;
        if (child !== NONE) {
          state = child;
          break;
        }
        state = fails[state] as number;
      }
      const pattern = ends[state] as number;
      if (pattern === NONE) continue;
      if (matches === null) return FOUND;
      matches.push({ start: i + 1 - (this.#patterns[pattern] as string).length, end: i + 1, pattern });
    }
    return state;
  }

  #move(from: number, unit: number): number {
    let state = from;
    while (state !== ROOT) {
      for (let child = this.#child[state] as number; child !== NONE; child = this.#sibling[child] as number)
        if (this.#unit[child] === unit) return child;
      state = this.#fail[state] as number;
    }
    return this.#first[unit] as number;
  }

  #skips(): Uint8Array {
    const window = this.#window;
    const skip = new Uint8Array(PAIRS + 1).fill(Math.max(0, window - 1));
    if (window < 2) return skip.fill(0);
    for (const pattern of this.#patterns)
      for (let end = 1; end < window; end++) {
        const pair = pairOf(pattern.charCodeAt(end - 1), pattern.charCodeAt(end));
        skip[pair] = Math.min(skip[pair] as number, window - 1 - end);
      }
    return skip;
  }

  #add(index: number, pattern: string, wraps: boolean): void {
    let state = ROOT;
    for (let i = 0; i < pattern.length; i++) {
      state = this.#childOf(state, pattern.charCodeAt(i)) ?? this.#grow(state, pattern.charCodeAt(i), i + 1);
      if (wraps) this.#wraps[state] = 1;
      const goal = this.#goal[state] as number;
      this.#goal[state] = goal === 0 ? pattern.length : Math.min(goal, pattern.length);
    }
    if (state !== ROOT && this.#ends[state] === NONE) this.#ends[state] = index;
  }

  #childOf(state: number, unit: number): number | null {
    if (state === ROOT) return this.#first[unit] || null;
    for (let child = this.#child[state] as number; child !== NONE; child = this.#sibling[child] as number)
      if (this.#unit[child] === unit) return child;
    return null;
  }

  #grow(parent: number, unit: number, depth: number): number {
    const state = this.#states++;
    this.#unit[state] = unit;
    this.#depth[state] = depth;
    this.#sibling[state] = this.#child[parent] as number;
    this.#child[parent] = state;
    if (parent === ROOT) this.#first[unit] = state;
    return state;
  }

  /** Breadth first: where a failure leads to is complete before it is used. */
  #link(): void {
    const queue: number[] = [ROOT];
    for (let at = 0; at < queue.length; at++) {
      const parent = queue[at] as number;
      for (let child = this.#child[parent] as number; child !== NONE; child = this.#sibling[child] as number) {
        if (parent !== ROOT) this.#fail[child] = this.#move(this.#fail[parent] as number, this.#unit[child] as number);
        if (this.#ends[child] === NONE) this.#ends[child] = this.#ends[this.#fail[child] as number] as number;
        queue.push(child);
      }
    }
  }
}
