/** Whether a workflow stands where it is run. */
import { realpathSync } from "node:fs";
import { dirname, isAbsolute, relative, sep } from "node:path";
import type { Loaded } from "./catalogue.ts";

/**
 * The directory of a workflow's file where that stands neither below `cwd` nor in a folder of the user's; else null. A
 * pack is in one of the two.
 */
export function outsideOf({ real, origin }: Pick<Loaded, "real" | "origin">, cwd: string): string | null {
  if (origin === "user" || origin === "pack" || real.startsWith(`${cwd}${sep}`)) return null; // no link is in a real path
  const way = relative(realpathSync.native(cwd), real);
  return way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way) ? dirname(real) : null;
}
