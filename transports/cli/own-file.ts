/** A file that a command writes for its user. */
import { writeFileSync } from "node:fs";
import { TroupeError } from "../../actors/troupe.ts";

/** Writes it for its user alone to read. Throws SYSTEM.IO.WRITE_FAILED. */
export function writeOwn(file: string, text: string): void {
  try {
    writeFileSync(file, text, { mode: 0o600 });
  } catch (error) {
    throw new TroupeError("SYSTEM.IO.WRITE_FAILED", `${file} cannot be written: ${(error as Error).message}`, { file });
  }
}
