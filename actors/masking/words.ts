/**
 * Secrets that are too short to be looked for inside of words: they are hidden as whole words.
 *
 * I1. A word ends where no letter, digit or underscore follows. `ab` is hidden in `is ab.`, not in `table`.
 * I2. The result of a stream does not depend on how the text was cut; only an end that may become such a word waits.
 */
export const SHOWN = "***";

const PART = String.raw`[\p{L}\p{N}_]`;
const ENDS_IN_PART = new RegExp(`${PART}$`, "u");

export type SecretWord = { start: number; end: number; value: string };

export class Words {
  readonly #values: readonly string[];
  readonly #found: RegExp;
  constructor(values: readonly string[]) {
    this.#values = [...values].sort((a, b) => b.length - a.length);
    const either = this.#values.map((value) => value.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")).join("|");
    this.#found = new RegExp(`(?<!${PART})(?:${either})(?!${PART})`, "gu");
  }

  /** Where they stand in `text`, which follows on `before`. */
  in(text: string, before = ""): SecretWord[] {
    const whole = before + text;
    return [...whole.matchAll(this.#found)].flatMap(({ index, 0: value }) => {
      const start = index - before.length;
      return start < 0 ? [] : [{ start, end: start + value.length, value }];
    });
  }

  masked(text: string): string {
    return text.replace(this.#found, SHOWN);
  }

  /** How many units at the end of the text may still be such a word, or its beginning. */
  open(text: string, before: string): number {
    // Half a character says nothing yet of what it is.
    if (/[\ud800-\udbff]$/.test(text)) return this.open(text.slice(0, -1), before) + 1;
    const [longest = ""] = this.#values;
    for (let length = Math.min(longest.length, text.length); length > 0; length--) {
      const end = text.slice(-length);
      if (this.#values.some((value) => value.startsWith(end)) && !ENDS_IN_PART.test(before + text.slice(0, -length)))
        return length;
    }
    return 0;
  }
}

/** One stream of text with such words hidden. */
export class WordMask {
  readonly #words: () => Words | null;
  /** The last character that was settled: what follows it may be no word of its own. */
  #before = "";
  #tail = "";
  constructor(words: () => Words | null) {
    this.#words = words;
  }

  push(chunk: string): string {
    const text = this.#tail + chunk;
    return this.#settle(text, text.length - (this.#words()?.open(text, this.#before) ?? 0));
  }
  end(): string {
    return this.#settle(this.#tail, this.#tail.length);
  }
  get holds(): boolean {
    return this.#tail !== "";
  }

  #settle(text: string, until: number): string {
    let shown = "";
    let at = 0;
    for (const { start, end } of this.#words()?.in(text, this.#before) ?? []) {
      if (start >= until) break;
      shown += text.slice(at, start) + SHOWN;
      at = end;
    }
    const settled = Math.max(at, until);
    shown += text.slice(at, settled);
    if (settled > 0) this.#before = [...text.slice(Math.max(0, settled - 2), settled)].at(-1) ?? "";
    this.#tail = text.slice(settled);
    return shown;
  }
}
