/**
 * One stream of text, masked: every secret in it becomes `***`.
 *
 * I1. The result does not depend on how the text was cut into chunks.
 * I2. Only an end that is a proper prefix of a pattern is held back, until the next chunk or the end of the block.
 * I3. Secrets that overlap become one `***`. At the end of the block, half of a secret or more becomes one too.
 */
import type { Match } from "./automaton.ts";
import type { Finder } from "./finder.ts";
import { SHOWN } from "./words.ts";

export class TextMask {
  readonly #finder: () => Finder | null;
  /** What is held back; its first `#covered` units are in a secret whose `***` was given already. */
  #tail = "";
  #covered = 0;

  /** `finder` knows the secrets of now: a secret may be learned in the middle of a text. */
  constructor(finder: () => Finder | null) {
    this.#finder = finder;
  }

  /** The part of the text that is settled now. */
  push(chunk: string): string {
    const finder = this.#finder();
    if (finder === null) return this.#tail === "" ? chunk : this.#release() + chunk;
    const text = this.#tail === "" ? chunk : this.#tail + chunk;
    const { hits, open } = finder.scan(text);
    const settled = text.length - open;
    if (hits.length === 0 && this.#covered === 0) {
      this.#tail = open === 0 ? "" : text.slice(settled);
      return open === 0 ? text : text.slice(0, settled);
    }
    const { shown, at } = masked(text, hits, this.#covered, settled);
    this.#tail = text.slice(settled);
    this.#covered = Math.max(0, at - settled);
    return at < settled ? shown + text.slice(at, settled) : shown;
  }

  /** What was held back, at the end of the block. */
  end(): string {
    const text = this.#tail;
    if (text === "") return "";
    const { hits, half } = this.#finder()?.scan(text) ?? { hits: [], half: 0 };
    const { shown, at } = masked(text, hits, this.#covered, text.length);
    this.#tail = "";
    this.#covered = 0;
    const from = text.length - half;
    if (half === 0) return shown + text.slice(at);
    return from < at ? shown : shown + text.slice(at, from) + SHOWN;
  }

  get holds(): boolean {
    return this.#tail !== "";
  }

  #release(): string {
    const rest = this.#tail.slice(this.#covered);
    this.#tail = "";
    this.#covered = 0;
    return rest;
  }
}

/** Masks what begins before `until`. `at`: how far the text was given out; it may lie beyond, inside a secret. */
function masked(
  text: string,
  matches: readonly Match[],
  covered: number,
  until: number,
): { shown: string; at: number } {
  let shown = "";
  let at = covered;
  for (const { start, end } of united(matches)) {
    if (start >= until) break;
    if (start >= at) shown += text.slice(at, start) + SHOWN;
    at = Math.max(at, end);
  }
  return { shown, at };
}

/** Matches in the order of their ends: those that overlap become one. */
export function united(matches: readonly Match[]): { start: number; end: number }[] {
  const spans: { start: number; end: number }[] = [];
  for (const { start: begin, end } of matches) {
    let start = begin;
    for (let last = spans.at(-1); last !== undefined && last.end > start; last = spans.at(-1)) {
      start = Math.min(start, last.start);
      spans.pop();
    }
    spans.push({ start, end });
  }
  return spans;
}
