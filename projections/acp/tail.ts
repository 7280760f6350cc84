/**
 * The end of a text that grows without limit: what a card shows of a command's output.
 *
 * I1. What `show` returns is at most MAX_TAIL_BYTES of UTF-8, the fence and the note about what is missing included.
 * I2. A cut falls between characters, and on a line's start where one is near.
 * I3. Output is text: what steers a terminal, its colours too, is left out, and a carriage return begins its line anew,
 *     as a progress bar does.
 */
import { isInPair } from "../shared/pairs.ts";
import { safeText } from "../terminal/safe.ts";

export const MAX_TAIL_BYTES = 64 * 1024;
/** Room for a fence and the note; a fence longer than this is cut to it. */
const RESERVED_BYTES = 256;
const MOST_BYTES = MAX_TAIL_BYTES - RESERVED_BYTES;
const MAX_FENCE = 64;
/** How far from the cut a line may begin, in UTF-16 units. */
const NEAR = 1024;
const MISSING = "… (earlier output is not shown)\n";

export class Tail {
  #text = "";
  #cut = false;
  /** Output is shown in a fence; an agent's words are Markdown already. */
  readonly #fenced: boolean;
  constructor(fenced: boolean) {
    this.#fenced = fenced;
  }

  add(text: string): void {
    this.#text += text;
    // Cut rarely: a slice copies, and a string that is only appended to does not.
    if (this.#text.length > 4 * MAX_TAIL_BYTES) this.#trim();
  }

  clear(): void {
    this.#text = "";
    this.#cut = false;
  }

  /** Null while there is nothing to show. */
  show(): string | null {
    if (this.#text === "") return null;
    this.#trim();
    if (!this.#fenced) return this.#noted(this.#text);
    const plain = plainOf(this.#text);
    if (plain === "") return null;
    // What cannot be seen is written out, and longer.
    const text = this.#noted(plain.slice(startOfTail(plain, MOST_BYTES)));
    const fence = fenceFor(text);
    return `${fence}\n${text}${text.endsWith("\n") ? "" : "\n"}${fence}`;
  }

  #noted(text: string): string {
    return (this.#cut ? MISSING : "") + text;
  }
  #trim(): void {
    const start = startOfTail(this.#text, MOST_BYTES);
    if (start === 0) return;
    const line = this.#text.indexOf("\n", start) + 1;
    this.#text = this.#text.slice(line > 0 && line - start <= NEAR ? line : start);
    this.#cut = true;
  }
}

/** What a program has printed, as text (I3). */
const plainOf = (text: string): string =>
  safeText(text.includes("\r") ? text.split("\n").map(lastOn).join("\n") : text);

/** What a terminal shows of a line in the end. */
function lastOn(line: string): string {
  let end = line.length;
  while (line[end - 1] === "\r") end--;
  return line.slice(line.lastIndexOf("\r", end - 1) + 1, end);
}

/** The index from which on the text takes at most so many bytes of UTF-8. Never inside a surrogate pair. */
function startOfTail(text: string, maxBytes: number): number {
  if (text.length * 3 <= maxBytes) return 0;
  let bytes = 0;
  for (let i = text.length - 1; i >= 0; i--) {
    const unit = text.charCodeAt(i);
    const isPair = isInPair(text, i);
    bytes += isPair ? 4 : unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3;
    if (bytes > maxBytes) return i + 1;
    if (isPair) i--;
  }
  return 0;
}

/** A fence that nothing in the text ends: longer than its longest run of backticks. */
function fenceFor(text: string): string {
  let longest = 2;
  for (const run of text.match(/`{3,}/g) ?? []) longest = Math.max(longest, run.length);
  return "`".repeat(Math.min(longest + 1, MAX_FENCE));
}
