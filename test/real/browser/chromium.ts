/**
 * A real Chromium without a window, driven over its DevTools protocol.
 *
 * I1. It reaches only this machine, and keeps nothing of the user's.
 */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { DevTools } from "../../support/devtools.ts";
import { Started } from "../../support/started.ts";
import { openPage, type Page } from "./page.ts";

const NAMES = ["chromium", "chromium-browser", "chromium-headless-shell", "google-chrome", "chrome"];
const FLAGS = [
  "--headless",
  "--disable-gpu",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--remote-debugging-port=0",
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
];
const LISTENING = /DevTools listening on (ws:\S+)/;

/** The browser that is named by TROUPE_CHROMIUM, or found on the PATH; null where there is none. */
export function findChromium(env: NodeJS.ProcessEnv = process.env): string | null {
  const named = env["TROUPE_CHROMIUM"];
  if (named !== undefined && named !== "") return named;
  const folders = (env["PATH"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find((file) => existsSync(file)) ?? null;
}

export class Chromium {
  readonly #program: Started;
  readonly #profile: string;
  readonly #tools: DevTools;
  private constructor(program: Started, profile: string, tools: DevTools) {
    this.#program = program;
    this.#profile = profile;
    this.#tools = tools;
  }

  static async start(file: string): Promise<Chromium> {
    const profile = mkdtempSync(join(tmpdir(), "troupe-chromium-"));
    // Its sandbox refuses to run as root.
    const sandbox = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
    const program = new Started([file, ...FLAGS, ...sandbox, `--user-data-dir=${profile}`], {
      cwd: profile,
      env: { PATH: process.env["PATH"], HOME: profile },
    });
    const url = await new Promise<string>((resolve, reject) => {
      program.child.stderr.on("data", () => {
        const [, found] = LISTENING.exec(program.stderr) ?? [];
        if (found !== undefined) resolve(found);
      });
      void program.ended.then(() => reject(new Error(`${file} has ended: ${program.stderr}`)));
    });
    return new Chromium(program, profile, await DevTools.connect(url));
  }

  /** A page with a profile of its own. */
  async page(url: string): Promise<Page> {
    const { browserContextId } = await this.#tools.send("Target.createBrowserContext");
    return await openPage(this.#tools, String(browserContextId), url);
  }

  async leave(): Promise<void> {
    await this.#tools.send("Browser.close");
    await this.#program.ended;
    this.#tools.leave();
    rmSync(this.#profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}
