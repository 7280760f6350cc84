/** Finds a workflow by what a caller calls it: an id, a bare name, or the path of a file. */
import { existsSync } from "node:fs";
import { basename, dirname, join, resolve, sep } from "node:path";
import { repeated } from "../../machines/repeated.ts";
import { suggest } from "../../machines/workflow/suggest.ts";
import { statAt } from "../base/stat-at.ts";
import { TroupeError } from "../errors/troupe-error.ts";
import { type Discovery, type FoundWorkflow, isName } from "./discover.ts";
import { realPath } from "./folder.ts";
import { type CatalogueOptions, templateFolders } from "./search-paths.ts";

const PATH = /^(\.{1,2}[/\\]|[/\\]|~[/\\])|\.ya?ml$/;
const YAML = /\.ya?ml$/;
const LOCAL = /^local\/([^/]+)$/;

const missing = (what: string, given: string): string =>
  repeated(given) === `"${given}"` ? `there is no ${what} "${given}"` : `what you gave names no ${what}`;

/** What an error says of an identifier to a program: what its message may repeat. */
const told = (identifier: string): { identifier?: string } =>
  repeated(identifier) === `"${identifier}"` ? { identifier } : {};

/** Whether an identifier is the path of a file rather than an id. */
export const isPath = (identifier: string): boolean => PATH.test(identifier);

/** What is left out of a discovery may be what is looked for. */
const UNREAD = / cannot be read: /;

/** `name`, `local/name`, `pack/name`; a bare name may also mean the only pack's workflow of that name. */
export function findById(identifier: string, discovery: Discovery, near: string | null): FoundWorkflow {
  const { found, packs } = discovery;
  if (identifier === "") {
    const message = "no workflow was named: give the name of a workflow, as `troupe list` shows it";
    throw new TroupeError("USER.FACADE.IDENTIFIER_EMPTY", message);
  }
  // `local/name` is a workflow of no pack, as AWF's paths have it.
  const local = LOCAL.exec(identifier)?.[1];
  if (local !== undefined) return findById(local, discovery, null);
  const parts = identifier.split("/");
  if (parts.length > 2 || !parts.every(isName)) {
    const message = `${repeated(identifier)} is not the name of a workflow: expected name or pack/name`;
    throw new TroupeError("USER.FACADE.IDENTIFIER_MALFORMED", message, told(identifier));
  }
  // A workflow of a pack means its neighbours first.
  const neighbour = near === null || parts.length === 2 ? undefined : found.get(`${near}/${identifier}`);
  const exact = neighbour ?? found.get(identifier);
  if (exact !== undefined) return exact;
  const [pack = "", name] = parts;
  if (name === undefined) {
    const inPacks = [...found.values()].filter((each) => each.id.endsWith(`/${identifier}`));
    const [only, second] = inPacks;
    if (only !== undefined && second === undefined) return only;
    if (only !== undefined) {
      const ids = inPacks.map(({ id }) => id);
      const message = `"${identifier}" is in several packs: say which, ${ids.join(" or ")}`;
      throw new TroupeError("USER.FACADE.WORKFLOW_NOT_FOUND", message, { ...told(identifier), candidates: ids });
    }
  } else if (!packs.has(pack) && ![...found.keys()].some((id) => id.startsWith(`${pack}/`))) {
    const like = suggest(pack, [...packs]);
    const message = `${missing("pack", pack)}${like === null ? "" : `: did you mean "${like}"?`}`;
    throw new TroupeError("USER.FACADE.PACK_NOT_FOUND", message, { ...told(identifier), suggestion: like });
  }
  const like = suggest(identifier, [...found.keys()]);
  const help = like === null ? "`troupe list` shows what there is" : `did you mean "${like}"?`;
  const unread = discovery.warnings.filter((each) => UNREAD.test(each)).map((each) => `; ${each}`);
  const message = `${missing("workflow", identifier)}: ${help}${unread.join("")}`;
  throw new TroupeError("USER.FACADE.WORKFLOW_NOT_FOUND", message, { ...told(identifier), suggestion: like });
}

/** The workflow file whose ending was left out; null where there is none. */
export const wholePath = (file: string): string | null =>
  [".yaml", ".yml"].map((ending) => file + ending).find((one) => statAt(one)?.isFile()) ?? null;

function unfoundFile(file: string, like: string | null): TroupeError {
  const meant = like === null ? "" : `: did you mean "${like}"?`;
  return new TroupeError("USER.FACADE.WORKFLOW_NOT_FOUND", `there is no file ${file}${meant}`, {
    file,
    ...(like === null ? {} : { suggestion: like }),
  });
}

/** A file by its path, absolute or from `cwd`. Its own folder's templates come first. */
export function findByPath(path: string, cwd: string, options: CatalogueOptions, { found }: Discovery): FoundWorkflow {
  const file = /^~[/\\]/.test(path) ? join(options.homedir, path.slice(2)) : resolve(cwd, path);
  for (const each of found.values()) if (each.file === file) return each;
  const real = realPath(file);
  if (real === null || !existsSync(real)) {
    // A secret may begin like a path.
    if (!YAML.test(path)) {
      const whole = wholePath(file);
      if (whole !== null) throw unfoundFile(file, path + whole.slice(file.length));
      const message = "what you gave is read as a path, and no file is there: expected name, pack/name or path.yaml";
      throw new TroupeError("USER.FACADE.WORKFLOW_NOT_FOUND", message);
    }
    const name = basename(file).replace(YAML, "");
    throw unfoundFile(file, found.has(name) ? name : suggest(name, [...found.keys()]));
  }
  const awf = file.split(sep).includes(".awf");
  const templates = [join(dirname(dirname(file)), "templates"), ...templateFolders(cwd, options)];
  const id = (file.split(sep).at(-1) ?? file).replace(YAML, "");
  return { id, file, real, origin: awf ? "awf" : "troupe", awf, templates, fault: null };
}
