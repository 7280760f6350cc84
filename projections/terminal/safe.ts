/**
 * Text that is safe to write to a terminal: whatever an agent, a command or a file says, it cannot move the cursor,
 * recolour, retitle, reach the clipboard or draw over what we wrote.
 *
 * I1. Nothing of C0 but newline and tab, no DEL and nothing of C1 comes out; so no escape sequence can. What turns the
 *     direction of all that follows it is written out, `\u202e`: it would show words in an order they do not have.
 * I2. The result does not depend on how the text was cut into chunks.
 * I3. What is swallowed as part of a sequence ends at a newline at the latest: a sequence that is never closed hides
 *     no later line.
 * I4. In a line and in consent text, what cannot be seen is shown as escapes (`visible.ts`). In consent text nothing is
 *     left out either.
 */
import { visible, visibleJson } from "../../machines/visible.ts";
import { quotedWord } from "../../machines/workflow/template/plain.ts";

type State = "text" | "escape" | "parameters" | "string" | "string escape";

const NEWLINE = 0x0a;
const TAB = 0x09;
const ESCAPE = 0x1b;

/** Strips one stream of text; the state of an unfinished sequence is kept between chunks. */
export class SafeText {
  #state: State = "text";

  push(chunk: string): string {
    return this.#stripped(chunk).replace(TURNS, visible);
  }

  #stripped(chunk: string): string {
    if (this.#state === "text" && !UNSAFE.test(chunk)) return chunk;
    let safe = "";
    let from = -1;
    for (let index = 0; index < chunk.length; index++) {
      const shown = this.#take(chunk.charCodeAt(index));
      if (shown && from < 0) from = index;
      if (shown || from < 0) continue;
      safe += chunk.slice(from, index);
      from = -1;
    }
    return from < 0 ? safe : safe + chunk.slice(from);
  }

  /** Moves on by one UTF-16 unit; true when it is to be shown. */
  #take(unit: number): boolean {
    if (unit === NEWLINE) return this.#become("text", true);
    switch (this.#state) {
      case "text":
        return this.#plain(unit);
      case "escape":
        return this.#afterEscape(unit);
      case "parameters":
        if (unit >= 0x20 && unit <= 0x3f) return false;
        return unit >= 0x40 && unit <= 0x7e ? this.#become("text", false) : this.#restart(unit);
      case "string":
        if (unit === ESCAPE) return this.#become("string escape", false);
        return isStringEnd(unit) ? this.#become("text", false) : false;
      case "string escape":
        return unit === BACKSLASH ? this.#become("text", false) : this.#afterEscape(unit);
      default:
        return this.#state satisfies never;
    }
  }

  #plain(unit: number): boolean {
    if (unit === ESCAPE) return this.#become("escape", false);
    if (unit === 0x9b) return this.#become("parameters", false);
    if (STRING_STARTS_C1.has(unit)) return this.#become("string", false);
    return unit === TAB || !isControl(unit);
  }

  #afterEscape(unit: number): boolean {
    if (unit === BRACKET) return this.#become("parameters", false);
    if (STRING_STARTS.has(unit)) return this.#become("string", false);
    if (unit >= 0x20 && unit <= 0x2f) return this.#become("escape", false);
    if (unit >= 0x30 && unit <= 0x7e) return this.#become("text", false);
    return this.#restart(unit);
  }

  /** What belongs to no sequence breaks it off and counts for itself. */
  #restart(unit: number): boolean {
    this.#state = "text";
    return this.#plain(unit);
  }

  #become(state: State, shown: boolean): boolean {
    this.#state = state;
    return shown;
  }
}

/** One whole text, made safe. */
export const safeText = (text: string): string => new SafeText().push(text);

/** One line of it: newlines and tabs become spaces, and nothing is invisible (I4). */
export const safeLine = (text: string): string => visible(safeText(text).replace(/[\n\t]+/g, " "));

/** One word of a command that a person may copy: quoted where the shell would split or read it. */
export const safeWord = (text: string): string => quotedWord(safeLine(text));

/** Its lines, without empty ones at the end. */
export const safeLines = (text: string): string[] => safeText(text).trimEnd().split("\n").map(safeLine);

/** Text that a person decides by (I4): nothing in it is invisible, nothing is left out. */
export const safeConsent = (text: string): string => visible(text).replaceAll("\t", "\\u0009");

/** JSON text whose value is the same and that a terminal can show: JSON itself leaves DEL, C1 and direction marks be. */
export const safeJson = visibleJson;

const BRACKET = 0x5b;
const BACKSLASH = 0x5c;
/** What follows ESC in OSC, DCS, SOS, PM and APC; and their single characters in C1. */
const STRING_STARTS = new Set([0x5d, 0x50, 0x58, 0x5e, 0x5f]);
const STRING_STARTS_C1 = new Set([0x9d, 0x90, 0x98, 0x9e, 0x9f]);
/** BEL, CAN, SUB and the one-character ST. */
const isStringEnd = (unit: number): boolean => unit === 0x07 || unit === 0x18 || unit === 0x1a || unit === 0x9c;
const isControl = (unit: number): boolean => unit < 0x20 || (unit >= 0x7f && unit <= 0x9f);

/** Controls but newline and tab. */
const UNSAFE = /[^\P{Cc}\n\t]/u;
/** Embeddings, overrides and isolates. A mark of one place (`\u200f`) turns nothing else: it stays. */
const TURNS = /[\u202a-\u202e\u2066-\u2069]/g;
