/**
 * A skill of an agent step: the body of its `SKILL.md`, wrapped, with the names of the files beside it.
 *
 * I1. A name is looked for in TROUPE_SKILLS_PATH or AWF_SKILLS_PATH alone where one is set, else in the workspace's
 *     folders, then the user's; a `{path: …}` leads to a folder that the workflow may read.
 * I2. Files beside it are named, never read, and no more than the cap.
 */
import { type Dirent, readdirSync } from "node:fs";
import { basename, delimiter, dirname, join, relative } from "node:path";
import type { Json } from "../../machines/model.ts";
import { limitsOf } from "../base/limits.ts";
import { readAllowed } from "../catalogue/files.ts";
import { candidatesOf, foldersOf, homeOf, rootsOf, type Site } from "../catalogue/workflow-paths.ts";
import { TroupeError } from "../errors/troupe-error.ts";
import { bodyOf } from "./front-matter.ts";
import type { EffectOptions } from "./options.ts";
import type { Rendering } from "./rendering.ts";

const NAME = /^[\p{L}\p{N}_][\p{L}\p{N}_.-]*$/u;
const FILE = "SKILL.md";
const MAX_DEPTH = 4;

type SkillLimits = Pick<EffectOptions, "limits">;

/** The text that stands before the prompt. Throws a `TroupeError`. */
export function skillText(skill: Json, where: string, rendering: Rendering, { limits }: SkillLimits): string {
  const { fileBytes: maxBytes, skillFiles } = limitsOf(limits);
  const { path, candidates, roots } = skillPlaces(skill, where, rendering);
  try {
    const found = readAllowed({ where, path, candidates, roots, maxBytes });
    const folder = dirname(found.path);
    return wrapped(basename(path), bodyOf(found.text), folder, filesIn(folder, skillFiles));
  } catch (error) {
    if (!(error instanceof TroupeError) || error.code !== "USER.INPUT.MISSING_FILE") throw error;
    throw new TroupeError("USER.INPUT.MISSING_SKILL", error.message, error.details);
  }
}

/** Where the text of a skill may stand. `rendering` gives the texts of templates. Throws a `TroupeError`. */
export function skillPlaces(
  skill: Json,
  where: string,
  rendering: Pick<Rendering, "site" | "text">,
): { path: string; candidates: string[]; roots: string[] } {
  const { site } = rendering;
  const filesIn = (folders: readonly string[]): string[] => folders.map((folder) => join(folder, FILE));
  if (typeof skill === "object" && skill !== null && !Array.isArray(skill) && typeof skill["path"] === "string") {
    const path = rendering.text(skill["path"], `${where}.path`);
    return { path, candidates: filesIn(candidatesOf(path, site)), roots: rootsOf(site) };
  }
  const name = typeof skill === "string" ? rendering.text(skill, where) : null;
  if (name === null || !NAME.test(name)) {
    const found = name === null ? JSON.stringify(skill) : `"${name}"`;
    throw new TroupeError(
      "USER.INPUT.MISSING_SKILL",
      `${where}: ${found} is no skill; expected a name or {path: folder}`,
    );
  }
  const roots = skillFolders(site);
  return { path: name, candidates: filesIn(roots.map((folder) => join(folder, name))), roots };
}

function skillFolders(site: Site): string[] {
  const { environment, cwd } = site;
  const only = environment["TROUPE_SKILLS_PATH"] || environment["AWF_SKILLS_PATH"];
  if (only) return only.split(delimiter).filter((folder) => folder !== "");
  const folders = foldersOf("skills", site);
  const shared = (root: string) => [join(root, ".agents", "skills"), join(root, ".claude", "skills")];
  return [...folders.slice(0, -2), ...shared(cwd), ...folders.slice(-2), ...shared(homeOf(environment))];
}

function wrapped(name: string, body: string, folder: string, files: readonly string[]): string {
  const resources = files.map((file) => `<file>${escaped(file)}</file>`);
  return [
    `<skill_content name="${escaped(name)}">`,
    body,
    "",
    `Skill directory: ${folder}`,
    ...(resources.length === 0 ? [] : ["<skill_resources>", ...resources, "</skill_resources>"]),
    "</skill_content>",
  ].join("\n");
}

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** Plain files below a folder, in order of name; links are not followed (I2). */
function filesIn(root: string, max: number): string[] {
  const files: string[] = [];
  const walk = (folder: string, depth: number): void => {
    for (const entry of entriesOf(folder)) {
      if (files.length >= max) return;
      const path = join(folder, entry.name);
      if (entry.isDirectory() && depth < MAX_DEPTH && !entry.name.startsWith(".")) walk(path, depth + 1);
      else if (entry.isFile() && relative(root, path) !== FILE) files.push(relative(root, path));
    }
  };
  walk(root, 0);
  return files;
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}
