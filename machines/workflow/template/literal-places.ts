/**
 * Where the holes of a script in Python or JavaScript stand, as its scanner reports. A hole is a NUL of the text.
 *
 * I1. What a scanner does not understand, or what versions of the language read differently, it does not guess:
 *     nothing is known of the whole script then.
 */
import type { Span } from "./shell-holes.ts";

export type Literal = {
  /** Backslashes are text in it. */
  raw: boolean;
  /** It holds bytes: what is no ASCII is written as its bytes. */
  bytes: boolean;
  /** Characters that mean something in it besides quotes, and how each is written as text. */
  special: "none" | "braces" | "dollar";
};
export type LiteralPlace = { type: "literal"; literal: Literal } | { type: "code"; why: string };
export type Scanned =
  /** `literals`: every string of the script, in the order of their ends. */
  { type: "read"; places: LiteralPlace[]; literals: Span[] } | { type: "unread"; at: number; why: string };

class Unread extends Error {}

/** Nested fields and templates. */
const MAX_DEPTH = 32;
/** The longest name of a character, and more. */
const MAX_ESCAPE = 200;
/** An escape that would continue in the value. */
const OPEN_ESCAPE = /^\\(?:[0-7]{1,2}|x[\da-fA-F]?|u[\da-fA-F]{0,3}|U[\da-fA-F]{0,7}|N|N\{[^}]*|u\{[^}]*)$/;

export abstract class LiteralScanner {
  protected at = 0;
  protected readonly text: string;
  protected readonly literals: Span[] = [];
  readonly #places: LiteralPlace[] = [];
  #depth = 0;

  constructor(text: string) {
    this.text = text;
  }

  protected abstract script(): void;

  scan(): Scanned {
    try {
      this.script();
      return { type: "read", places: this.#places, literals: this.literals };
    } catch (error) {
      if (!(error instanceof Unread)) throw error;
      return { type: "unread", at: this.at, why: error.message };
    }
  }

  protected get char(): string {
    return this.text.charAt(this.at);
  }
  protected get isDone(): boolean {
    return this.at >= this.text.length;
  }
  protected has(text: string): boolean {
    return this.text.startsWith(text, this.at);
  }
  protected match(sticky: RegExp): string | null {
    sticky.lastIndex = this.at;
    return sticky.exec(this.text)?.[0] ?? null;
  }
  protected unread(why: string): never {
    throw new Unread(why);
  }
  protected hole(place: LiteralPlace): void {
    this.#places.push(place);
    this.at += 1;
  }
  protected inside(read: () => void): void {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) this.unread("it is nested too deep");
    read();
    this.#depth -= 1;
  }

  /** A backslash of a literal and what it takes along. `raw`: it stays, and the next character is text all the same. */
  protected escape(raw: boolean): void {
    const start = this.at;
    this.at += 1;
    if (this.isDone || this.char === "\0") this.unread("a backslash stands before the template");
    this.at += this.has("\r\n") ? 2 : 1;
    if (raw) return;
    const near = this.text.slice(start, start + MAX_ESCAPE);
    const hole = near.indexOf("\0");
    if (hole >= 0 && OPEN_ESCAPE.test(near.slice(0, hole)))
      this.unread("an escape that is not complete stands before the template");
  }
}
