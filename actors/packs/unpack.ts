/**
 * The files of a pack, put into a fresh folder.
 *
 * I1. Only regular files and folders, and only below that folder: a link, a device, `..` or an absolute name refuses the
 *     whole pack (T23).
 * I2. At most `MOST_BYTES` bytes and `MOST_FILES` files. No two names that are one where case or Unicode form do not
 *     count.
 * I3. Files are the user's alone to write, and run nothing under another's rights.
 */
import { mkdir, opendir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { gunzipSync } from "node:zlib";
import { Parser, type ReadEntry } from "tar";
import { TroupeError } from "../errors/troupe-error.ts";
import { RECORD } from "./record.ts";

const MOST_BYTES = 64 * 1024 * 1024;
const MOST_FILES = 5_000;
const RIGHTS = 0o755;

const refuse = (message: string): TroupeError => new TroupeError("USER.PACK.INVALID", message);

/** What was met so far; each name is checked before anything of it is written. */
class Met {
  readonly #names = new Map<string, string>();
  #bytes = 0;

  add(name: string, bytes: number): void {
    const parts = name.split("/");
    if (name === "" || name.includes("\\") || name.includes("\0") || parts.some((part) => part === "" || part === ".."))
      throw refuse(`the pack holds a file of the name ${JSON.stringify(name)}: expected a name below its own folder`);
    const folded = name.normalize("NFC").toLowerCase();
    const twin = this.#names.get(folded);
    if (twin !== undefined)
      throw refuse(
        `the pack holds ${JSON.stringify(twin)} and ${JSON.stringify(name)}: on some machines they are one file`,
      );
    this.#names.set(folded, name);
    this.#bytes += bytes;
    if (this.#bytes > MOST_BYTES) throw refuse(`the pack has more than ${MOST_BYTES / 1024 / 1024} MiB`);
    if (this.#names.size > MOST_FILES) throw refuse(`the pack has more than ${MOST_FILES} files`);
  }
}

type Unpacked = { name: string; mode: number; bytes: Buffer };

/** The bytes of a `.tar.gz`, unpacked into `folder`. Throws USER.PACK.INVALID, and leaves what it had written. */
export async function unpackArchive(archive: Buffer, folder: string): Promise<void> {
  let files: Unpacked[];
  try {
    files = await filesOf(gunzipSync(archive, { maxOutputLength: MOST_BYTES + 1024 * MOST_FILES }));
  } catch (error) {
    if (error instanceof TroupeError) throw error;
    throw refuse(`the archive cannot be read: ${(error as Error).message}`);
  }
  const root = rootOf(files.map(({ name }) => name));
  for (const { name, mode, bytes } of files) {
    if (!name.startsWith(root)) continue;
    const path = join(folder, name.slice(root.length));
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, bytes, { flag: "wx", mode: mode & RIGHTS });
  }
}

async function filesOf(tar: Buffer): Promise<Unpacked[]> {
  const met = new Met();
  const files: Unpacked[] = [];
  await new Promise<void>((resolve, reject) => {
    const take = (entry: ReadEntry): void => {
      const name = entry.path.replace(/^(\.\/)+/, "");
      try {
        if (entry.type === "Directory") {
          entry.resume();
          return;
        }
        if (entry.type !== "File" && entry.type !== "OldFile")
          throw refuse(`the pack holds ${JSON.stringify(name)}, a ${entry.type}: expected files and folders alone`);
        met.add(name, entry.size);
      } catch (error) {
        reject(error);
        entry.resume();
        return;
      }
      const pieces: Buffer[] = [];
      entry.on("data", (piece: Buffer) => pieces.push(piece));
      entry.on("end", () => files.push({ name, mode: entry.mode ?? 0o644, bytes: Buffer.concat(pieces) }));
    };
    const parser = new Parser({ strict: true, onReadEntry: take });
    parser.on("error", reject);
    parser.on("end", resolve);
    parser.end(tar);
  });
  return files;
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
  const met = new Met();
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
