/** Whether a workflow has more states, inputs or levels of containers than one may have: then nothing else is looked at. */
import type { FileLimits } from "./limits.ts";
import type { Report } from "./report.ts";
import { child, type Located } from "./yaml/located.ts";

const lengthOf = (at: Located | undefined): number => at?.entries?.size ?? at?.items?.length ?? 0;

/** Names in a container's list. */
const membersOf = (state: Located): string[] =>
  (child(state, "body") ?? child(state, "parallel"))?.items?.flatMap(({ value }) =>
    typeof value === "string" ? [value] : [],
  ) ?? [];

/**
 * How many containers stand in each other, at most. A container that stands in itself is a fault of another kind, and
 * counts once. No recursion: a chain of containers may be as long as the file.
 */
function levelsOf(states: Located | undefined): number {
  const known = new Map<string, number>();
  const done = new Set<string>();
  let most = 0;
  for (const name of states?.entries?.keys() ?? []) {
    const open = [name];
    for (let at = open.at(-1); at !== undefined; at = open.at(-1)) {
      if (done.has(at)) {
        open.pop();
        continue;
      }
      const entry = states?.entries?.get(at);
      const members = entry === undefined ? [] : membersOf(entry.value);
      const unknown = known.has(at) ? [] : members.filter((member) => !known.has(member));
      if (!known.has(at)) known.set(at, 0);
      if (unknown.length > 0) {
        open.push(...unknown);
        continue;
      }
      open.pop();
      done.add(at);
      const below = members.reduce((deepest, member) => Math.max(deepest, known.get(member) ?? 0), 0);
      if (members.length > 0) known.set(at, below + 1);
      most = Math.max(most, known.get(at) ?? 0);
    }
  }
  return most;
}

/** Adds a fault for what is too much; true where there is one. */
export function isTooLarge(report: Report, limits: FileLimits): boolean {
  const states = child(report.root, "states");
  const rows = [
    { field: "states", count: lengthOf(states), most: limits.states, message: `more than ${limits.states} states` },
    {
      field: "inputs",
      count: lengthOf(child(report.root, "inputs")),
      most: limits.inputs,
      message: `more than ${limits.inputs} inputs`,
    },
    {
      field: "states",
      count: levelsOf(states),
      most: limits.depth,
      message: `loops and parallels stand in each other more than ${limits.depth} levels deep`,
    },
  ];
  const over = rows.filter(({ count, most }) => count > most);
  for (const { field, message } of over) {
    report.add({ code: "WORKFLOW.PARSE.LIMIT_EXCEEDED", message, path: [field], on: "key", loads: false });
  }
  return over.length > 0;
}
