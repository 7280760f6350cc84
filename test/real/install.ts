/**
 * Installs the agent programs that are missing, from the registry that npm is configured for. What cannot be installed
 * fails the run: nothing is skipped.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { binOf, folderOf, PROGRAMS, type Program } from "./programs.ts";

const INSTALL_MS = 300_000;
const FIRST_START_MS = 60_000;

export default function setup(): void {
  for (const program of PROGRAMS) {
    if (!existsSync(join(binOf(program), program.name))) install(program);
    // A program that does not start fails here, by its name, and not in every test.
    execFileSync(join(binOf(program), program.name), ["--version"], { stdio: "ignore", timeout: FIRST_START_MS });
  }
}

/** Put in place by a rename, so that another run of the tests never sees half of it. */
function install(program: Program): void {
  const folder = folderOf(program);
  mkdirSync(dirname(folder), { recursive: true });
  const draft = mkdtempSync(`${folder}.`);
  try {
    writeFileSync(join(draft, "package.json"), '{ "private": true }\n');
    const what = `${program.package}@${program.version}`;
    const args = [
      "install",
      "--no-audit",
      "--no-fund",
      "--no-package-lock",
      "--loglevel=error",
      "--prefix",
      draft,
      what,
    ];
    execFileSync("npm", args, { cwd: draft, stdio: ["ignore", "ignore", "inherit"], timeout: INSTALL_MS });
    rmSync(folder, { recursive: true, force: true });
    renameSync(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
