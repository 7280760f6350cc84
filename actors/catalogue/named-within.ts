/**
 * What a name means that no workflow has, but one has within its file: a workflow is run by the name of its file,
 * whatever its `name` says.
 *
 * I1. Only the heads of files are read, under the budget of the look; one that cannot be read has no name.
 */
import { TroupeError } from "../errors/troupe-error.ts";
import type { FoundWorkflow } from "./discover.ts";

const LOST: ReadonlySet<string> = new Set([
  "USER.FACADE.WORKFLOW_NOT_FOUND",
  // A name with blanks in it, which no file's name may have.
  "USER.FACADE.IDENTIFIER_MALFORMED",
]);
/** The most workflows that are named as what may be meant. */
const MOST_NAMED = 3;

type Within = { found: Iterable<FoundWorkflow>; nameOf: (found: FoundWorkflow) => string | null };

/** The error that says that a name is unknown, with the workflows that say it of themselves; any other as it is. */
export function withNamed(error: unknown, identifier: string, { found, nameOf }: Within): unknown {
  const isLost = error instanceof TroupeError && LOST.has(error.code);
  if (!isLost || error.details["candidates"] !== undefined || error.details["file"] !== undefined) return error;
  const name = identifier.replace(/^local\//, "");
  const ids = [...found].filter((each) => saysOf(each, nameOf) === name).map(({ id }) => id);
  const [suggestion] = ids;
  if (suggestion === undefined) return error;
  const meant = ids.slice(0, MOST_NAMED).map((id) => `"${id}"`);
  const message = `there is no workflow "${name}", but one of that \`name\`: a workflow is run by the name of its file; did you mean ${meant.join(" or ")}?`;
  return new TroupeError("USER.FACADE.WORKFLOW_NOT_FOUND", message, { ...error.details, suggestion });
}

function saysOf(found: FoundWorkflow, nameOf: Within["nameOf"]): string | null {
  try {
    return nameOf(found);
  } catch {
    return null;
  }
}
