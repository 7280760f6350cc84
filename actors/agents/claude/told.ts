/**
 * What a person says while the program works: written to its input, taken when the program plays it back.
 *
 * I1. Words that the program has not played back are not taken: they are said again in a later turn.
 * I2. Nothing is written before the program reads, or after its input was ended.
 */
import type { GuidanceWords } from "../agent.ts";

type Write = (text: string) => void;

export class ToldWords {
  readonly #uuid: () => string;
  readonly #open = new Map<string, GuidanceWords["taken"]>();
  readonly #early: string[] = [];
  readonly #taking: Promise<void>[] = [];
  #write: Write | null = null;
  #isOver = false;
  constructor(uuid: () => string) {
    this.#uuid = uuid;
  }

  hear({ text, taken }: GuidanceWords): void {
    if (this.#isOver) return; // I2
    const uuid = this.#uuid();
    this.#open.set(uuid, taken);
    const line = `${JSON.stringify({ type: "user", uuid, message: { role: "user", content: text } })}\n`;
    if (this.#write === null) this.#early.push(line);
    else this.#write(line);
  }

  /** The program reads. */
  begin(write: Write): void {
    if (this.#write !== null) return;
    this.#write = write;
    for (const line of this.#early.splice(0)) write(line);
  }
  /** Its input is ended. */
  over(): void {
    this.#isOver = true;
  }

  /** The program played these messages back, by their ids. */
  replayed(uuids: readonly string[]): void {
    for (const uuid of uuids) {
      const taken = this.#open.get(uuid);
      this.#open.delete(uuid);
      if (taken !== undefined) this.#taking.push(taken().catch(() => undefined));
    }
  }
  /** Resolves when it is kept what the program has taken. */
  async kept(): Promise<void> {
    await Promise.all(this.#taking);
  }
}
