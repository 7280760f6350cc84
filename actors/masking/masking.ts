/**
 * Keeps secrets out of everything that is written, shown or sent (T13): the log and its readers get `***`, the stored
 * state of machines gets marks (`mark.ts`) that are turned back into the values when it is read again.
 *
 * I1. What goes into the log has passed `row`, or a stream of `stream`; what goes into stored state has passed `hide`.
 * I2. reveal(hide(x)) = x while the secrets are known, whatever x holds.
 * I3. Without secrets everything is the same object, and costs one look.
 * I4. Values are in memory only. They are not forgotten while the process lives: their traces are not either.
 */
import { randomUUID } from "node:crypto";
import type { Row } from "../../machines/exchange.ts";
import type { Json } from "../../machines/model.ts";
import { isSecretName } from "../../machines/secret-name.ts";
import { Automaton, type Match } from "./automaton.ts";
import { CLOSE, OPEN, readMark, replaceMarks, writeMark } from "./mark.ts";
import { formsOf } from "./patterns.ts";
import { isWorthHiding } from "./secrets.ts";
import { SHOWN, TextMask, united } from "./text-mask.ts";
import { exchanged } from "./walk.ts";

/** Of a longer value only the beginning is looked for, in UTF-16 units. */
export const MAX_SECRET = 32 * 1024;

/** What the host and the effects need. `NO_MASKING` is the same without secrets. */
export interface Mask {
  /** Text of one block, on its way into the log. */
  stream(): Pick<TextMask, "push" | "end" | "holds">;
  /** A row on its way into the log. */
  row<R extends Row>(row: R): R;
  /** One whole text for people: an error, a line on a terminal. */
  text(text: string): string;
  /** State as JSON for the store, with marks for secrets. */
  hide(state: unknown): string;
  /** Stored state, with the values for marks. */
  reveal(json: string): unknown;
  /** The names of secrets that a text needs and that are not known here. */
  missing(text: string): string[];
  /** A value that is secret from now on. `name` tells it from all others, also in other processes. */
  learn(name: string, value: Json): void;
}

type Owner = { name: string; form: number };
/** What of a snapshot is XState's own. */
const SNAPSHOT = ["value"];

export class Masking implements Mask {
  readonly #forms = new Map<string, readonly string[]>();
  /** A value as it is → its name, for those too short to be looked for inside of texts too. */
  readonly #whole = new Map<string, string>();
  readonly #nonce = randomUUID();
  #owners: Owner[] = [];
  #automaton: Automaton | null = null;
  #stale = false;
  #short = false;
  #unknown = false;

  constructor(secrets: Iterable<readonly [name: string, value: string]> = []) {
    for (const [name, value] of secrets) this.learn(name, value);
  }

  learn(name: string, value: Json): void {
    if (typeof value !== "string" && typeof value !== "number") return;
    const text = String(value);
    if (text === "") return;
    this.#whole.set(text, name);
    // An input is secret because its name says so; only what would blacken every text is left out.
    if (!isWorthHiding(text)) {
      this.#short = true;
      return;
    }
    this.#forms.set(name, formsOf(text.slice(0, MAX_SECRET)));
    this.#stale = true;
  }

