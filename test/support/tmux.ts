/**
 * A real terminal without a person: tmux, driven by its control mode. A screen is looked at whenever something was
 * written to it, never by a timer.
 */
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

export const hasTmux = spawnSync("tmux", ["-V"]).status === 0;

export class Tmux {
  readonly #socket: string;
  readonly #watcher: ChildProcess;
  readonly #heard = new Set<() => void>();
  #screen = "";

  /** `command` runs in a shell, and the screen stays when it has ended. */
  constructor(
    folder: string,
    { columns, rows, cwd, env, command }: Size & { cwd: string; env: { [name: string]: string }; command: string },
  ) {
    this.#socket = join(folder, `tmux-${columns}x${rows}`);
    const size = ["-x", String(columns), "-y", String(rows)];
    const script = `${command}; echo "[ended $?]"; exec cat`;
    this.#do(
      ["-f", "/dev/null", "new-session", "-d", ...size, "-c", cwd, "sh", "-c", `trap : INT; read _; ${script}`],
      env,
    );
    this.#do(["set", "-g", "window-size", "manual"]);
    this.#do(["set", "-g", "status", "off"]);
    this.#do(["resize-window", ...size]);
    this.#watcher = spawn("tmux", ["-S", this.#socket, "-C", "attach", "-r"], { stdio: ["pipe", "pipe", "ignore"] });
    this.#watcher.stdout?.on("data", () => {
      for (const hear of this.#heard) hear();
    });
    this.type("Enter");
  }

  /** The lines of the screen, without blanks at their ends and empty lines below. */
  screen(options: readonly string[] = []): string {
    const text = this.#do(["capture-pane", "-pJ", ...options]);
    this.#screen = text.replace(/[ \t]+$/gm, "").trimEnd();
    return this.#screen;
  }
  /** Keys by tmux's names, or words. */
  type(...keys: string[]): void {
    this.#do(["send-keys", ...keys]);
  }
  /** As a terminal pastes: said to be a paste where the program has asked for that. */
  paste(text: string): void {
    this.#do(["set-buffer", text]);
    this.#do(["paste-buffer", "-p"]);
  }
  resize({ columns, rows }: Size): void {
    this.#do(["resize-window", "-x", String(columns), "-y", String(rows)]);
  }
  /** Sends a signal to what the shell runs now. */
  signal(name: string): void {
    const shell = this.#do(["display", "-p", "#{pane_pid}"]).trim();
    spawnSync("pkill", [`-${name}`, "-P", shell]);
  }
  /** Whether the cursor is to be seen. */
  hasCursor(): boolean {
    return this.#do(["display", "-p", "#{cursor_flag}"]).trim() === "1";
  }
  /** The screen, when it looks so. Where it takes too long, the error of the test shows it. */
  async shows(looks: (screen: string) => boolean): Promise<string> {
    const { promise, resolve } = Promise.withResolvers<string>();
    const look = (): void => {
      const screen = this.screen();
      if (looks(screen)) resolve(screen);
    };
    this.#heard.add(look);
    look();
    return await promise.finally(() => this.#heard.delete(look));
  }
  /**
   * The screen that `looks` lets pass and that is `golden`, made steady by `steady`. A terminal shows what is between two
   * keys, too: so a screen that is not golden yet is looked at again with each change, for half a minute. Then it is given
   * as it is, for the test to say what differs.
   */
  async shown(golden: string, steady: (screen: string) => string, looks: (screen: string) => boolean): Promise<string> {
    const given = await this.shows(looks);
    const late = Promise.withResolvers<string>();
    const timer = setTimeout(() => late.resolve(this.screen()), 30_000);
    const same = existsSync(golden)
      ? this.shows((screen) => looks(screen) && steady(screen) === readFileSync(golden, "utf8"))
      : given;
    return steady(await Promise.race([same, late.promise]).finally(() => clearTimeout(timer)));
  }
  /** What was seen last. */
  get last(): string {
    return this.#screen;
  }
  close(): void {
    this.#heard.clear();
    this.#watcher.kill();
    spawnSync("tmux", ["-S", this.#socket, "kill-server"]);
    rmSync(this.#socket, { force: true });
  }

  #do(args: readonly string[], env?: { [name: string]: string }): string {
    const { PATH = "" } = process.env;
    return execFileSync("tmux", ["-S", this.#socket, ...args], {
      encoding: "utf8",
      env: { PATH, LANG: "C.UTF-8", LC_ALL: "C.UTF-8", SHELL: "/bin/sh", ...env },
    });
  }
}
export type Size = { columns: number; rows: number };

/** What differs from run to run, made the same. */
export const steadyScreen = (text: string): string =>
  text
    .replace(/\b\d+h \d+m\b|\b\d+m \d+s\b|\b\d+ms\b|\b\d+\.\d+s\b|\b\d+s\b/g, "TIME")
    .replace(/\brun [\w-]{12}(?!\w)/g, "run ID")
    .replace(/\b(logs|status|resume|rerun) [\w-]{12}(?!\w)/g, "$1 ID")
    // How much fits behind a time depends on it.
    .replace(/TIME.*…$/gm, "TIME …");
