/**
 * The files of a project of AWF that have a place here too.
 *
 * I1. Only regular files are taken; a link is told, and not followed.
 */
import { type Dirent, readdirSync } from "node:fs";
import { join } from "node:path";
import { lstatAt } from "../../base/stat-at.ts";

/** Folders that mean the same here as there. */
const FOLDERS = ["workflows", "prompts", "scripts", "roles", "skills", "templates"] as const;

/** `path`: below `.awf`. */
export type AwfFile = { path: string; isWorkflow: boolean; isLink: boolean };

/** All of them, in the order of their names. */
export const awfFiles = (awf: string): AwfFile[] =>
  FOLDERS.flatMap((folder) =>
    entriesBelow(join(awf, folder), folder).map(({ path, entry }) => ({
      path,
      isWorkflow: folder === "workflows" && /\.ya?ml$/.test(path) && !path.slice("workflows/".length).includes("/"),
      isLink: !entry.isFile(),
    })),
  );

function entriesBelow(folder: string, below: string): { path: string; entry: Dirent }[] {
  if (lstatAt(folder)?.isDirectory() !== true) return [];
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => a.name.localeCompare(b.name, "en"))
    .flatMap((entry) => {
      const path = `${below}/${entry.name}`;
      return entry.isDirectory() ? entriesBelow(join(folder, entry.name), path) : [{ path, entry }];
    });
}

/** The names of what stands in a folder and has no place here. */
export const namesIn = (folder: string): string[] =>
  lstatAt(folder)?.isDirectory() === true ? readdirSync(folder).sort() : [];
