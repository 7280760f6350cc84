/** A file that a command writes for its user. */
import { closeSync, fchmodSync, fstatSync, openSync, writeFileSync } from "node:fs";
import { TroupeError } from "../../actors/troupe.ts";
import { usage } from "./failure.ts";

const PRIVATE = 0o600;

/** Whether a path that a user gave leads to no file: there is none, or a folder, or a file in a folder's place. */
export const isNoFile = (error: unknown): boolean =>
  ["ENOENT", "ENOTDIR", "EISDIR"].includes(String((error as NodeJS.ErrnoException).code));

/** Writes it for its user alone to read, also where one stood there before. Throws SYSTEM.IO.WRITE_FAILED and USER.CLI.USAGE. */
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
    if (isNoFile(error))
      throw usage(`${file} cannot be written: expected the path of a file, in a folder that is there`);
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
