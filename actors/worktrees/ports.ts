/**
 * Ports of a tree, so that what is started in two of them does not meet: each has ten, from `TROUPE_PORT_BASE` on.
 *
 * I1. Two trees that are there have different ones, on this machine and for this user; a tree keeps its own.
 */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { TroupeError } from "../errors/troupe-error.ts";

/** Below what systems hand out by themselves. */
const FIRST = 20_000;
const EACH = 10;
const MOST = 1_200;

/** The first port of a tree. `folder`: where it is kept which are taken. */
export async function portsOf(folder: string, tree: string): Promise<number> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const start = createHash("sha256").update(tree).digest().readUInt32BE(0) % MOST;
  for (let tried = 0; tried < MOST; tried++) {
    const port = FIRST + ((start + tried) % MOST) * EACH;
    if (await claimed(join(folder, String(port)), tree)) return port;
  }
  throw new TroupeError(
    "EXECUTION.WORKTREE.FAILED",
    `${MOST} worktrees have ports here: remove some of them, git worktree remove`,
  );
}

async function claimed(file: string, tree: string): Promise<boolean> {
  for (let tries = 0; tries < 3; tries++) {
    const isNew = await writeFile(file, tree, { flag: "wx", mode: 0o600 }).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === "EEXIST") return false;
        throw error;
      },
    );
    const holder = isNew ? tree : await readFile(file, "utf8").catch(() => "");
    if (holder === tree) return true;
    // One that another process has just made is still empty.
    if (holder === "" || existsSync(holder)) return false;
    await rm(file, { force: true });
  }
  return false;
}
