/**
 * Stored state: secrets become marks (`mark.ts`) on the way into the store, and marks values on the way out.
 *
 * I1. reveal(hide(x)) = x while the secrets are known, whatever x holds.
 * I2. A process that does not know a secret keeps its mark under a nonce of its own, and writes the same mark again.
 */
import type { Json } from "../../machines/model.ts";
import { randomWord } from "../base/random.ts";
import type { Hit } from "./finder.ts";
import { firstName, type Known } from "./known.ts";
import { CLOSE, OPEN, readMark, replaceMarks, writeMark } from "./mark.ts";
import { united } from "./text-mask.ts";
import { exchanged, isProse } from "./walk.ts";
import { SHOWN } from "./words.ts";

/** What of a snapshot is XState's own. */
const SNAPSHOT = ["value"];

export class Stored {
  readonly #known: Known;
  readonly #nonce = randomWord(16, "hex");
  #hasUnknown = false;
  constructor(known: Known) {
    this.#known = known;
  }

  /** State as JSON with marks for secrets. */
  hide(state: unknown): string {
    const json = JSON.stringify(state);
    const known = this.#known;
    if (!known.hasShort && !json.includes(OPEN) && known.finder?.mayBeIn(json) !== true) return json;
    const hidden = exchanged(
      JSON.parse(json),
      {
        text: (text, field, owner) => this.#hidden(text, owner === "inputs", isProse(field, owner)),
        number: (number, owner) => {
          const name = owner === "inputs" ? known.nameOf(String(number)) : known.nameOfNumber(number);
          return name === undefined ? number : writeMark({ name, form: "n" });
        },
      },
      SNAPSHOT,
    );
    return JSON.stringify(hidden);
  }

  /** Stored state with the values for marks. */
  reveal(json: string): unknown {
    const state: unknown = JSON.parse(json);
    if (!json.includes(OPEN)) return state;
    return exchanged(state, { text: (text) => this.#revealed(text), number: (number) => number }, SNAPSHOT);
  }

  /** The names of secrets that a text needs and that are not known here. */
  missing(text: string): string[] {
    const names = new Set<string>();
    if (this.#hasUnknown)
      replaceMarks(text, (body) => {
        const mark = body.startsWith(`${this.#nonce}:`) ? readMark(body.slice(this.#nonce.length + 1)) : null;
        if (mark !== null) names.add(firstName(mark.name));
        return "";
      });
    return [...names];
  }

  /** Whether some mark that was read names a secret that is not known. */
  get hasUnknown(): boolean {
    return this.#hasUnknown;
  }
  /** A text for people: marks of unknown secrets are shown as secrets. */
  unmarked(text: string): string {
    if (!this.#hasUnknown || !text.includes(OPEN)) return text;
    return replaceMarks(text, (body) => (body.startsWith(`${this.#nonce}:`) ? SHOWN : OPEN + body + CLOSE));
  }

  /** `isInput`: a value that is too short to be looked for is hidden where it stands as an input. */
  #hidden(text: string, isInput: boolean, isText: boolean): string {
    const name = isInput ? this.#known.nameOf(text) : undefined;
    if (name !== undefined && !this.#known.isSought(name)) return writeMark({ name, form: 0, from: 0, to: null });
    if (!text.includes(OPEN)) return this.#marked(text, isText);
    // Marks that this process could not read are kept; any other U+E000 is the text's own.
    const parts = text.split(new RegExp(`(${OPEN}(?:${this.#nonce}:[^${OPEN}${CLOSE}]*${CLOSE})?)`));
    return parts
      .map((part, index) => {
        if (index % 2 === 0) return this.#marked(part, isText);
        return part === OPEN ? OPEN + CLOSE : OPEN + part.slice(OPEN.length + this.#nonce.length + 1);
      })
      .join("");
  }

  /** Every unit that belongs to a secret is in a mark afterwards, and the marks say which unit it was. */
  #marked(text: string, isText: boolean): string {
    const hits = this.#known.finder?.scan(text).hits ?? [];
    let marked = "";
    let at = 0;
    let next = 0;
    for (const span of united(hits)) {
      const first = next;
      while (next < hits.length && (hits[next] as Hit).end <= span.end) next++;
      const covering = hits.slice(first, next);
      marked += this.#words(text.slice(at, span.start), isText);
      for (at = span.start; at < span.end; ) {
        const hit = covering.findLast((one) => one.start <= at && one.end > at && !isInGap(one, at));
        const until = hit === undefined ? at + 1 : (hit.gaps.find((gap) => gap.at > at)?.at ?? hit.end);
        marked += hit === undefined ? text.slice(at, until) : this.#markOf(hit, at, until);
        at = until;
      }
    }
    return marked + this.#words(text.slice(at), isText);
  }

  /** `from` and `until`: units of the text without a gap between them. */
  #markOf(hit: Hit, from: number, until: number): string {
    const { name, form, cut } = this.#known.owner(hit.pattern);
    const gaps = hit.gaps.reduce((sum, gap) => (gap.at < from ? sum + gap.length : sum), 0);
    const first = cut + from - hit.start - gaps;
    const isWhole = first === 0 && until === hit.end;
    return writeMark({ name, form, from: first, to: isWhole ? null : first + until - from });
  }

  /** Short secrets, where people read the text. */
  #words(text: string, isText: boolean): string {
    const words = isText ? (this.#known.words?.in(text) ?? []) : [];
    let marked = "";
    let at = 0;
    for (const { start, end, value } of words) {
      const place = this.#known.wordIn(value);
      if (place === undefined) continue;
      marked += text.slice(at, start) + writeMark({ ...place, form: 0 });
      at = end;
    }
    return marked + text.slice(at);
  }

  #revealed(text: string): Json {
    if (text.startsWith(OPEN) && text.endsWith(`/n${CLOSE}`) && text.indexOf(CLOSE) === text.length - 1) {
      const mark = readMark(text.slice(1, -1));
      const value = mark === null ? undefined : this.#known.valueOf(mark.name);
      if (mark?.form === "n" && value !== undefined) return Number(value);
    }
    return replaceMarks(text, (body) => {
      if (body === "") return OPEN;
      const mark = readMark(body);
      const form = mark === null || mark.form === "n" ? undefined : this.#known.formOf(mark);
      if (mark !== null && mark.form !== "n" && form !== undefined) return form.slice(mark.from, mark.to ?? undefined);
      this.#hasUnknown = true;
      return `${OPEN}${this.#nonce}:${body}${CLOSE}`;
    });
  }
}

const isInGap = ({ gaps }: Hit, at: number): boolean => gaps.some((gap) => gap.at <= at && at < gap.at + gap.length);
