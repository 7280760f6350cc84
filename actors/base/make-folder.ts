/**
 * A folder, and those above it, for this user alone.
 *
 * I1. From the top down: some systems say of a folder that it is not there, and do not let it be made either. Node's own
 *     way (`recursive`) tries that for ever.
 */
import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

export function makeFolder(folder: string): void {
  if (isFolder(folder)) return;
  const above = dirname(folder);
  if (above !== folder) makeFolder(above);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (isFolder(folder)) return; // another process has made it by now
    const fault = error as NodeJS.ErrnoException;
    if (fault.code === "EEXIST") fault.message = `${folder} is no folder`;
    throw fault;
  }
}
const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
