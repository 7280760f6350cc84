/** Newline-delimited JSON out: the messages of a tick in one write. */
import type { Writable } from "node:stream";
import { Outgoing } from "./outgoing.ts";

export class LineWriter extends Outgoing {
  readonly #output: Writable;
  #full = false;

  /** `onClosed` is called once, when nothing can be written any more. */
  constructor(output: Writable, onClosed: () => void) {
    super(onClosed);
    this.#output = output;
    output.on("error", () => this.end());
    output.on("close", () => this.end());
  }

  protected get isFull(): boolean {
    return this.#full;
  }
  protected carry(lines: readonly string[]): number {
    this.#full = !this.#output.write(`${lines.join("\n")}\n`);
    if (this.#full)
      this.#output.once("drain", () => {
        this.#full = false;
        this.free();
      });
    return lines.length;
  }
}
