/**
 * The role of an agent step: the body of `<folder>/<role>/AGENTS.md`.
 *
 * I1. First found wins: TROUPE_ROLES_PATH or AWF_ROLES_PATH alone where one is set, else the workspace's folders
 *     (`.troupe/roles`, `.awf/roles`, `.agents/roles`), then the user's.
 */
import { existsSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { limitsOf } from "../base/limits.ts";
import { readAllowed } from "../catalogue/files.ts";
import { foldersOf, homeOf, type Site } from "../catalogue/workflow-paths.ts";
import { TroupeError } from "../errors/troupe-error.ts";
import { bodyOf } from "./front-matter.ts";
import type { EffectOptions } from "./options.ts";

const FILE = "AGENTS.md";
/** A name that is one folder: it leads nowhere else. */
const NAME = /^[\p{L}\p{N}_][\p{L}\p{N}_.-]*$/u;

/** Where a role may stand. Throws a `TroupeError` for what is no name. */
export function rolePlaces(role: string, where: string, site: Site): { candidates: string[]; roots: string[] } {
  if (!NAME.test(role)) {
    throw new TroupeError(
      "USER.INPUT.MISSING_ROLE",
      `${where}: "${role}" is no name of a role; expected letters, digits, _ . -`,
    );
  }
  const roots = roleFolders(site);
  return { candidates: roots.map((folder) => join(folder, role, FILE)), roots };
}

/** The role's text. Throws a `TroupeError` that names where it was looked for. */
export function roleText(role: string, where: string, site: Site, { limits }: Pick<EffectOptions, "limits">): string {
  const { candidates, roots } = rolePlaces(role, where, site);
  try {
    return bodyOf(readAllowed({ where, path: role, candidates, roots, maxBytes: limitsOf(limits).fileBytes }).text);
  } catch (error) {
    if (!(error instanceof TroupeError) || error.code !== "USER.INPUT.MISSING_FILE") throw error;
    throw new TroupeError("USER.INPUT.MISSING_ROLE", error.message, error.details);
  }
}

/** The names of all roles that a step in this place could have, sorted. Reads names only. */
export function roleNames(site: Site): string[] {
  const names = new Set<string>();
  for (const folder of roleFolders(site))
    for (const name of entriesOf(folder)) if (NAME.test(name) && existsSync(join(folder, name, FILE))) names.add(name);
  return [...names].sort();
}

function entriesOf(folder: string): string[] {
  if (!existsSync(folder)) return []; // as most are not, and an error costs more than a look
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function roleFolders(site: Site): string[] {
  const { environment, cwd } = site;
  const only = environment["TROUPE_ROLES_PATH"] || environment["AWF_ROLES_PATH"];
  if (only) return only.split(delimiter).filter((folder) => folder !== "");
  const [own, users] = splitAt(foldersOf("roles", site), -2);
  return [...own, join(cwd, ".agents", "roles"), ...users, join(homeOf(environment), ".agents", "roles")];
}

const splitAt = <T>(list: readonly T[], at: number): [T[], T[]] => [list.slice(0, at), list.slice(at)];
