/**
 * What stands at a path, and nothing where nothing can stand there: also below a file, behind links in a circle, and by a
 * name that no file can have. Node's own way (`throwIfNoEntry`) throws there.
 */
import { lstatSync, type Stats, statSync } from "node:fs";

const NOTHING: ReadonlySet<string> = new Set(["ENOTDIR", "ELOOP", "ENAMETOOLONG"]);

/** Links followed. */
export const statAt = (path: string): Stats | undefined => found(() => statSync(path, { throwIfNoEntry: false }));
/** Of a link itself. */
export const lstatAt = (path: string): Stats | undefined => found(() => lstatSync(path, { throwIfNoEntry: false }));

function found(look: () => Stats | undefined): Stats | undefined {
  try {
    return look();
  } catch (error) {
    if (NOTHING.has((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw error;
  }
}
