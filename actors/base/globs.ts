/** Globs as this machine's file system takes them. */
import { type Glob, globOf } from "../../machines/glob.ts";

const caseless = process.platform === "darwin" || process.platform === "win32";
const MOST_KEPT = 100;
const kept = new Map<string, Glob>();

/** Of a glob that was read before, the same again. */
export function globHere(glob: string): Glob {
  const known = kept.get(glob);
  if (known !== undefined) return known;
  const made = globOf(glob, { caseless });
  if (kept.size >= MOST_KEPT) kept.clear();
  kept.set(glob, made);
  return made;
}

/** Whether a path fits; none fits what is no glob. */
export function fitsGlob(path: string, glob: string): boolean {
  const read = globHere(glob);
  return read.ok && read.fits(path);
}
