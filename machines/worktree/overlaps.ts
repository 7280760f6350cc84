/** Files that several branches of a `parallel`, or rounds at once, have changed, each in a tree of its own. */
import { own, type StateResult, type StateResults, type WorktreeResult } from "../model.ts";

/** What each has changed, by its name. */
export type Changed = { [name: string]: string[] };
type Overlaps = NonNullable<WorktreeResult["overlaps"]>;

/** With what this one has changed; the same where it had no tree, or changed nothing. */
export function withChanged(changed: Changed | undefined, name: string, states: StateResults): { changed?: Changed } {
  const files = own(states, name)?.Worktree?.changed ?? [];
  if (files.length === 0) return changed === undefined ? {} : { changed };
  return { changed: { ...changed, [name]: files } };
}

/** By file, in the order of the names, those that have changed it; only where there are several. */
export function overlapsIn(changed: Changed): Map<string, string[]> {
  const all = new Map<string, string[]>();
  for (const [name, files] of Object.entries(changed))
    for (const file of files) all.set(file, [...(all.get(file) ?? []), name]);
  return new Map([...all].filter(([, names]) => names.length > 1));
}

/** The overlaps of one of them. */
export const overlapsOf = (all: Map<string, string[]>, name: string): Overlaps =>
  [...all].flatMap(([file, names]) =>
    names.includes(name) ? [{ file, with: names.filter((other) => other !== name) }] : [],
  );

export const withOverlaps = <R extends StateResult>(result: R, overlaps: Overlaps): R =>
  result.Worktree === undefined || overlaps.length === 0
    ? result
    : { ...result, Worktree: { ...result.Worktree, overlaps } };

const SHOWN = 5;
/** For people: each file with who has changed it. */
export function overlapsText(all: Map<string, string[]>): string {
  const named = [...all].slice(0, SHOWN).map(([file, names]) => `${file} (${names.join(", ")})`);
  const more = all.size - SHOWN;
  return `${named.join("; ")}${more > 0 ? `; and ${more} more files` : ""}`;
}
