/**
 * Lines in files that only grow: one after the other, each up to a limit. H48.
 *
 * I1. A line that was appended is with the kernel when `append` returns: a kill loses none, and at most cuts the one that
 *     is being written, which is taken back when the next one is appended. So is one that could not be written whole.
 * I2. Files and their folder are the user's alone. A name that is a link is not followed.
 * I3. So many segments stay; what is older goes, the oldest first.
 */
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";

export type SegmentLimits = { segmentBytes: number; segments: number };
export const SEGMENT_LIMITS: SegmentLimits = { segmentBytes: 64 * 1024 * 1024, segments: 5 };

const NAME = /^frames-(\d{6})\.ndjson$/;
const nameOf = (number: number): string => `frames-${String(number).padStart(6, "0")}.ndjson`;
const NEWLINE = 0x0a;
const CHUNK = 256 * 1024;
const { O_APPEND, O_CREAT, O_NOFOLLOW, O_RDONLY, O_RDWR } = constants;

/** The segments of a folder, the oldest first. */
export const segmentsIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => NAME.test(name))
    .toSorted();

export class Segments {
  readonly #folder: string;
  readonly #limits: SegmentLimits;
  /** What each segment begins with. */
  readonly #first: () => string;
  #number: number;
  #file: number;
  #bytes: number;
  /** Of the last line only a part may be there. */
  #isCut = false;

  constructor(folder: string, first: () => string, limits: SegmentLimits = SEGMENT_LIMITS) {
    this.#folder = folder;
    this.#limits = limits;
    this.#first = first;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const last = NAME.exec(segmentsIn(folder).at(-1) ?? "")?.[1];
    this.#number = last === undefined ? 1 : Number(last);
    [this.#file, this.#bytes] = this.#open(this.#number);
  }

  /** Where the next line goes. */
  get place(): { segment: string; bytes: number } {
    return { segment: nameOf(this.#number), bytes: this.#bytes };
  }

  append(line: string): void {
    const bytes = Buffer.from(`${line}\n`);
    if (this.#bytes > 0 && this.#bytes + bytes.length > this.#limits.segmentBytes) this.#next();
    this.#write(bytes);
  }
  close(): void {
    closeSync(this.#file);
  }

  #next(): void {
    const before = this.#file;
    [this.#file, this.#bytes] = this.#open(this.#number + 1);
    this.#isCut = false;
    this.#number += 1;
    closeSync(before); // once the next one is open: closed twice, its number may be another file's
    this.#write(Buffer.from(`${this.#first()}\n`));
    for (const old of segmentsIn(this.#folder).slice(0, -this.#limits.segments))
      rmSync(join(this.#folder, old), { force: true });
  }
  #write(bytes: Buffer): void {
    if (this.#isCut) ftruncateSync(this.#file, this.#bytes);
    this.#isCut = true;
    for (let from = 0; from < bytes.length; ) from += writeSync(this.#file, bytes, from);
    this.#bytes += bytes.length;
    this.#isCut = false;
  }
  #open(number: number): [file: number, bytes: number] {
    const file = openSync(join(this.#folder, nameOf(number)), O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600);
    fchmodSync(file, 0o600);
    const { size } = fstatSync(file);
    const whole = endOfLines(file, size);
    if (whole < size) ftruncateSync(file, whole);
    return [file, whole];
  }
}

/** Where the last whole line of a file ends. */
function endOfLines(file: number, size: number): number {
  const chunk = Buffer.allocUnsafe(CHUNK);
  for (let end = size; end > 0; ) {
    const from = Math.max(0, end - CHUNK);
    const read = readSync(file, chunk, 0, end - from, from);
    const at = chunk.subarray(0, read).lastIndexOf(NEWLINE);
    if (at >= 0) return from + at + 1;
    end = from;
  }
  return 0;
}

/** The whole lines of a folder's segments, in order; `after`: from this place on, where it is still there. */
export function* linesIn(folder: string, after?: { segment: string; bytes: number }): Generator<string> {
  for (const name of segmentsIn(folder)) {
    if (after !== undefined && name < after.segment) continue;
    const from = after?.segment === name ? after.bytes : 0;
    const file = openSync(join(folder, name), O_RDONLY | O_NOFOLLOW);
    try {
      yield* linesOf(file, from);
    } finally {
      closeSync(file);
    }
  }
}

function* linesOf(file: number, from: number): Generator<string> {
  const chunk = Buffer.allocUnsafe(CHUNK);
  let kept: Buffer[] = [];
  let at = from;
  for (;;) {
    const read = readSync(file, chunk, 0, CHUNK, at);
    if (read === 0) return;
    at += read;
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0 && end < read; end = chunk.indexOf(NEWLINE, start)) {
      yield Buffer.concat([...kept, chunk.subarray(start, end)]).toString("utf8");
      kept = [];
      start = end + 1;
    }
    if (start < read) kept.push(Buffer.from(chunk.subarray(start, read)));
  }
}
