/** Installs Mistral Vibe into a Python environment of its own, outside the tree. */
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { VIBE_BIN, VIBE_VERSION } from "./programs.ts";

const run = promisify(execFile);
const PYTHONS = ["python3.12", "python3.13", "python3.14", "python3"];
const LONG = { timeout: 300_000 };
/** An environment cannot be moved, since its programs name its folder. This file says that it is complete. */
const READY = join(dirname(VIBE_BIN), "ready");

/** Null where it is installed; otherwise the reason why not. */
export async function installVibe(): Promise<string | null> {
  if (existsSync(READY)) return null;
  const folder = dirname(VIBE_BIN);
  try {
    const python = await pythonOf();
    if (python === null) return "it needs Python 3.12 or newer";
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(dirname(folder), { recursive: true });
    await run(python, ["-m", "venv", folder], LONG);
    const what = `mistral-vibe==${VIBE_VERSION}`;
    await run(join(VIBE_BIN, "pip"), ["install", "--quiet", "--disable-pip-version-check", what], LONG);
    await run(join(VIBE_BIN, "vibe"), ["--version"], LONG);
    writeFileSync(READY, "");
    return null;
  } catch (error) {
    return `it could not be installed (${(error as Error).message.split("\n").slice(0, 2).join(" ")})`;
  }
}

/** Versions that `pyenv` keeps are not in the PATH. */
function kept(): string[] {
  const folder = join(process.env["PYENV_ROOT"] ?? join(homedir(), ".pyenv"), "versions");
  return existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name, "bin", "python3")) : [];
}

async function pythonOf(): Promise<string | null> {
  for (const python of [...PYTHONS, ...kept()]) {
    const isNew = "import sys; sys.exit(0 if sys.version_info >= (3, 12) else 1)";
    if (
      await run(python, ["-c", isNew]).then(
        () => true,
        () => false,
      )
    )
      return python;
  }
  return null;
}
