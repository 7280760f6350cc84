/**
 * Installs the missing agent programs, all at once, from the registry that npm is configured for. A program that cannot
 * be installed fails the run. Only Mistral Vibe may be skipped: it needs a Python that not every machine has.
 */
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { TestProject } from "vitest/node";
import { binOf, folderOf, OLD_NODES, PROGRAMS, type Program } from "./programs.ts";
import { installVibe } from "./vibe-program.ts";

const run = promisify(execFile);
const INSTALL_MS = 300_000;
const FIRST_START_MS = 60_000;

declare module "vitest" {
  export interface ProvidedContext {
    /** Why Mistral Vibe is missing, or null where it is installed. */
    noVibe: string | null;
  }
}

export default async function setup(project: TestProject): Promise<void> {
  const [noVibe] = await Promise.all([installVibe(), ...[...PROGRAMS, ...OLD_NODES].map(ready)]);
  project.provide("noVibe", noVibe);
}

async function ready(program: Program): Promise<void> {
  if (existsSync(join(binOf(program), program.name))) return;
  await install(program);
}

/** A rename puts it in place, so that another run of the tests never sees half of it. */
async function install(program: Program): Promise<void> {
  const folder = folderOf(program);
  mkdirSync(dirname(folder), { recursive: true });
  const draft = mkdtempSync(`${folder}.`);
  try {
    writeFileSync(join(draft, "package.json"), '{ "private": true }\n');
    const what = `${program.package}@${program.version}`;
    const quiet = ["--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error"];
    await run("npm", ["install", ...quiet, "--prefix", draft, what], { cwd: draft, timeout: INSTALL_MS });
    // A program that does not start fails here, by its name, instead of in every test.
    const bin = join(draft, "node_modules", ".bin", program.name);
    await run(bin, ["--version"], { timeout: FIRST_START_MS });
    rmSync(folder, { recursive: true, force: true });
    renameSync(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}
