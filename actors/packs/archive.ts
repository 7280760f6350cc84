/**
 * The files of a `.tar.gz`, checked before anything of it is written.
 *
 * I1. Only regular files and folders, and only below one folder: a link, a device, `..` or an absolute name refuses the
 *     whole archive (T23).
 * I2. At most so many bytes and files. No two names that are one where case or Unicode form do not count.
 */
import { gunzipSync } from "node:zlib";
import { Parser, type ReadEntry } from "tar";
import { TroupeError } from "../errors/troupe-error.ts";

/** `what`: as faults call it, "the pack". `refuse`: the fault of a message. */
export type ArchiveRules = {
  what: string;
  mostBytes: number;
  mostFiles: number;
  refuse: (message: string) => TroupeError;
};
export type Unpacked = { name: string; mode: number; bytes: Buffer };

/** What was met so far; each name is checked before anything of it is written. */
export class Met {
  readonly #rules: ArchiveRules;
  readonly #names = new Map<string, string>();
  #bytes = 0;
  constructor(rules: ArchiveRules) {
    this.#rules = rules;
  }

  add(name: string, bytes: number): void {
    const { what, mostBytes, mostFiles, refuse } = this.#rules;
    const parts = name.split("/");
    if (name === "" || name.includes("\\") || name.includes("\0") || parts.some((part) => part === "" || part === ".."))
      throw refuse(`${what} holds a file of the name ${JSON.stringify(name)}: expected a name below its own folder`);
    const folded = name.normalize("NFC").toLowerCase();
    const twin = this.#names.get(folded);
    if (twin !== undefined)
      throw refuse(
        `${what} holds ${JSON.stringify(twin)} and ${JSON.stringify(name)}: on some machines they are one file`,
      );
    this.#names.set(folded, name);
    this.#bytes += bytes;
    if (this.#bytes > mostBytes) throw refuse(`${what} has more than ${mostBytes / 1024 / 1024} MiB`);
    if (this.#names.size > mostFiles) throw refuse(`${what} has more than ${mostFiles} files`);
  }
}

/** Throws what `refuse` makes of a fault. */
export async function filesIn(archive: Buffer, rules: ArchiveRules): Promise<Unpacked[]> {
  const { mostBytes, mostFiles, refuse } = rules;
  try {
    return await filesOf(gunzipSync(archive, { maxOutputLength: mostBytes + 1024 * mostFiles }), rules);
  } catch (error) {
    if (error instanceof TroupeError) throw error;
    throw refuse(`the archive cannot be read: ${(error as Error).message}`);
  }
}

async function filesOf(tar: Buffer, rules: ArchiveRules): Promise<Unpacked[]> {
  const met = new Met(rules);
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
          throw rules.refuse(
            `${rules.what} holds ${JSON.stringify(name)}, a ${entry.type}: expected files and folders alone`,
          );
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
