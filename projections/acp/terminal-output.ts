/**
 * A card's output as a terminal of the reader's own, by `_meta`: for clients that have said they show it so.
 *
 * I1. It is announced with its card, and stands in the card's content from its first output on.
 * I2. Each update holds only what is new: joined, they are the output. Of more than MAX_TAIL_BYTES between two of them
 *     the end is sent, with a note.
 * I3. Its end is reported once, also where nothing came out: a reader closes what it was told of.
 * I4. A reader that comes later gets a terminal of its own, which begins with all that is kept of the output.
 */
import type { ToolCallContent } from "@agentclientprotocol/sdk";
import { Tail } from "./tail.ts";

type Meta = { [name: string]: unknown };
/** Where the commands of the session run. */
export type TerminalPlace = { cwd: string };

export class TerminalOutput {
  #id: string;
  readonly #cwd: string;
  readonly #fresh = new Tail(false);
  #isThere = false;

  constructor(id: string, { cwd }: TerminalPlace) {
    this.#id = id;
    this.#cwd = cwd;
  }

  /** For a reader who comes behind this row: what it may have had under the old name is no part of it (I4). */
  again(after: number): void {
    this.#id = `${this.#id}@${after}`;
  }
  get announced(): Meta {
    return { terminal_info: { terminal_id: this.#id, cwd: this.#cwd } };
  }
  get content(): ToolCallContent[] {
    return this.#isThere ? [{ type: "terminal", terminalId: this.#id }] : [];
  }
  add(text: string): void {
    this.#isThere = true;
    this.#fresh.add(text);
  }
  /** What was not sent before. */
  fresh(): Meta {
    const data = this.#fresh.show();
    this.#fresh.clear();
    return data === null ? {} : { terminal_output: { terminal_id: this.#id, data } };
  }
  /** The rest of the output, and the end. */
  ended(exitCode: number | null): Meta {
    return { ...this.fresh(), terminal_exit: { terminal_id: this.#id, exit_code: exitCode, signal: null } };
  }
}
