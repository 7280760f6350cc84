/** Copies of the user's store and of what is said with agents, and how one is put back. */
import { resolve } from "node:path";
import { randomWord } from "../../base/random.ts";
import { type Environment, userFolders } from "../../base/user-folders.ts";
import { copyConversations } from "../../conversations/copying.ts";
import { CONVERSATIONS_FOLDER, KeptConversations } from "../../conversations/kept.ts";
import { TroupeError } from "../../errors/troupe-error.ts";
import { copyStore, type FolderBeside, restoreStore } from "../../host/sqlite/copies.ts";
import { storeFileOf } from "../store-file.ts";

type Asked = { environment: Environment; cwd: string; folder: string };
const freshId = (): string => randomWord(6, "hex");
const beside: FolderBeside[] = [{ name: CONVERSATIONS_FOLDER, copy: copyConversations }];

/** Copies the store as it is now, while others use it. Throws USER.CLI.EXISTS, SYSTEM.STORE.*, SYSTEM.IO.WRITE_FAILED. */
export function backUp({ environment, cwd, folder }: Asked): { folder: string; files: string[] } {
  const into = resolve(cwd, folder);
  const files = told(() => copyStore({ file: storeFileOf(environment), folder: into, id: freshId(), beside }), into);
  return { folder: into, files };
}

/** Puts a copy in the store's place. `replaced`: where what stood there is now. Throws SYSTEM.STORE.*, USER.CLI.EXISTS. */
export function restore({ environment, cwd, folder, force }: Asked & { force: boolean }): {
  file: string;
  replaced: string | null;
} {
  const file = storeFileOf(environment);
  refuseOpen(environment);
  const replaced = told(() => restoreStore({ file, folder: resolve(cwd, folder), id: freshId(), beside, force }), file);
  return { file, replaced };
}

/** What a terminal continues would go on in the folder that was moved aside. */
function refuseOpen(environment: Environment): void {
  const open = new KeptConversations(userFolders(environment).state).list().filter(({ isOpen }) => isOpen);
  if (open.length === 0) return;
  const ids = open.map(({ head }) => head.id).join(", ");
  const message = `a terminal has a conversation open (${ids}): leave it there, then try again`;
  throw new TroupeError("SYSTEM.STORE.BUSY", message, { conversations: ids });
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
