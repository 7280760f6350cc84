/** Whether a run may begin where it stands: a workflow that starts Troupe, which starts that workflow, would never end. */
import type { Environment } from "../base/user-folders.ts";
import { TroupeError } from "../errors/troupe-error.ts";
import { depthIn } from "../process/marker.ts";
import { DEPTH_VARIABLE } from "../process/marker-names.ts";

/** So many Troupes may stand above a run, each started by a step of the one before. */
const MOST_ABOVE = 4;

/** Throws USER.RUN.TOO_DEEP. */
export function checkNested(environment: Environment, workflow: string): void {
  const depth = depthIn(environment);
  if (depth <= MOST_ABOVE) return;
  const message = `"${workflow}" was not run: it was started from a step of a run, which was started from a step of a run, and so on, ${depth} deep. Does a hook of git start a workflow that commits? Let the hook do nothing where ${DEPTH_VARIABLE} is set`;
  throw new TroupeError("USER.RUN.TOO_DEEP", message, { depth });
}
