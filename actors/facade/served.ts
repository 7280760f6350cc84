/**
 * Where a server of this user shows its page, for other processes of the same user: a file in the state folder, which
 * counts while the process that wrote it lives.
 *
 * I1. The address lets nobody in: no ticket and no token stands in it.
 * I2. Life is proved as an owner's is (`owner.ts`): what a server that has died has left is passed over, and taken out by
 *     the next one that begins.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Environment, userFolders } from "../base/user-folders.ts";
import { Owning } from "../host/sqlite/owner.ts";

const FOLDER = "served";
const ENDING = ".url";
/** Anything else in such a file is none of ours. */
const ADDRESS = /^https?:\/\/[\w.:[\]-]+\/$/;

const folderOf = (environment: Environment): string => join(userFolders(environment).state, FOLDER);

/** Says so until the answer is called. Throws where the state folder cannot be written. */
export function announcePage(environment: Environment, address: string): () => void {
  const folder = folderOf(environment);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const owning = new Owning(folder);
  for (const name of namesIn(folder))
    if (!owning.isAlive(name)) rmSync(join(folder, `${name}${ENDING}`), { force: true });
  owning.prove();
  const file = join(folder, `${owning.self}${ENDING}`);
  writeFileSync(file, address, { mode: 0o600 });
  return () => {
    rmSync(file, { force: true });
    owning.end();
  };
}

/** The address of the page that is served now, of several that of the server that began last; null where there is none. */
export function servedPage(environment: Environment): string | null {
  const folder = folderOf(environment);
  const looking = new Owning(folder);
  for (const name of namesIn(folder)) {
    if (!looking.isAlive(name)) continue;
    try {
      const address = readFileSync(join(folder, `${name}${ENDING}`), "utf8");
      if (ADDRESS.test(address)) return address;
    } catch {
      // It has just ended.
    }
  }
  return null;
}

const begunAt = (file: string): number => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** Those of the servers that began last come first. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(ENDING))
      .sort((one, next) => begunAt(join(folder, next)) - begunAt(join(folder, one)))
      .map((name) => name.slice(0, -ENDING.length));
  } catch {
    return [];
  }
}
