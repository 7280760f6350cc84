/** A reader of the docs at a terminal that nobody sits at: `troupe` is on the PATH, and each page has a folder of its own. */
import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type House, openHouse, PROGRAM } from "./house.ts";
import type { Shell } from "./read-along.ts";

export const DOCS: string = fileURLToPath(new URL("../../docs", import.meta.url));

export class Readers {
  readonly house: House = openHouse([]);
  constructor() {
    mkdirSync(join(this.house.root, "bin"));
    const program = join(this.house.root, "bin", "troupe");
    writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${PROGRAM}" "$@"\n`);
    chmodSync(program, 0o755);
  }

  /** One of them, with a home of its own. `more`: variables. */
  sit(name: string, more: { [name: string]: string } = {}): { cwd: string; shell: Shell } {
    const cwd = join(this.house.root, name.replaceAll("/", "-"));
    mkdirSync(join(cwd, ".troupe", "workflows"), { recursive: true });
    const env = {
      ...this.house.env,
      TROUPE_HOME: join(cwd, ".home"),
      TROUPE_DOCS: DOCS,
      PATH: `${join(this.house.root, "bin")}:${this.house.env["PATH"]}`,
      ...more,
    };
    const shell: Shell = (line) =>
      new Promise((resolve) => {
        const child = execFile("sh", ["-c", line], { cwd, env }, (error, out, err) =>
          resolve({ code: error === null ? 0 : Number(error.code ?? -1), said: out + err }),
        );
        child.stdin?.end();
      });
    return { cwd, shell };
  }
}
