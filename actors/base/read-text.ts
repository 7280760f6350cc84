/**
 * Reads one small text file.
 *
 * I1. Only a regular file is read, never through a link, and never more than the limit and one byte: a longer file
 *     comes back cut, so that its parser refuses it by size.
 * I2. What is not UTF-8 is refused: read all the same, its letters would silently be others.
 * I3. The stamp belongs to the very file that was read.
 */
import { isUtf8 } from "node:buffer";
import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from "node:fs";
import { FILE_LIMITS } from "../../machines/workflow/limits.ts";
import { TroupeError } from "../errors/troupe-error.ts";
import type { Budget } from "./budget.ts";
import { statAt } from "./stat-at.ts";

/** Whether a file is still the one that was read. */
export type Stamp = string;
export type Text = { text: string; stamp: Stamp };

const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

const stampFrom = (stat: Stats): Stamp => `${stat.dev}:${stat.ino}:${stat.size}:${stat.mtimeMs}:${stat.ctimeMs}`;

/** The stamp of the file that stands there now, or null when there is none. */
export function stampOf(path: string): Stamp | null {
  const stat = statAt(path);
  return stat === undefined ? null : stampFrom(stat);
}

/** Bytes of the file that stands there now; 0 when there is none. */
export const sizeOf = (path: string): number => statAt(path)?.size ?? 0;

function unreadable(path: string, error: unknown): TroupeError {
  const code = (error as NodeJS.ErrnoException).code ?? "";
  const denied = code === "EACCES" || code === "EPERM";
  const message = `${path} cannot be read: ${denied ? "permission denied" : code || String(error)}`;
  return new TroupeError(
    denied ? "SYSTEM.IO.PERMISSION_DENIED" : "SYSTEM.IO.READ_FAILED",
    message,
    { file: path },
    error,
  );
}

/** `text`: what became of it, with a mark where bytes were no letter. */
function notUtf8(path: string, text: string): TroupeError {
  const line = text.slice(0, text.indexOf("\uFFFD")).split("\n").length;
  const message = `${path} cannot be read: line ${line} is not UTF-8; save the file as UTF-8`;
  return new TroupeError("SYSTEM.IO.READ_FAILED", message, { file: path });
}

type Reading = {
  /** Bytes. */
  limit?: number;
  /** What the file, and to parse it, is paid from. */
  budget?: Budget;
};

/** The text of a file without links in its last part. Throws SYSTEM.IO.READ_FAILED or SYSTEM.IO.PERMISSION_DENIED. */
export function readText(path: string, { limit = FILE_LIMITS.bytes, budget }: Reading = {}): Text {
  let descriptor: number | null = null;
  try {
    descriptor = openSync(path, FLAGS);
    const stat = fstatSync(descriptor);
    if (!stat.isFile()) throw Object.assign(new Error("not a file"), { code: "not a regular file" });
    budget?.bytes(Math.min(stat.size, limit));
    const bytes = Buffer.allocUnsafe(Math.min(stat.size, limit) + 1);
    let length = 0;
    for (;;) {
      const read = readSync(descriptor, bytes, length, bytes.length - length, null);
      length += read;
      if (read === 0 || length === bytes.length) break;
    }
    const text = bytes.toString("utf8", 0, length);
    // Where it was cut, the last letter may be a half one; such a file is refused by its size.
    if (length <= limit && !isUtf8(bytes.subarray(0, length))) throw notUtf8(path, text);
    budget?.text(text);
    return { text, stamp: stampFrom(stat) };
  } catch (error) {
    throw error instanceof TroupeError ? error : unreadable(path, error);
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}
