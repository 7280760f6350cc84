/**
 * The secrets that this process knows: their names, their forms, and what finds them.
 *
 * I1. A value is looked for once, whatever number of names it has; marks give it the name that it was learned by first.
 * I2. A name that gets another value keeps its first one, and the other one has a name of its own (`nthName`): marks of
 *     the first mean what they meant. Only `relearn` puts another value in a value's place.
 * I3. What finds them is built when a text is looked at, not when a secret is learned.
 */
import type { Json } from "../../machines/model.ts";
import { Finder, KEPT, type Pattern } from "./finder.ts";
import { formsOf } from "./patterns.ts";
import { type Sought, soughtAs } from "./secrets.ts";
import { Words } from "./words.ts";

/** Of a longer value only the beginning is looked for, in UTF-16 units. */
export const MAX_SECRET = 32 * 1024;

/** The fewest digits of a number that is looked for among the numbers of a row or a state. */
const MIN_NUMBER = 6;

/** A form of a secret, by its place in the list of forms; `cut`: how many of its units a pattern leaves out in front. */
export type Owner = { name: string; form: number; cut: number };

/** Where a word stands in the value of a name; `to` null: it is all of it. */
type WordPlace = { name: string; from: number; to: number | null };

export class Known {
  readonly #forms = new Map<string, readonly string[]>();
  readonly #values = new Map<string, string>();
  /** A value as it is → the name that it was learned by first, and how it is looked for. */
  readonly #first = new Map<string, { name: string; sought: Sought }>();
  readonly #patterns: Pattern[] = [];
  readonly #owners: Owner[] = [];
  /** A short value without the white space around it → its place in the value that was learned. */
  readonly #places = new Map<string, WordPlace>();
  #finder: Finder | null = null;
  #words: Words | null = null;
  #isStale = false;

  /** Whether some values are too short to be looked for inside of words. */
  get hasShort(): boolean {
    return this.#hasShort;
  }
  #hasShort = false;

  learn(name: string, value: Json): void {
    const text = textOf(value);
    if (text === "") return;
    let [nth, place] = [1, name];
    while ((this.#values.get(place) ?? text) !== text) place = nthName(name, ++nth);
    if (!this.#values.has(place)) this.#keep(place, text);
  }
  /** A person corrects the value of a name: marks of it are this one from now on. */
  relearn(name: string, value: Json): void {
    const text = textOf(value);
    if (text !== "" && this.#values.get(name) !== text) this.#keep(name, text);
  }
  #keep(name: string, text: string): void {
    this.#values.set(name, text);
    this.#forms.delete(name);
    const first = this.#first.get(text);
    const sought = first?.sought ?? soughtAs(text);
    const forms = sought === "anywhere" ? formsOf(text.slice(0, MAX_SECRET)) : [];
    if (sought === "anywhere")
      this.#forms.set(
        name,
        forms.map((form) => form.text),
      );
    else this.#hasShort = true;
    if (first !== undefined) return;
    this.#first.set(text, { name, sought });
    const word = text.trim();
    if (sought === "word" && !this.#places.has(word)) this.#places.set(word, placeOf(word, name, text));
    this.#isStale = true;
    for (const [form, pattern] of forms.entries()) {
      this.#add(pattern, { name, form, cut: 0 });
      const rest = pattern.text.slice(KEPT - 1);
      if (pattern.wraps && rest.length > KEPT) this.#add({ text: rest, wraps: true }, { name, form, cut: KEPT - 1 });
    }
  }
  #add(pattern: Pattern, owner: Owner): void {
    this.#patterns.push(pattern);
    this.#owners.push(owner);
  }

  /** What finds the long ones; null where there is none. */
  get finder(): Finder | null {
    this.#build();
    return this.#finder;
  }
  /** What finds the short ones; null where there is none. */
  get words(): Words | null {
    this.#build();
    return this.#words;
  }
  owner(pattern: number): Owner {
    return this.#owners[pattern] as Owner;
  }
  /** The name of a text that is a whole secret. */
  nameOf(text: string): string | undefined {
    return this.#first.get(text)?.name;
  }
  /** The place of a word in the value that it is; the value may have white space around it. */
  wordIn(word: string): WordPlace | undefined {
    return this.#places.get(word);
  }
  /** True where the value is looked for in every text. */
  isSought(name: string): boolean {
    return this.#forms.has(name);
  }
  /** The name of a number that is a whole secret. Short ones are what exit codes and counts look like. */
  nameOfNumber(number: number): string | undefined {
    const text = String(number);
    const name = this.nameOf(text);
    return name !== undefined && this.isSought(name) && text.length >= MIN_NUMBER ? name : undefined;
  }
  valueOf(name: string): string | undefined {
    return this.#values.get(this.#heldAs(name));
  }
  formOf({ name: written, form }: Omit<Owner, "cut">): string | undefined {
    const name = this.#heldAs(written);
    const forms = this.#forms.get(name);
    return forms === undefined && form === 0 ? this.#values.get(name) : forms?.[form];
  }

  /** Another process may have learned more values of a name: the first one known here stands for those. */
  #heldAs(name: string): string {
    return this.#values.has(name) ? name : firstName(name);
  }

  #build(): void {
    if (!this.#isStale) return;
    this.#isStale = false;
    this.#finder = this.#patterns.length === 0 ? null : new Finder([...this.#patterns]);
    this.#words = this.#places.size === 0 ? null : new Words([...this.#places.keys()]);
  }
}

/** Empty for what is no secret. */
const textOf = (value: Json): string => (typeof value === "string" || typeof value === "number" ? String(value) : "");

const NTH = /#value \d+$/;
const nthName = (name: string, nth: number): string => `${name}#value ${nth}`;
/** The name that a value was learned by, whichever of its values it is. */
export const firstName = (name: string): string => name.replace(NTH, "");

function placeOf(word: string, name: string, value: string): WordPlace {
  const from = value.indexOf(word);
  return { name, from, to: word === value ? null : from + word.length };
}
