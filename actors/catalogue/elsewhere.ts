/**
 * What a name means that no workflow of a directory has: one of a folder above, or what stands behind a link that is
 * skipped.
 *
 * I1. As far up as a person's project may be (`project-folder.ts`): the root of the repository.
 * I2. Names and kinds only; nothing is opened.
 */
import { join } from "node:path";
import { repeated } from "../../machines/repeated.ts";
import { statAt } from "../base/stat-at.ts";
import { TroupeError } from "../errors/troupe-error.ts";
import type { Discovery } from "./discover.ts";
import { wholePath } from "./identifier.ts";
import { foldersAbove } from "./project-folder.ts";

const LOST: ReadonlySet<string> = new Set(["USER.FACADE.WORKFLOW_NOT_FOUND", "USER.FACADE.PACK_NOT_FOUND"]);
/** What a path may be taken for whose ending was left out. */
const ODD: ReadonlySet<string> = new Set(["USER.FACADE.IDENTIFIER_MALFORMED", "USER.FACADE.PACK_NOT_FOUND"]);
const LEADS_OUT = "is skipped: the link leads out of";

type Place = { folder: string; file: string };

/** The nearest folder above that has it, and its file there. */
function above(identifier: string, cwd: string): Place | null {
  const [first = "", second] = identifier.split("/");
  const inside = second === undefined ? ["workflows", first] : ["workflow-packs", first, "workflows", second];
  for (const folder of foldersAbove(cwd)) {
    for (const flavour of [".troupe", ".awf"]) {
      for (const ending of [".yaml", ".yml"]) {
        const file = `${join(folder, flavour, ...inside)}${ending}`;
        if (statAt(file)?.isFile()) return { folder, file };
      }
    }
  }
  return null;
}

/** The error that says that a name is unknown, with where it is known, or with the path that was meant; any other as it is. */
export function withElsewhere(error: unknown, identifier: string, cwd: string, { warnings }: Discovery): unknown {
  if (error instanceof TroupeError && ODD.has(error.code) && identifier.includes("/")) {
    const file = wholePath(join(cwd, identifier));
    const path = file?.slice(join(cwd, "/").length);
    const message = `a path of a workflow has its ending: did you mean "${path}"?`;
    if (path !== undefined) return new TroupeError(error.code, message, { ...error.details, suggestion: path });
  }
  const isLost = error instanceof TroupeError && LOST.has(error.code) && error.details["candidates"] === undefined;
  if (!isLost || repeated(identifier) !== `"${identifier}"`) return error;
  const name = identifier.replace(/^local\//, "");
  const place = above(name, cwd);
  if (place !== null) {
    const { folder, file } = place;
    const message = `there is no workflow "${name}" in ${cwd}, but ${folder} has one: run it from there, or give the path of its file, ${file}`;
    return new TroupeError(error.code, message, { ...error.details, folder, file });
  }
  const link = warnings.find((each) => each.includes(LEADS_OUT));
  if (link === undefined) return error;
  const help = "TROUPE_WORKFLOWS_PATH may name a folder anywhere";
  return new TroupeError(error.code, `${error.message}. ${link}; ${help}`, error.details);
}
