/**
 * The folder that packs are installed in: `.troupe/workflow-packs` of a directory, or the user's own.
 *
 * I1. A pack is there whole or not at all: it is made beside the folder, and comes in by one rename. A process that
 *     dies between the two renames of a replacement leaves the old one, which `settle` puts back.
 * I2. Nothing but the pack's own folder changes (T23): a name is a plain one, and a link in its place is not followed.
 */
import { lstat, mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { TroupeError } from "../errors/troupe-error.ts";

const STAGED = ".pack-new-";
const LEFT_MS = 3_600_000;
const REPLACED = ".pack-old-";

export class Shelf {
  readonly folder: string;
  readonly #beside: string;
  readonly #now: () => number;
  constructor(folder: string, now: () => number) {
    this.folder = folder;
    this.#now = now;
    this.#beside = dirname(folder);
  }

  path(name: string): string {
    return join(this.folder, name);
  }
  /** The names of the folders in it. */
  async names(): Promise<string[]> {
    const entries = await readdir(this.folder, { withFileTypes: true }).catch(() => []);
    return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort();
  }
  /** What stands there is a folder; a link is none, and a way that leads out of here no name (I2). */
  async has(name: string): Promise<boolean> {
    return (await this.names()).includes(name);
  }

  /**
   * Makes a pack in a fresh folder; it is put in place when `make` has answered its name, and removed when that fails.
   */
  async put(make: (folder: string) => Promise<string>): Promise<string> {
    let staged: string | null = null;
    try {
      await this.settle();
      await mkdir(this.folder, { recursive: true });
      staged = await mkdtemp(join(this.#beside, STAGED));
      const content = join(staged, "pack");
      await mkdir(content);
      const name = await make(content);
      await this.#replace(name, content);
      return name;
    } catch (error) {
      throw written(error, this.folder);
    } finally {
      if (staged !== null) await rm(staged, { recursive: true, force: true });
    }
  }

  async #replace(name: string, content: string): Promise<void> {
    const old = join(this.#beside, `${REPLACED}${name}`);
    const isThere = await this.has(name);
    if (isThere) await rename(this.path(name), old);
    try {
      await rename(content, this.path(name));
    } catch (error) {
      if (isThere) await rename(old, this.path(name));
      throw error;
    }
    await rm(old, { recursive: true, force: true });
  }

  async remove(name: string): Promise<void> {
    try {
      await this.settle();
      const old = join(this.#beside, `${REPLACED}${name}`);
      await rename(this.path(name), old);
      await rm(old, { recursive: true, force: true });
    } catch (error) {
      throw written(error, this.folder);
    }
  }

  /** Making a pack never takes that long. */
  async #isLeft(path: string): Promise<boolean> {
    const found = await lstat(path).catch(() => null);
    return found !== null && this.#now() - found.mtimeMs > LEFT_MS;
  }

  /** Ends what a process began that died: an old pack without its successor comes back (I1). */
  async settle(): Promise<void> {
    for (const name of await readdir(this.#beside).catch(() => [])) {
      const path = join(this.#beside, name);
      if (name.startsWith(STAGED) && (await this.#isLeft(path))) await rm(path, { recursive: true, force: true });
      if (!name.startsWith(REPLACED)) continue;
      const pack = name.slice(REPLACED.length);
      if (await this.has(pack)) await rm(path, { recursive: true, force: true });
      else await rename(path, this.path(pack));
    }
  }
}

function written(error: unknown, folder: string): unknown {
  if (error instanceof TroupeError) return error;
  const message = `cannot write in ${folder}: ${(error as Error).message}`;
  return new TroupeError("SYSTEM.IO.WRITE_FAILED", message, { folder }, error);
}
