/**
 * What V8 made of the program's code, kept from one process to the next: one file a command, in the user's cache
 * folder.
 *
 * I1. A file is read only where it is this user's own and no other may write it: it holds code.
 * I2. What is damaged, of another build or of another Node is as if it were not there. V8 checks its own version and
 *     its flags. Damage, which V8 does not look for, makes a difference between two copies: to compare them costs less than
 *     to load what makes a checksum.
 * I3. A file is put in place whole, by rename.
 * I4. At most `MOST_FILES` files of at most `MOST_BYTES` each are kept; the oldest go.
 * I5. A fault here costs time and nothing else.
 */
import {
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";

const PREFIX = "code-";
const MOST_FILES = 12;
const MOST_BYTES = 32 * 1024 * 1024;
const LENGTH_BYTES = 4;
const WRITABLE_BY_OTHERS = 0o022;

/** Of one chunk: where its code lies behind the header, and how many bytes; the same once more follow. */
type Entry = readonly [at: number, size: number];
type Kept = { file: number; end: number; entries: { readonly [chunk: string]: Entry } };

export class CodeCache {
  readonly #path: string;
  readonly #kept: Kept | null;

  /** Opens what is kept under `key`, a word of letters, digits, dashes and underscores, in `folder`; for as long as it lives. */
  constructor(folder: string, key: string) {
    this.#path = join(folder, `${PREFIX}${key}`);
    this.#kept = openKept(this.#path);
  }

  /** The code of a chunk, named by its content; undefined when there is none that can be used. */
  code(chunk: string): Buffer | undefined {
    if (this.#kept === null) return undefined;
    const { file, end, entries } = this.#kept;
    const entry = Object.hasOwn(entries, chunk) ? entries[chunk] : undefined;
    if (!Array.isArray(entry) || !entry.every(Number.isSafeInteger)) return undefined;
    const [at, size] = entry as Entry;
    if (at < 0 || size <= 0 || size > MOST_BYTES) return undefined;
    // Read when it is needed, and garbage as soon as V8 has it: what is held at a start makes V8 collect in the midst
    // of it.
    return readTwice(file, end + at, size);
  }

  /** Keeps the code of these chunks, and of others what was kept. */
  save(compiled: ReadonlyMap<string, Buffer>): void {
    try {
      const parts = new Map(compiled);
      for (const chunk of Object.keys(this.#kept?.entries ?? {})) {
        const [before, now] = [this.code(chunk), compiled.get(chunk)];
        // V8 drops the code of functions that have not run for a while: less is no news.
        if (before !== undefined && before.length >= (now?.length ?? 0)) parts.set(chunk, before);
      }
      const entries: { [chunk: string]: Entry } = {};
      let at = 0;
      for (const [chunk, code] of parts) {
        entries[chunk] = [at, code.length];
        at += 2 * code.length;
      }
      if (at > MOST_BYTES) return;
      const header = Buffer.from(JSON.stringify(entries));
      const length = Buffer.alloc(LENGTH_BYTES);
      length.writeUInt32LE(header.length);
      const folder = dirname(this.#path);
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const draft = `${this.#path}.${process.pid}`;
      rmSync(draft, { force: true });
      const twice = [header, ...parts.values()].flatMap((bytes) => [bytes, bytes]);
      writeFileSync(draft, Buffer.concat([length, ...twice]), { mode: 0o600, flag: "wx" });
      renameSync(draft, this.#path);
      forgetOld(folder);
    } catch {
      // I5: the next process compiles, as this one did.
    }
  }
}

/** Null where there is none, or none that may be read (I1) or can be (I2). */
function openKept(path: string): Kept | null {
  let file: number | undefined;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    const { uid, mode } = fstatSync(file);
    const owned = process.getuid === undefined || (uid === process.getuid() && (mode & WRITABLE_BY_OTHERS) === 0);
    const length = owned ? readAt(file, 0, LENGTH_BYTES)?.readUInt32LE(0) : undefined;
    const header = length !== undefined && length <= MOST_BYTES ? readTwice(file, LENGTH_BYTES, length) : undefined;
    if (header !== undefined) return { file, end: LENGTH_BYTES + 2 * header.length, entries: JSON.parse(`${header}`) };
  } catch {
    // I5: it is as if there were none.
  }
  if (file !== undefined) closeSync(file);
  return null;
}

function readAt(file: number, at: number, size: number): Buffer | undefined {
  const bytes = Buffer.allocUnsafeSlow(size);
  return readSync(file, bytes, 0, size, at) === size ? bytes : undefined;
}

/** What lies there, if the same follows it (I2). */
function readTwice(file: number, at: number, size: number): Buffer | undefined {
  const bytes = readAt(file, at, size);
  return bytes !== undefined && readAt(file, at + size, size)?.equals(bytes) === true ? bytes : undefined;
}

function forgetOld(folder: string): void {
  const files = readdirSync(folder)
    .filter((name) => name.startsWith(PREFIX))
    .map((name) => ({ path: join(folder, name), at: statSync(join(folder, name)).mtimeMs }))
    .sort((a, b) => b.at - a.at);
  for (const { path } of files.slice(MOST_FILES)) rmSync(path, { force: true });
}
