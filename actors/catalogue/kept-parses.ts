/**
 * Documents as they were parsed, kept from one process to the next: a file for each folder of workflows, in the user's
 * cache folder.
 *
 * I1. A file is read only where it is this user's own and no other user may write it.
 * I2. A document is given out for the very text that it was made of, by the same build, where the same names were known.
 * I3. What is damaged is as if it were not there. All is written twice: to compare costs less than to load what makes a
 *     checksum.
 * I4. No secret is written: a document that holds one is not kept.
 * I5. At most `MOST_FILES` files of at most `MOST_BYTES` each are kept; the oldest go. A file is put in place whole.
 * I6. A fault here costs time and nothing else.
 */
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { hashOf } from "../../machines/hash.ts";
import type { Parsed } from "../../machines/workflow/parse.ts";

const MOST_FILES = 64;
const MOST_BYTES = 4 * 1024 * 1024;
const LENGTH_BYTES = 4;
const WRITABLE_BY_OTHERS = 0o022;

export type KeptParsesOptions = {
  /** Where the files lie. */
  folder: string;
  /** A word that no other build of Troupe has. */
  build: string;
  /** Whether a document may be written down as it is (I4). */
  isPlain: (json: string, parsed: Parsed) => boolean;
};
/** What a document was made of. `known`: what decides, besides the text, what is made of it. */
export type ParseOrigin = { file: string; awf: boolean; known: string; text: string };

/** Of one document: where it lies behind the header, and how many bytes. */
type Entry = readonly [at: number, size: number];
type Header = { folder: string; made: string; entries: { readonly [key: string]: Entry } };
type Folder = { entries: Map<string, Buffer>; made: string; isChanged: boolean };

export class KeptParses {
  readonly #options: KeptParsesOptions;
  /** What was read since the last `close`, by folder of workflows. */
  readonly #folders = new Map<string, Folder>();

  constructor(options: KeptParsesOptions) {
    this.#options = options;
  }

  /** What is kept of a text; null where it has to be parsed. */
  of({ file, awf, known, text }: ParseOrigin): Parsed | null {
    const bytes = this.#folder(dirname(file), known).entries.get(keyOf(file, awf));
    if (bytes === undefined) return null;
    try {
      const kept: { text: string; parsed: Parsed } = JSON.parse(bytes.toString("utf8"));
      return kept.text === text ? kept.parsed : null;
    } catch {
      return null;
    }
  }

  /** Keeps a document from the next `close` on. */
  keep({ file, awf, known, text }: ParseOrigin, parsed: Parsed): void {
    const json = JSON.stringify({ text, parsed });
    if (!this.#options.isPlain(json, parsed)) return;
    const folder = this.#folder(dirname(file), known);
    folder.entries.set(keyOf(file, awf), Buffer.from(json));
    folder.isChanged = true;
  }

  /** Writes what is new, and holds nothing any more. */
  close(): void {
    for (const [path, folder] of this.#folders) if (folder.isChanged) this.#write(path, folder);
    this.#folders.clear();
  }

  #folder(path: string, known: string): Folder {
    const made = `${this.#options.build} ${known}`;
    const opened = this.#folders.get(path);
    if (opened?.made === made) return opened;
    const folder = { entries: entriesOf(this.#place(path), path, made), made, isChanged: false };
    this.#folders.set(path, folder);
    return folder;
  }

  #place(path: string): string {
    return join(this.#options.folder, hashOf(path));
  }

  #write(path: string, { entries, made }: Folder): void {
    try {
      const there = [...entries].filter(([key]) => existsSync(join(path, key.slice(key.indexOf(":") + 1))));
      const placed: { [key: string]: Entry } = {};
      let at = 0;
      for (const [key, bytes] of there) {
        placed[key] = [at, bytes.length];
        at += bytes.length;
      }
      if (at > MOST_BYTES) return;
      const header = Buffer.from(JSON.stringify({ folder: path, made, entries: placed } satisfies Header));
      const length = Buffer.alloc(LENGTH_BYTES);
      length.writeUInt32LE(header.length);
      mkdirSync(this.#options.folder, { recursive: true, mode: 0o700 });
      const draft = `${this.#place(path)}.${process.pid}`;
      rmSync(draft, { force: true });
      const whole = [length, header, ...there.map(([, bytes]) => bytes)];
      writeFileSync(draft, Buffer.concat([...whole, ...whole]), { mode: 0o600, flag: "wx" });
      renameSync(draft, this.#place(path));
      forgetOld(this.#options.folder);
    } catch {
      // I6: the next process parses, as this one did.
    }
  }
}

const keyOf = (file: string, awf: boolean): string => `${awf ? "awf" : "troupe"}:${basename(file)}`;

/** The documents of a folder of workflows; none where they cannot be used. */
function entriesOf(place: string, folder: string, made: string): Map<string, Buffer> {
  const entries = new Map<string, Buffer>();
  const bytes = ownBytes(place);
  if (bytes === null) return entries;
  try {
    const end = LENGTH_BYTES + bytes.readUInt32LE(0);
    const header: Header = JSON.parse(bytes.toString("utf8", LENGTH_BYTES, end));
    if (header.folder !== folder || header.made !== made) return entries;
    for (const [key, [at, size]] of Object.entries(header.entries)) {
      const entry = bytes.subarray(end + at, end + at + size);
      if (entry.length === size) entries.set(key, entry);
    }
  } catch {
    // I3
  }
  return entries;
}

/** The bytes of a file of the user's own (I1), of which the second half says the same (I3); null where there is none. */
function ownBytes(path: string): Buffer | null {
  let file: number | null = null;
  try {
    file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    const stat = fstatSync(file);
    const isOwn =
      process.getuid === undefined || (stat.uid === process.getuid() && (stat.mode & WRITABLE_BY_OTHERS) === 0);
    if (!isOwn || !stat.isFile() || stat.size > 4 * MOST_BYTES) return null;
    const bytes = readFileSync(file);
    const whole = bytes.subarray(0, bytes.length / 2);
    return bytes.subarray(bytes.length / 2).equals(whole) ? whole : null;
  } catch {
    return null;
  } finally {
    if (file !== null) closeSync(file);
  }
}

function forgetOld(folder: string): void {
  const names = readdirSync(folder);
  if (names.length <= MOST_FILES) return;
  const files = names
    .map((name) => ({ path: join(folder, name), at: statSync(join(folder, name)).mtimeMs }))
    .sort((a, b) => b.at - a.at);
  for (const { path } of files.slice(MOST_FILES)) rmSync(path, { force: true });
}
