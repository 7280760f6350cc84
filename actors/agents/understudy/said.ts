/**
 * A text that grows by many small pieces.
 *
 * I1. Few pieces are alive at a time: a string that was added to piece by piece would keep every one of them.
 */

/** Pieces that are held before they become one string. */
const MAX_PIECES = 4_096;

export class TextTotal {
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
