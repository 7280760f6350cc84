/**
 * Where the shell lexer stands in a script, and the word that it is reading. What words are made of is in
 * `shell-expansions.ts`.
 *
 * I1. Fails closed: a hole that was not reached, or that comes after something shells read differently, is
 *     `refused` with what to write instead.
 */
import { Facts } from "./shell-facts.ts";
import type { Flows } from "./shell-flows.ts";
import type { Heredoc, HolePlace, ShellWord } from "./shell-holes.ts";

const MAX_NESTING = 100;

/** A heredoc whose body is still to come. `alone`: it stands behind a compound command, or behind nothing. */
export type Waiting = Omit<Heredoc, "body"> & { alone: boolean };

export const emptyWord = (at: number): ShellWord => ({
  text: "",
  code: "",
  quoted: false,
  start: at,
  end: at,
  holes: [],
  equals: -1,
  bare: { names: [], holes: [], parts: [] },
});

export abstract class Words {
  readonly facts: Facts;
  protected readonly source: string;
  protected readonly holeAt = new Map<number, number>();
  protected at = 0;
  protected limit: number;
  protected depth = 0;
  protected nested = 0;
  doubt: string | null = null;
  protected pending: Waiting[] = [];
  protected word: ShellWord | null = null;

  /** `flows`: those of the script that this one is a part of. */
  constructor(source: string, flows?: Flows) {
    this.source = source;
    this.limit = source.length;
    for (let at = source.indexOf("\0"); at >= 0; at = source.indexOf("\0", at + 1))
      this.holeAt.set(at, this.holeAt.size);
    this.facts = new Facts(source, [...this.holeAt.keys()], flows);
  }

  protected deeper(): void {
    this.depth += 1;
    if (this.depth > MAX_NESTING) {
      this.unsure("the script is nested too deeply");
      this.at = this.limit;
    }
  }

  protected unsure(why: string): void {
    this.doubt ??= why;
  }

  protected hole(place: HolePlace): void {
    const index = this.holeAt.get(this.at);
    const found = index === undefined ? undefined : this.facts.holes[index];
    if (index !== undefined && found !== undefined) {
      found.place = this.doubt === null ? { ...place } : { type: "refused", why: this.doubt };
      this.word?.holes.push(index);
      if (place.type === "bare") this.word?.bare.holes.push(index);
      if (this.word !== null) this.word.code += "\0";
    }
    this.at += 1;
  }

  protected wordText(): string {
    return this.word?.text ?? "";
  }

  protected isHole(offset: number): boolean {
    return this.at + offset < this.limit && this.source.charAt(this.at + offset) === "\0";
  }

  /** The word that is being read, or a new one that begins here. */
  protected current(): ShellWord {
    this.word ??= emptyWord(this.at);
    return this.word;
  }

  /** Text of the current word; the first unquoted `=` parts a name from its value. `read`: as a program gets it. */
  protected add(length: number, quoted = false, read?: string): void {
    const end = Math.min(this.at + length, this.limit);
    const word = this.current();
    const text = this.source.slice(this.at, end);
    if (word.equals < 0 && text.includes("=")) word.equals = word.holes.length;
    word.text += text;
    word.code += read ?? text;
    word.quoted ||= quoted;
    this.at = end;
  }

  /** The variable of this name is expanded at this place. */
  protected refer(name: string, within: "bare" | "quotes"): void {
    const known = this.facts.refer(name, this.at);
    if (within === "bare") this.word?.bare.names.push(known);
  }

  /** Leaves out `skip` characters of a quoted piece of `length`. */
  protected skipped(skip: number, length: number): void {
    this.at += skip;
    this.add(length - skip, true);
  }

  protected refuse(offset: number, why: string): void {
    this.at += offset;
    this.hole({ type: "refused", why });
  }
}
