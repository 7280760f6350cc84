/**
 * A folder of one run that stands in the place of a program's own: links to all that is in the user's, with some files
 * written anew. The user's is not touched.
 *
 * I1. Conversations and logins are the user's own: they are links. What the program put in a link's place is given back.
 */
import { copyFileSync, lstatSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { Scratch } from "./scratch.ts";

export type Linked = {
  /** The user's folder. */
  theirs: string;
  /** Where ours is, inside the scratch folder. */
  ours: string;
  /** Folders that are made in the user's where they are missing, so that what is put there outlives the run. */
  kept: readonly string[];
  /** Files that are ours alone, with their texts. */
  written: { readonly [name: string]: string };
  /** What is neither linked nor given back. */
  left: readonly string[];
};

/** Makes the folder; the answer gives back what the program put there. */
export function linkedFolder({ theirs, ours, kept, written, left }: Linked, scratch: Scratch): () => void {
  for (const name of kept) mkdirSync(join(theirs, name), { recursive: true, mode: 0o700 });
  const isOurs = (name: string): boolean => Object.hasOwn(written, name) || left.includes(name);
  const at = (name: string): string => scratch.path(join(ours, name));
  mkdirSync(scratch.path(ours), { recursive: true, mode: 0o700 });
  for (const [name, text] of Object.entries(written)) scratch.file(join(ours, name), text);
  for (const name of readdirSync(theirs)) if (!isOurs(name)) symlinkSync(join(theirs, name), at(name));
  return () => {
    for (const name of readdirSync(scratch.path(ours))) {
      if (!isOurs(name) && lstatSync(at(name)).isFile()) copyFileSync(at(name), join(theirs, name));
    }
  };
}
