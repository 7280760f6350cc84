/** `troupe` in a process of its own, with a home and a workspace of its own, run as it is built. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { PROGRAM } from "../../support/house.ts";

export type Ended = { code: number | null; signal: string | null; out: string; err: string };
export type Started = {
  child: ChildProcess;
  ended: Promise<Ended>;
  /** Resolves when standard output has this text; rejects when it ended without. */
  said(text: string): Promise<void>;
};

export class Place {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), "troupe-cli-")));
  readonly cwd = join(this.folder, "work");
  readonly home = join(this.folder, "home");

  constructor(files: { readonly [path: string]: string } = {}) {
    mkdirSync(this.cwd);
    mkdirSync(this.home, { mode: 0o700 });
    for (const [path, text] of Object.entries(files)) this.write(path, text);
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.cwd, path)), { recursive: true });
    writeFileSync(join(this.cwd, path), text);
  }

  start(args: readonly string[], env: { [name: string]: string } = {}): Started {
    const { TROUPE_TRUST: _, FORCE_COLOR: __, ...inherited } = process.env;
    const child = spawn(process.execPath, [PROGRAM, ...args], {
      cwd: this.cwd,
      env: {
        ...inherited,
        HOME: this.folder,
        XDG_CONFIG_HOME: join(this.folder, "config"),
        TROUPE_HOME: this.home,
        ...env,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let out = "";
    let err = "";
    const heard = new Set<() => void>();
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      out += text;
      for (const hear of heard) hear();
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      err += text;
    });
    const ended = new Promise<Ended>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code, signal) => resolve({ code, signal, out, err }));
    });
    const said = (text: string) =>
      new Promise<void>((resolve, reject) => {
        const hear = () => {
          if (!out.includes(text)) return;
          heard.delete(hear);
          resolve();
        };
        heard.add(hear);
        hear();
        void ended.then(() => reject(new Error(`it ended without saying "${text}": ${out}${err}`)));
      });
    return { child, ended, said };
  }

  run(args: readonly string[], env?: { [name: string]: string }): Promise<Ended> {
    return this.start(args, env).ended;
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** What differs from run to run, made the same. */
export const steady = (text: string): string =>
  text.replace(/run [\w-]{8,}/g, "run ID").replace(/\b\d+ms\b|\b\d+\.\d+s\b|\b\d+m \d+s\b/g, "TIME");
