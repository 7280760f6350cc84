/** What a folder holds, for tests that search it. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * Every file below a folder, by its place, as bytes in a text (latin1). A program that has just ended may still take its
 * own folder away: then it is read again.
 */
export function filesBelow(folder: string): { [place: string]: string } {
  try {
    return Object.fromEntries(
      readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => join(parentPath, name))
        .map((place) => [place, readFileSync(place, "latin1")]),
    );
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return filesBelow(folder);
    throw error;
  }
}
