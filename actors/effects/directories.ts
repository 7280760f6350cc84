/** The folders beside its own that a session opens to its agents. */
import type { AgentRequest } from "../agents/agent.ts";
import { statAt } from "../base/stat-at.ts";

/** Those that are there now. A program may fail for one that is not; it is left out, and that is said. */
export function directoriesOf(
  named: readonly string[] = [],
  note: (message: string) => void,
): Pick<AgentRequest, "directories"> {
  const directories = named.filter((path) => statAt(path)?.isDirectory() === true);
  for (const path of named)
    if (!directories.includes(path)) note(`the folder ${path} is not there: agents work without it`);
  return directories.length === 0 ? {} : { directories };
}
