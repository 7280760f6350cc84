/** The folder in which trees stand, made where it is missing. */
import { mkdir } from "node:fs/promises";
import { codeOfErrno } from "../errors/system.ts";
import { TroupeError } from "../errors/troupe-error.ts";

/** Throws SYSTEM.IO.* with what to do where the system lets nothing be made there. */
export async function makeRoom(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (error) {
    const { code = "", message } = error as NodeJS.ErrnoException;
    const known = codeOfErrno(code);
    if (known === null) throw error;
    const next = "name one that you may write to in your configuration: worktrees: {dir: /var/tmp/trees}";
    throw new TroupeError(
      known,
      `the folder for trees of steps cannot be made: ${message}; ${next}`,
      { folder },
      error,
    );
  }
}
