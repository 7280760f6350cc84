/**
 * Programs that use the official SDKs of other languages, from PyPI and crates.io, kept outside the tree for all
 * checkouts.
 */
import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** How the visit is started; its arguments follow. */
export type Sdk = { command: readonly [string, ...string[]]; missing: null } | { missing: string };

const run = promisify(execFile);
const LONG = { timeout: 900_000 };
const PYTHON_SDK = "agent-client-protocol[http]==0.12.1";
const PROGRAMS = fileURLToPath(new URL("./programs/", import.meta.url));
const CACHE = join(process.env["XDG_CACHE_HOME"] || join(homedir(), ".cache"), "troupe-test-sdks");

/** Installs the SDK into an environment of its own, once. */
export async function pythonSdk(): Promise<Sdk> {
  const folder = join(CACHE, `python-${PYTHON_SDK.replaceAll(/[^\w.]+/g, "-")}`);
  const ready = join(folder, "ready"); // an environment cannot be moved: this file says that it is complete
  try {
    if (!existsSync(ready)) {
      rmSync(folder, { recursive: true, force: true });
      mkdirSync(CACHE, { recursive: true });
      await run("python3", ["-m", "venv", folder], LONG);
      const quiet = ["--quiet", "--disable-pip-version-check"];
      await run(join(folder, "bin", "pip"), ["install", ...quiet, PYTHON_SDK], LONG);
      writeFileSync(ready, "");
    }
    return { command: [join(folder, "bin", "python"), join(PROGRAMS, "visit.py")], missing: null };
  } catch (error) {
    return { missing: whyOf(error) };
  }
}

/** Builds the program. Its dependencies are compiled once, in a few minutes. */
export async function rustSdk(): Promise<Sdk> {
  const folder = join(CACHE, "rust");
  try {
    mkdirSync(folder, { recursive: true });
    cpSync(join(PROGRAMS, "rust"), folder, { recursive: true });
    await run("cargo", ["build", "--quiet", "--manifest-path", join(folder, "Cargo.toml")], LONG);
    return { command: [join(folder, "target", "debug", "visit")], missing: null };
  } catch (error) {
    return { missing: whyOf(error) };
  }
}

const whyOf = (error: unknown): string => (error as Error).message.split("\n").slice(0, 2).join(" ");
