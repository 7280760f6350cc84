/** A real Neovim without a screen: keys are typed into it, and the text of the chat is read. */
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { Started } from "../../support/started.ts";
import { type Desk, PROGRAMS } from "./desk.ts";

const run = promisify(execFile);
/** Enough for an editor, its plugin and two processes of Node to start on a busy machine. */
const SOON = { timeout: 30_000, interval: 150 };

export class Neovim {
  readonly #started: Started;
  readonly #program: string;
  readonly #socket: string;

  private constructor(started: Started, program: string, socket: string) {
    this.#started = started;
    this.#program = program;
    this.#socket = socket;
  }

  /** `setup` is the text that a user writes into a configuration. */
  static async start(desk: Desk, program: string, plugins: readonly string[], setup: string): Promise<Neovim> {
    const socket = join(desk.house.root, "nvim.sock");
    const file = join(desk.house.root, "setup.lua");
    writeFileSync(file, setup);
    const init = join(PROGRAMS, "codecompanion.lua");
    const started = new Started([program, "--headless", "--clean", "--listen", socket, "-u", init], {
      cwd: desk.house.cwd,
      env: { ...desk.env, VISIT_PLUGINS: plugins.join(","), VISIT_SETUP: file },
    });
    const neovim = new Neovim(started, program, socket);
    await expect.poll(() => neovim.lua("1").catch(() => null), SOON).toBe("1");
    return neovim;
  }

  /** The value of an expression, as text. */
  async lua(expression: string): Promise<string> {
    const quoted = expression.replaceAll("'", "''");
    return (await this.#remote("--remote-expr", `luaeval('tostring(${quoted})')`)).trimEnd();
  }
  /** Types; `<CR>` and the like are keys. */
  async keys(keys: string): Promise<void> {
    await this.#remote("--remote-send", keys);
  }
  /** The text of the chat. */
  chat(): Promise<string> {
    return this.lua("Visit.chat()");
  }
  /** Waits until the chat shows a text, at or after its last occurrence of `after`. Answers what follows that. */
  async shows(text: string, after = ""): Promise<string> {
    const rest = async (): Promise<string> => {
      const chat = await this.chat();
      return after === "" ? chat : chat.slice(Math.max(0, chat.lastIndexOf(after)));
    };
    await expect.poll(rest, SOON).toContain(text);
    return await rest();
  }
  /** Waits until a prompt can be written, and sends it; an empty one is sent as it is. */
  async prompt(text: string): Promise<void> {
    await expect.poll(() => this.lua("Visit.ready()"), SOON).toBe("true");
    await this.keys(text === "" ? "G<CR>" : `GA${text}<Esc><CR>`);
  }
  async leave(): Promise<void> {
    await this.keys("<C-\\><C-n>:qa!<CR>").catch(() => undefined); // it may end before it answers
    await this.#started.ended;
  }
  /** Ends it at once. */
  kill(): void {
    this.#started.kill();
  }

  async #remote(how: string, what: string): Promise<string> {
    const { stdout } = await run(this.#program, ["--server", this.#socket, how, what], { timeout: 10_000 });
    return stdout;
  }
}
