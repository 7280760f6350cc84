/** Branches that have changed the same files, each in a tree of its own: said to people, and in their results. */
import type { ParallelInput } from "../contracts.ts";
import type { Row } from "../exchange.ts";
import { own, type StateResults } from "../model.ts";
import { type Changed, overlapsIn, overlapsOf, overlapsText, withOverlaps } from "../worktree/overlaps.ts";

type Branches = { birth: Pick<ParallelInput, "origin" | "node">; changed?: Changed };

/** In the order in which the author names the branches. */
function overlapsAmong({ birth, changed = {} }: Branches): Map<string, string[]> {
  const ordered: Changed = {};
  for (const name of birth.node.branches) {
    const files = own(changed, name);
    if (files !== undefined) ordered[name] = files;
  }
  return overlapsIn(ordered);
}

export function withBranchOverlaps(states: StateResults, branches: Branches): StateResults {
  const overlaps = overlapsAmong(branches);
  if (overlaps.size === 0) return states;
  const entries = Object.entries(states).map(
    ([name, result]) => [name, withOverlaps(result, overlapsOf(overlaps, name))] as const,
  );
  return Object.fromEntries(entries);
}

export function overlapRows(branches: Branches): Row[] {
  const overlaps = overlapsAmong(branches);
  if (overlaps.size === 0) return [];
  const { origin, node } = branches.birth;
  const { run, step } = origin;
  const message = `several branches of "${node.name}" have changed the same files: ${overlapsText(overlaps)}`;
  return [{ type: "notice", run, step, payload: { severity: "warning", message } }];
}
