/**
 * The folder whose workflows a person means who stands in a folder of a repository: the nearest one, up to the
 * repository's root, that has some.
 *
 * I1. Nothing above the root of a repository is looked at, and nothing above the folder itself outside of one.
 */
import { existsSync, statSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";

const PLACES = [".troupe", ".awf"].flatMap((folder) =>
  ["workflows", "workflow-packs"].map((kind) => join(folder, kind)),
);

/** `cwd` itself where none is found, and where it is no absolute path of something that is there. */
export function projectFolder(cwd: string): string {
  if (!isAbsolute(cwd) || hasPlace(cwd) || !existsSync(cwd)) return cwd;
  let nearest: string | null = null;
  for (let folder = cwd; ; ) {
    if (isRoot(folder)) return nearest ?? cwd;
    const above = dirname(folder);
    if (above === folder) return cwd;
    folder = above;
    if (nearest === null && hasPlace(folder)) nearest = folder;
  }
}

/** The folders above one, nearest first, up to the root of its repository; none outside of one (I1). */
export function foldersAbove(cwd: string): string[] {
  const folders: string[] = [];
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (folder !== cwd) folders.push(folder);
    if (isRoot(folder)) return folders;
    if (dirname(folder) === folder) return [];
  }
}

const hasPlace = (folder: string): boolean => PLACES.some((place) => existsSync(join(folder, place)));

/** In a work tree or a submodule `.git` is a file. */
const isRoot = (folder: string): boolean => {
  const git = join(folder, ".git");
  const found = statSync(git, { throwIfNoEntry: false });
  return found?.isFile() === true || (found !== undefined && existsSync(join(git, "HEAD")));
};
