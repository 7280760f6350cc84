/**
 * The files of a pack, put into a fresh folder.
 *
 * I1. Only regular files and folders, and only below that folder (`archive.ts`, T23).
 * I2. At most `MOST_BYTES` bytes and `MOST_FILES` files.
 * I3. Files are the user's alone to write, and run nothing under another's rights.
 */
import { mkdir, opendir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { TroupeError } from "../errors/troupe-error.ts";
import { type ArchiveRules, filesIn, Met } from "./archive.ts";
import { RECORD } from "./record.ts";

const MOST_BYTES = 64 * 1024 * 1024;
const MOST_FILES = 5_000;
const RIGHTS = 0o755;

const refuse = (message: string): TroupeError => new TroupeError("USER.PACK.INVALID", message);
const RULES: ArchiveRules = { what: "the pack", mostBytes: MOST_BYTES, mostFiles: MOST_FILES, refuse };

/** The bytes of a `.tar.gz`, unpacked into `folder`. Throws USER.PACK.INVALID, and leaves what it had written. */
export async function unpackArchive(archive: Buffer, folder: string): Promise<void> {
  const files = await filesIn(archive, RULES);
  const root = rootOf(files.map(({ name }) => name));
  for (const { name, mode, bytes } of files) {
    if (!name.startsWith(root)) continue;
    const path = join(folder, name.slice(root.length));
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, bytes, { flag: "wx", mode: mode & RIGHTS });
  }
}

/** The folder of the manifest within an archive: its top, or the one folder that everything lies in. */
function rootOf(names: readonly string[]): string {
  if (names.includes("manifest.yaml")) return "";
  const first = names[0]?.split("/")[0] ?? "";
  if (names.includes(`${first}/manifest.yaml`) && names.every((name) => name.startsWith(`${first}/`)))
    return `${first}/`;
  throw refuse("there is no manifest.yaml at the top of the archive, nor in its only folder");
}

/** A folder's files, copied into `folder`. Throws USER.PACK.INVALID, and leaves what it had written. */
export async function copyFolder(from: string, folder: string): Promise<void> {
  const met = new Met(RULES);
  for (const path of await walk(from)) {
    const name = relative(from, path);
    const { size, mode } = await stat(path);
    met.add(name, size);
    const to = join(folder, name);
    await mkdir(dirname(to), { recursive: true });
    await writeFile(to, await readFile(path), { flag: "wx", mode: mode & RIGHTS });
  }
}

/** Folders that are no part of a pack, though they may lie in it. */
const LEFT_OUT = new Set([".git", "node_modules", RECORD]);

async function walk(folder: string): Promise<string[]> {
  const found: string[] = [];
  for await (const entry of await opendir(folder)) {
    const path = join(folder, entry.name);
    if (LEFT_OUT.has(entry.name)) continue;
    if (entry.isDirectory()) found.push(...(await walk(path)));
    else if (entry.isFile()) found.push(path);
    else throw refuse(`${path} is neither a file nor a folder: a pack holds nothing else`);
    if (found.length > MOST_FILES) throw refuse(`the pack has more than ${MOST_FILES} files`);
  }
  return found.sort();
}
