/** What templates and expressions of one step may name. Travels down with each child's birth input. */
import type { Held } from "./budget/budget.ts";
import type { Json, StateResults } from "./model.ts";

export type LoopScope = {
  Item: Json;
  Index: number;
  Index1: number;
  First: boolean;
  Last: boolean;
  /** Number of items; -1 in a `while`. */
  Length: number;
  Parent: LoopScope | null;
};

/**
 * What was chosen for the session: an agent step takes it where it says nothing itself. `permissions`: what holds for a
 * tool that no rule names. `directories`: where agents may work besides their own folder.
 */
export type Chosen = {
  role?: string;
  model?: string;
  effort?: string;
  permissions?: string;
  directories?: string[];
  /** `allow`: what a file says need not be asked is merged without being asked. */
  merges?: "allow";
};
/** The tree in which a step works, what all trees of the repository share, and the first of its ports. */
export type TreeScope = { path: string; common: string; portBase: number };

export type Scope = {
  inputs: { [name: string]: Json };
  states: StateResults;
  workflow: { ID: string; Name: string; StartedAt: number; CurrentState?: string };
  loop: LoopScope | null;
  /** Only the variables that the document's expressions name: machines read no environment. */
  env: { [name: string]: string };
  context: { WorkingDir: string; User: string; Hostname: string };
  /** Only in error hooks. */
  error?: { Message: string; State: string; ExitCode: number; Type: string };
  /** The workflow's file, absolute, for paths beside it; null for a workflow built in memory. */
  file: string | null;
  /** The workflow stands in one of AWF's places. No template names it. */
  awf?: true;
  /** No template names it. */
  chosen?: Chosen;
  /** No template names it. */
  tree?: TreeScope;
  /** The budgets that hold here. No template names them. */
  budgets?: Held[];
};

/** So many names are looked up one by one. */
const FEW = 8;
const known = new WeakMap<readonly string[], ReadonlySet<string>>();
function setOf(names: readonly string[]): ReadonlySet<string> {
  const set = known.get(names) ?? new Set(names);
  known.set(names, set);
  return set;
}

/** The given names only, in no order that counts; `"all"` keeps everything. The cost is that of the fewer of the two. */
export function pick(states: StateResults, names: "all" | readonly string[]): StateResults {
  if (names === "all") return states;
  const kept: StateResults = {};
  const keep = (name: string): void => {
    const result = Object.hasOwn(states, name) ? states[name] : undefined;
    if (result !== undefined) kept[name] = result;
  };
  if (names.length <= FEW) for (const name of names) keep(name);
  else for (const name of Object.keys(states)) if (setOf(names).has(name)) keep(name);
  return kept;
}
