/** Copies of the user's store, and how one is put back. */
import { resolve } from "node:path";
import { randomWord } from "../../base/random.ts";
import type { Environment } from "../../base/user-folders.ts";
import { TroupeError } from "../../errors/troupe-error.ts";
import { copyStore, restoreStore } from "../../host/sqlite/copies.ts";
import { storeFileOf } from "../store-file.ts";

type Asked = { environment: Environment; cwd: string; folder: string };
const freshId = (): string => randomWord(6, "hex");

/** Copies the store as it is now, while others use it. Throws USER.CLI.EXISTS, SYSTEM.STORE.*, SYSTEM.IO.WRITE_FAILED. */
export function backUp({ environment, cwd, folder }: Asked): { folder: string; files: string[] } {
  const into = resolve(cwd, folder);
  const files = told(() => copyStore({ file: storeFileOf(environment), folder: into, id: freshId() }), into);
  return { folder: into, files };
}

/** Puts a copy in the store's place. `replaced`: where what stood there is now. Throws SYSTEM.STORE.*, USER.CLI.EXISTS. */
export function restore({ environment, cwd, folder, force }: Asked & { force: boolean }): {
  file: string;
  replaced: string | null;
} {
  const file = storeFileOf(environment);
  const replaced = told(() => restoreStore({ file, folder: resolve(cwd, folder), id: freshId(), force }), file);
  return { file, replaced };
}

function told<T>(act: () => T, place: string): T {
  try {
    return act();
  } catch (error) {
    if (error instanceof TroupeError) throw error;
    const message = `cannot write ${place}: ${(error as Error).message}`;
    throw new TroupeError("SYSTEM.IO.WRITE_FAILED", message, { place }, error);
  }
}
