/** The compiler as a tester: which of our source files fail when one of them is other than it is. */
import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const COMPILER = join(ROOT, "node_modules", "typescript-native", "bin", "tsc");
const ROOMS = ["machines", "actors", "projections", "transports"];

/** A source file's text with one place of it replaced. */
export function edited(path: string, was: string, is: string): { [path: string]: string } {
  const [before, after, ...more] = readFileSync(join(ROOT, path), "utf8").split(was);
  if (before === undefined || after === undefined || more.length > 0) {
    throw new Error(`"${was}" does not stand in ${path} exactly once`);
  }
  return { [path]: before + is + after };
}

/** The files with a fault of types where these files have these texts, sorted. Paths are those of the project; a copy of it is compiled. */
export function filesThatFail(texts: { readonly [path: string]: string }): string[] {
  const copy = mkdtempSync(join(tmpdir(), "troupe-types-"));
  try {
    for (const name of [...ROOMS, "package.json"]) cpSync(join(ROOT, name), join(copy, name), { recursive: true });
    symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
    const config = JSON.parse(readFileSync(join(ROOT, "tsconfig.json"), "utf8")) as object;
    writeFileSync(join(copy, "tsconfig.json"), JSON.stringify({ ...config, include: ROOMS }));
    for (const [path, text] of Object.entries(texts)) writeFileSync(join(copy, path), text);
    const { stdout, stderr } = spawnSync(process.execPath, [COMPILER, "--pretty", "false"], {
      cwd: copy,
      encoding: "utf8",
    });
    const faults = [...stdout.matchAll(/^([^\s(][^(\n]*)\(\d+,\d+\): error /gm)];
    if (faults.length === 0 && stdout + stderr !== "") throw new Error(stdout + stderr);
    return [...new Set(faults.map(([, file]) => file ?? ""))].sort();
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}
