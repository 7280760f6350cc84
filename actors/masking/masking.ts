/**
 * Keeps secrets out of everything that is written, shown or sent (T13): the log and its readers get `***`, the stored
 * state of machines gets marks (`stored.ts`) that are turned back into the values when it is read again.
 *
 * I1. What goes into the log has passed `row`, or a stream of `stream`; what goes into stored state has passed `hide`.
 * I2. Without secrets everything is the same object, and costs one look.
 * I3. Values are in memory only. They are not forgotten while the process lives: their traces are not either.
 * I4. Short secrets are hidden in what people read, and as inputs; never in ids, numbers, keys or bytes.
 */
import type { Row } from "../../machines/exchange.ts";
import type { Json } from "../../machines/model.ts";
import { isSecretName } from "../../machines/secret-name.ts";
import { Known } from "./known.ts";
import { Stored } from "./stored.ts";
import { TextMask } from "./text-mask.ts";
import { exchanged, isProse } from "./walk.ts";
import { SHOWN, WordMask } from "./words.ts";

/** Text of one block on its way into the log. */
export type Stream = Pick<TextMask, "push" | "end" | "holds">;

/** What the host and the effects need. `NO_MASKING` is the same without secrets. */
export interface Mask {
  /** A mask for text that comes in pieces, also where a secret is cut by them. */
  stream(): Stream;
  /** A row on its way into the log. */
  row<R extends Row>(row: R): R;
  /** One whole text for people: an error, a line on a terminal. */
  text(text: string): string;
  /** Whether a secret is in bytes that nobody reads, as Latin-1. */
  isIn(bytes: string): boolean;
  /** State as JSON for the store, with marks for secrets. */
  hide(state: unknown): string;
  /** Stored state, with the values for marks. */
  reveal(json: string): unknown;
  /** The names of secrets that a text needs and that are not known here. */
  missing(text: string): string[];
  /** A value that is secret from now on. `name` distinguishes it from all others, also in other processes. */
  learn(name: string, value: Json): void;
  /** A value that a person gives again: it takes the place of what had this name. */
  relearn(name: string, value: Json): void;
}

/**
 * Hides the secrets that it was given, and those that it learns.
 * @example const mask = new Masking([["TOKEN", token]]);
 */
export class Masking implements Mask {
  readonly #known = new Known();
  readonly #stored = new Stored(this.#known);

  constructor(secrets: Iterable<readonly [name: string, value: string]> = []) {
    for (const [name, value] of secrets) this.learn(name, value);
  }

  learn(name: string, value: Json): void {
    this.#known.learn(name, value);
  }
  relearn(name: string, value: Json): void {
    this.#known.relearn(name, value);
  }

  stream(): Stream {
    return new MaskedStream(this.#known);
  }

  text(text: string): string {
    const long = this.#long(text);
    return this.#known.words?.masked(long) ?? long;
  }

  isIn(bytes: string): boolean {
    return (this.#known.finder?.scan(bytes).hits.length ?? 0) > 0;
  }

  row<R extends Row>(row: R): R {
    const masked = row.type === "run.started" ? withoutSecretInputs(row) : row;
    const { finder, words } = this.#known;
    if (finder === null && words === null && !this.#stored.hasUnknown) return masked as R;
    const shown = exchanged(masked.payload, {
      text: (text, field, owner) => (isProse(field, owner) ? this.text(text) : this.#long(text)),
      number: (number) => (this.#known.nameOfNumber(number) === undefined ? number : SHOWN),
    });
    return (shown === masked.payload ? masked : { ...masked, payload: shown }) as R;
  }

  hide(state: unknown): string {
    return this.#stored.hide(state);
  }
  reveal(json: string): unknown {
    return this.#stored.reveal(json);
  }
  missing(text: string): string[] {
    return this.#stored.missing(text);
  }

  /** Without the secrets that are looked for anywhere. */
  #long(text: string): string {
    const mask = new TextMask(() => this.#known.finder);
    const known = mask.push(this.#stored.unmarked(text));
    return mask.holds ? known + mask.end() : known;
  }
}

/** First the long ones, then the short ones. A secret may be learned in the middle of a text. */
class MaskedStream implements Stream {
  readonly #known: Known;
  readonly #long: TextMask;
  #short: WordMask | null = null;
  constructor(known: Known) {
    this.#known = known;
    this.#long = new TextMask(() => known.finder);
  }
  push(chunk: string): string {
    const text = this.#long.push(chunk);
    if (this.#known.words === null) return text;
    this.#short ??= new WordMask(() => this.#known.words);
    return this.#short.push(text);
  }
  end(): string {
    const text = this.#long.end();
    return this.#short === null ? text : this.#short.push(text) + this.#short.end();
  }
  get holds(): boolean {
    return this.#long.holds || this.#short?.holds === true;
  }
}

function withoutSecretInputs(row: Extract<Row, { type: "run.started" }>): Row {
  const { inputs } = row.payload;
  if (!Object.keys(inputs).some(isSecretName)) return row;
  const shown = Object.entries(inputs).map(([name, value]): [string, Json] => [
    name,
    isSecretName(name) ? SHOWN : value,
  ]);
  return { ...row, payload: { ...row.payload, inputs: Object.fromEntries(shown) } };
}

/** Lets everything through. */
export const NO_MASKING: Mask = {
  stream: () => ({ push: (chunk) => chunk, end: () => "", holds: false }),
  row: (row) => row,
  text: (text) => text,
  isIn: () => false,
  hide: (state) => JSON.stringify(state),
  reveal: (json) => JSON.parse(json) as unknown,
  missing: () => [],
  learn: () => undefined,
  relearn: () => undefined,
};
