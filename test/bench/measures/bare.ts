/** The bare spawn that commands are measured against: a small process of its own that starts other programs. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { PROJECT } from "../contenders.ts";

/** Milliseconds of each process, from its start to the close of its pipes, and of all together. */
export type Spawned = { each: number[]; all: number };

export class Bare {
  readonly #child: ChildProcessWithoutNullStreams;
  #answered: (line: string) => void = () => undefined;

  constructor(env: { [name: string]: string }) {
    this.#child = spawn(process.execPath, [join(PROJECT, "test", "bench", "floor", "spawn.mjs")], { env });
    createInterface({ input: this.#child.stdout }).on("line", (line) => this.#answered(line));
  }

  /** Starts `count` processes, one after another or all at once. */
  async start(argv: readonly string[], count: number, atOnce: boolean): Promise<Spawned> {
    const line = new Promise<string>((resolve) => {
      this.#answered = resolve;
    });
    this.#child.stdin.write(`${JSON.stringify({ argv, count, atOnce })}\n`);
    return JSON.parse(await line) as Spawned;
  }

  end(): void {
    this.#child.stdin.end();
  }
}
