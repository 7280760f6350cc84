/**
 * The folders that a workflow's files stand in: `awf.*_dir` of templates, roles and skills.
 *
 * I1. Local before the user's own, `.troupe` before `.awf`; the folder of a pack that the workflow is of goes first.
 */

import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { absolute, type Environment } from "../base/user-folders.ts";

export type Site = {
  environment: Environment;
  cwd: string;
  /** The workflow's file. */
  file: string | null;
};

const KINDS = ["prompts", "scripts", "skills", "workflows", "plugins"] as const;
type FolderKind = (typeof KINDS)[number] | "roles";
const NAMES = ["troupe", "awf"] as const;

export const homeOf = (environment: Environment): string => absolute(environment.HOME) ?? homedir();

function userFolders({ environment }: Site, variable: string, fallback: readonly string[]): string[] {
  const root = absolute(environment[variable]) ?? join(homeOf(environment), ...fallback);
  return NAMES.map((name) => join(root, name));
}
const configFolders = (site: Site): string[] => userFolders(site, "XDG_CONFIG_HOME", [".config"]);

/** The folder of the pack that the workflow's file stands in, or null. */
function packOf({ file }: Site): string | null {
  if (file === null) return null;
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    if (basename(dirname(folder)) === "workflow-packs") return folder;
  }
  return null;
}

/** Where files of a kind are looked for, first found wins. */
export function foldersOf(kind: FolderKind, site: Site): string[] {
  const pack = packOf(site);
  const own = NAMES.map((name) => join(site.cwd, `.${name}`, kind));
  const ofPack = pack === null ? [] : [...own.map((folder) => join(folder, basename(pack))), join(pack, kind)];
  return [...ofPack, ...own, ...configFolders(site).map((folder) => join(folder, kind))];
}

const firstOf = (folders: readonly string[]): string =>
  folders.find((folder) => existsSync(folder)) ?? folders[0] ?? "";

/** `awf` of templates: one folder for each kind, the first that exists. */
export function awfFolders(site: Site): { [name: string]: string } {
  const kinds = KINDS.map((kind): [string, string] => [`${kind}_dir`, firstOf(foldersOf(kind, site))]);
  return {
    config_dir: firstOf(configFolders(site)),
    data_dir: firstOf(userFolders(site, "XDG_DATA_HOME", [".local", "share"])),
    cache_dir: firstOf(userFolders(site, "XDG_CACHE_HOME", [".cache"])),
    ...Object.fromEntries(kinds),
    roles_dir: firstOf(foldersOf("roles", site)),
  };
}

/** The folders that a relative path of the workflow is tried in: beside its file, then the run's. */
export const basesOf = ({ cwd, file }: Site): string[] => (file === null ? [cwd] : [dirname(file), cwd]);

/** The folders that a workflow may read from. */
export const rootsOf = (site: Site): string[] => [...basesOf(site), ...KINDS.flatMap((kind) => foldersOf(kind, site))];

/**
 * Where a path of the workflow may stand: beside its file, in the run's folder, and, for one that leads into a folder
 * like `{{.awf.scripts_dir}}`, in the later folders of that kind.
 */
export function candidatesOf(path: string, site: Site): string[] {
  const absolute = basesOf(site).map((base) => resolve(base, path));
  for (const kind of KINDS) {
    const folders = foldersOf(kind, site);
    const inside = folders.map((folder) => relative(folder, resolve(site.cwd, path)));
    const rest = inside.find((each) => each !== "" && !each.startsWith("..") && !isAbsolute(each));
    if (rest !== undefined) absolute.push(...folders.map((folder) => join(folder, rest)));
  }
  return absolute;
}

/**
 * The folder or file of the user's home that the author names by `~/…`, and may be read. No value chooses it: what
 * stands before the first template does, and that is never the whole home.
 */
function rootInHome(written: string, { environment }: Site): string | null {
  if (!written.startsWith("~/")) return null;
  const [literal = ""] = written.split("{{", 1);
  const named = literal === written ? written : literal.slice(0, literal.lastIndexOf("/"));
  return named === "~" ? null : join(homeOf(environment), named.slice(2));
}

/** What `readAllowed` needs of a site. `written`: the path as it stands in the workflow, where it may begin with `~/`. */
export function readingOf(
  path: string,
  site: Site,
  written = "",
): { path: string; candidates: string[]; roots: string[] } {
  const root = rootInHome(written, site);
  if (root === null) return { path, candidates: candidatesOf(path, site), roots: rootsOf(site) };
  const file = join(homeOf(site.environment), path.slice(2));
  return { path, candidates: [file], roots: [...rootsOf(site), root] };
}
