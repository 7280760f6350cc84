/**
 * What the understudy has said: a text that grows by many small pieces.
 *
 * I1. Few pieces are alive at a time: a string that was added to piece by piece would keep every one of them.
 * I2. As of other agents: `all` has an empty line where a tool call stands, `answer` is what came after the last one.
 */
import { PARAGRAPH, turnText } from "../paragraphs.ts";

/** Pieces that are held before they become one string. */
const MAX_PIECES = 4_096;

export class WordsSaid {
  readonly #all = new TextTotal();
  #last = new TextTotal();
  #isEmpty = true;
  #parts = false;

  add(piece: string): void {
    if (piece === "") return;
    this.#all.add(this.#parts && !this.#isEmpty ? PARAGRAPH + piece : piece);
    this.#last.add(piece);
    this.#parts = false;
    this.#isEmpty = false;
  }
  /** A call begins here, or ends. */
  called(begins: boolean): void {
    this.#parts = true;
    if (begins) this.#last = new TextTotal();
  }

  get all(): string {
    return this.#all.text;
  }
  get answer(): string {
    return turnText(this.#last.text, this.all);
  }
}

class TextTotal {
  #before = "";
  #pieces: string[] = [];

  add(piece: string): void {
    if (this.#pieces.push(piece) === MAX_PIECES) this.#fold();
  }
  get text(): string {
    this.#fold();
    return this.#before;
  }

  #fold(): void {
    this.#before += this.#pieces.join("");
    this.#pieces = [];
  }
}
