/**
 * The folder that packs are installed in: `.troupe/workflow-packs` of a directory, or the user's own.
 *
 * I1. A pack is there whole or not at all: it is made beside the folder, and comes in by one rename. A process that
 *     dies between the two renames of a replacement leaves the old one, which `settle` puts back.
 * I2. Nothing but the pack's own folder changes (T23): a name is a plain one, and a link in its place is not followed.
 * I3. Where two processes change one pack at once, one comes after the other.
 */
import { lstat, mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
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
      await uncrossed(() => this.settle());
      await mkdir(this.folder, { recursive: true });
      staged = await mkdtemp(join(this.#beside, STAGED));
      const content = join(staged, "pack");
      await mkdir(content);
      const name = await make(content);
      await uncrossed(() => this.#replace(name, content));
      // What another process takes away too is none of ours, and what stays goes with the next change.
      await rm(this.#old(name), { recursive: true, force: true }).catch(() => undefined);
      return name;
    } catch (error) {
      throw written(error, this.folder);
    } finally {
      if (staged !== null) await rm(staged, { recursive: true, force: true });
    }
  }

  #old(name: string): string {
    return join(this.#beside, `${REPLACED}${name}`);
  }

  async #replace(name: string, content: string): Promise<void> {
    await this.#putBack();
    const isThere = await this.has(name);
    if (isThere) await rename(this.path(name), this.#old(name));
    try {
      await rename(content, this.path(name));
    } catch (error) {
      if (isThere) await rename(this.#old(name), this.path(name));
      throw error;
    }
  }

  async remove(name: string): Promise<void> {
    try {
      await uncrossed(async () => {
        await this.settle();
        await rename(this.path(name), this.#old(name));
        await rm(this.#old(name), { recursive: true, force: true });
      });
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
    for (const path of await this.#besideIt(STAGED))
      if (await this.#isLeft(path)) await rm(path, { recursive: true, force: true });
    await this.#putBack();
  }

  async #putBack(): Promise<void> {
    for (const path of await this.#besideIt(REPLACED)) {
      const pack = basename(path).slice(REPLACED.length);
      if (await this.has(pack)) await rm(path, { recursive: true, force: true });
      else await rename(path, this.path(pack));
    }
  }

  async #besideIt(prefix: string): Promise<string[]> {
    const names = await readdir(this.#beside).catch(() => []);
    return names.filter((name) => name.startsWith(prefix)).map((name) => join(this.#beside, name));
  }
}

/** What the system says where another process renames or removes the same folder at this moment. */
const CROSSED: readonly unknown[] = ["ENOENT", "ENOTEMPTY", "EEXIST"];
const TRIES = 20;
const BETWEEN_MS = 25;

/** I3. */
async function uncrossed(act: () => Promise<void>): Promise<void> {
  for (let left = TRIES; ; left--) {
    try {
      return await act();
    } catch (error) {
      if (left === 0 || !CROSSED.includes((error as NodeJS.ErrnoException).code)) throw error;
      await wait(BETWEEN_MS);
    }
  }
}

function written(error: unknown, folder: string): unknown {
  if (error instanceof TroupeError) return error;
  const message = `cannot write in ${folder}: ${(error as Error).message}`;
  return new TroupeError("SYSTEM.IO.WRITE_FAILED", message, { folder }, error);
}
