/** A file that a command writes for its user. */
import { closeSync, fchmodSync, fstatSync, openSync, writeFileSync } from "node:fs";
import { TroupeError } from "../../actors/troupe.ts";

const PRIVATE = 0o600;

/** Writes it for its user alone to read, also where one stood there before. Throws SYSTEM.IO.WRITE_FAILED. */
export function writeOwn(file: string, text: string): void {
  try {
    const opened = openSync(file, "w", PRIVATE);
    try {
      if (fstatSync(opened).isFile()) keepPrivate(opened); // a device is no file of ours
      writeFileSync(opened, text);
    } finally {
      closeSync(opened);
    }
  } catch (error) {
    throw new TroupeError("SYSTEM.IO.WRITE_FAILED", `${file} cannot be written: ${(error as Error).message}`, { file });
  }
}

function keepPrivate(opened: number): void {
  try {
    fchmodSync(opened, PRIVATE);
  } catch {
    // Another user's file, or a file system that has no rights: who reads it was not ours to say.
  }
}
