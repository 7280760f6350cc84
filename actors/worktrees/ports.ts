/**
 * Ports of a tree, so that what is started in two of them does not meet: each has ten, from `TROUPE_PORT_BASE` on.
 *
 * I1. Two trees that are there have different ones, on this machine and for this user; a tree keeps its own.
 */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
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
  if (await isWritten(file, tree)) return true;
  const holder = await holderOf(file);
  if (holder === tree) return true;
  return isLeft(holder) && (await takenOver(file, tree));
}

/** Whether it was not there, and is now. */
const isWritten = (file: string, text: string): Promise<boolean> =>
  writeFile(file, text, { flag: "wx", mode: 0o600 }).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === "EEXIST") return false;
      throw error;
    },
  );

const holderOf = (file: string): Promise<string> => readFile(file, "utf8").catch(() => "");
/** One that another process has just made is still empty. */
const isLeft = (holder: string): boolean => holder !== "" && !existsSync(holder);

/** Of all that find one whose tree has gone, one takes it over, and has looked again: it may be another's by now. */
async function takenOver(file: string, tree: string): Promise<boolean> {
  const taking = `${file}.taking`;
  if (!(await isWritten(taking, tree))) return false;
  try {
    if (!isLeft(await holderOf(file))) return false;
    await rename(taking, file);
    return true;
  } finally {
    await rm(taking, { force: true });
  }
}