  stream(): TextMask {
    return new TextMask(() => this.#patterns());
  }

  text(text: string): string {
    const mask = this.stream();
    const known = mask.push(this.#unknown ? this.#unmarked(text) : text);
    return mask.holds ? known + mask.end() : known;
  }

  row<R extends Row>(row: R): R {
    const masked = row.type === "run.started" ? withoutSecretInputs(row) : row;
    if (this.#patterns() === null && !this.#unknown) return masked as R;
    const shown = exchanged(masked.payload, { text: (text) => this.text(text), number: (n) => this.#number(n) });
    return (shown === masked.payload ? masked : { ...masked, payload: shown }) as R;
  }

  hide(state: unknown): string {
    const json = JSON.stringify(state);
    if (!this.#short && !json.includes(OPEN) && this.#patterns()?.finds(json) !== true) return json;
    const hidden = exchanged(
      JSON.parse(json),
      {
        text: (text, _, owner) => this.#hidden(text, owner === "inputs"),
        number: (number, owner) => {
          const name = this.#whole.get(String(number));
          if (name === undefined || !(this.#forms.has(name) || owner === "inputs")) return number;
          return writeMark({ name, form: "n" });
        },
      },
      SNAPSHOT,
    );
    return JSON.stringify(hidden);
  }

  reveal(json: string): unknown {
    const state: unknown = JSON.parse(json);
    if (!json.includes(OPEN)) return state;
    return exchanged(state, { text: (text) => this.#revealed(text), number: (number) => number }, SNAPSHOT);
  }

  missing(text: string): string[] {
    const names = new Set<string>();
    if (this.#unknown)
      replaceMarks(text, (body) => {
        const mark = body.startsWith(`${this.#nonce}:`) ? readMark(body.slice(this.#nonce.length + 1)) : null;
        if (mark !== null) names.add(mark.name);
        return "";
      });
    return [...names];
  }

  #patterns(): Automaton | null {
    if (!this.#stale) return this.#automaton;
    this.#stale = false;
    const patterns: string[] = [];
    this.#owners = [];
    for (const [name, forms] of this.#forms)
      for (const [form, text] of forms.entries()) {
        patterns.push(text);
        this.#owners.push({ name, form });
      }
    this.#automaton = new Automaton(patterns);
    return this.#automaton;
  }

  #number(number: number): Json {
    const text = String(number);
    return this.#whole.has(text) && this.text(text) !== text ? SHOWN : number;
  }

  /** `isInput`: a value that is too short to be looked for is hidden where it stands as an input. */
  #hidden(text: string, isInput: boolean): string {
    const name = isInput ? this.#whole.get(text) : undefined;
    if (name !== undefined && !this.#forms.has(name)) return writeMark({ name, form: 0, from: 0, to: null });
    if (!text.includes(OPEN)) return this.#marked(text);
    // Marks that this process could not read are kept; any other U+E000 is the text's own.
    const parts = text.split(new RegExp(`(${OPEN}(?:${this.#nonce}:[^${OPEN}${CLOSE}]*${CLOSE})?)`));
    return parts
      .map((part, index) => {
        if (index % 2 === 0) return this.#marked(part);
        return part === OPEN ? OPEN + CLOSE : OPEN + part.slice(OPEN.length + this.#nonce.length + 1);
      })
      .join("");
  }

  /** Every unit that belongs to a secret is in a mark afterwards, and the marks tell which unit it was. */
  #marked(text: string): string {
    const matches = this.#patterns()?.scan(text).matches ?? [];
    let marked = "";
    let at = 0;
    let next = 0;
    for (const span of united(matches)) {
      const first = next;
      while (next < matches.length && (matches[next] as Match).end <= span.end) next++;
      const covering = matches.slice(first, next);
      marked += text.slice(at, span.start);
      for (at = span.start; at < span.end; ) {
        const best = covering.findLast(({ start, end }) => start <= at && end > at) as Match;
        const { name, form } = this.#owners[best.pattern] as Owner;
        const [from, to] = at === best.start ? [0, null] : [at - best.start, best.end - best.start];
        marked += writeMark({ name, form, from, to });
        at = best.end;
      }
    }
    return marked + text.slice(at);
  }

  #revealed(text: string): Json {
    if (text.startsWith(OPEN) && text.endsWith(`/n${CLOSE}`) && text.indexOf(CLOSE) === text.length - 1) {
      const mark = readMark(text.slice(1, -1));
      const value = mark === null ? undefined : this.#valueOf(mark.name);
      if (mark?.form === "n" && value !== undefined) return Number(value);
    }
    return replaceMarks(text, (body) => {
      if (body === "") return OPEN;
      const mark = readMark(body);
      const form = mark === null || mark.form === "n" ? undefined : this.#formOf(mark.name, mark.form);
      if (mark !== null && mark.form !== "n" && form !== undefined) return form.slice(mark.from, mark.to ?? undefined);
      this.#unknown = true;
      return `${OPEN}${this.#nonce}:${body}${CLOSE}`;
    });
  }

  #formOf(name: string, form: number): string | undefined {
    const forms = this.#forms.get(name);
    return forms === undefined && form === 0 ? this.#valueOf(name) : forms?.[form];
  }
  #valueOf(name: string): string | undefined {
    for (const [value, owner] of this.#whole) if (owner === name) return value;
    return undefined;
  }

  #unmarked(text: string): string {
    return text.includes(OPEN)
      ? replaceMarks(text, (body) => (body.startsWith(`${this.#nonce}:`) ? SHOWN : OPEN + body + CLOSE))
      : text;
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
  hide: (state) => JSON.stringify(state),
  reveal: (json) => JSON.parse(json) as unknown,
  missing: () => [],
  learn: () => undefined,
};
