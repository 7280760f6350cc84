/**
 * The turns that a prompt of this client has begun: its own, and those that answers to its forms begin. Their words are
 * the client's, and are not echoed; those of all other turns are, also while a form of the prompt is open.
 *
 * I1. A turn is known by its id. While one is being sent on that has no id yet, one that begins is taken for it: a session
 *     has one at a time.
 */
export class OwnTurns {
  readonly #known = new Set<string>();
  #isSending = false;

  /** One is being sent on; with its id where that is known already. */
  send(turn?: string): void {
    if (turn === undefined) this.#isSending = true;
    else this.#known.add(turn);
  }
  /** It has this id. */
  sent(turn: string): void {
    this.#isSending = false;
    this.#known.add(turn);
  }
  has(turn: string): boolean {
    return this.#isSending || this.#known.has(turn);
  }
  /** The prompt is answered: all of them were shown. */
  forget(): void {
    this.#isSending = false;
    this.#known.clear();
  }
}
