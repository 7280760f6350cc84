/** A real Emacs without a screen: expressions are evaluated in it, and the text of its buffers is read. */
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { Started } from "../../support/started.ts";
import { type Desk, PROGRAMS } from "./desk.ts";

const run = promisify(execFile);
const SOON = { timeout: 30_000, interval: 150 };

export class Emacs {
  readonly #started: Started;
  readonly #client: string;
  readonly #socket: string;
  /** The address for `emacsclient`, which evaluates expressions. */
  readonly #cwd: string;

  private constructor(started: Started, client: string, socket: string, cwd: string) {
    this.#started = started;
    this.#cwd = cwd;
    this.#client = client;
    this.#socket = socket;
  }

  /** `setup` is the text that a user writes into a configuration, `chat` the program of ours that drives the package. */
  static async start(
    desk: Desk,
    program: string,
    plugins: readonly string[],
    { setup, chat }: { setup: string; chat: string },
  ): Promise<Emacs> {
    const socket = join(desk.house.root, "emacs.sock");
    const file = join(desk.house.root, "setup.el");
    writeFileSync(file, setup);
    const paths = plugins.flatMap((folder) => ["-L", folder]);
    const started = new Started([program, "-Q", ...paths, `--fg-daemon=${socket}`, "-l", join(PROGRAMS, chat)], {
      cwd: desk.house.cwd,
      env: { ...desk.env, VISIT_SETUP: file },
    });
    const emacs = new Emacs(started, join(dirname(program), "emacsclient"), socket, desk.house.cwd);
    await expect.poll(() => emacs.evaluate("t").catch(() => null), SOON).toBe("t");
    return emacs;
  }

  /** The value of an expression, as Emacs prints it. */
  async evaluate(expression: string): Promise<string> {
    const { stdout } = await run(this.#client, ["-s", this.#socket, "-e", expression], {
      cwd: this.#cwd,
      timeout: 30_000,
    });
    return stdout.trimEnd();
  }
  /** The value of an expression. Emacs prints a string like JSON. */
  async value<T = string>(expression: string): Promise<T> {
    return JSON.parse(JSON.parse(await this.evaluate(`(json-encode ${expression})`)) as string) as T;
  }
  /** Waits until the chat shows a text after the last occurrence of `after`. Answers what follows that. */
  async shows(text: string, after: string): Promise<string> {
    const rest = async (): Promise<string> => {
      const chat = await this.value("(visit-chat)");
      return chat.slice(Math.max(0, chat.lastIndexOf(after)));
    };
    await expect.poll(rest, SOON).toContain(text);
    return await rest();
  }
  async leave(): Promise<void> {
    await this.evaluate("(visit-leave)").catch(() => undefined); // it ends before it answers
    await this.#started.ended;
  }
  /** Ends it at once. */
  kill(): void {
    this.#started.kill();
  }
}
