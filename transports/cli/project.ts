/** Where a command looks for workflows, and where its runs begin: the project that the user stands in. */
import { isPath, projectFolder } from "../../actors/looking.ts";
import type { CommandContext } from "./io.ts";

/** A path is meant from where the user stands; a name is one of the project. */
export function inProject<C extends CommandContext>(context: C, workflows: readonly string[] = []): C {
  if (workflows.some(isPath)) return context;
  return { ...context, io: { ...context.io, cwd: projectFolder(context.io.cwd) } };
}
