/**
 * What a step that works in a tree of its own finds in its environment: where that is, and the first of its ports.
 *
 * I1. A command in a tree finds none of the variables by which git is led to another repository, as a hook of git has
 *     them: what it commits would stand in the user's checkout.
 */
import type { Scope } from "../../machines/scope.ts";
import type { Environment } from "../base/user-folders.ts";
import { type ChildEnvironment, commandEnvironment } from "../process/environment.ts";

const LEADS_ELSEWHERE = new Set([
  "GIT_DIR",
  "GIT_WORK_TREE",
  "GIT_INDEX_FILE",
  "GIT_COMMON_DIR",
  "GIT_OBJECT_DIRECTORY",
  "GIT_ALTERNATE_OBJECT_DIRECTORIES",
  "GIT_PREFIX",
  "GIT_NAMESPACE",
]);

export const treeEnvironment = ({ tree }: Pick<Scope, "tree">): ChildEnvironment =>
  tree === undefined ? {} : { TROUPE_WORKTREE: tree.path, TROUPE_PORT_BASE: String(tree.portBase) };

/** The environment of a command where the step works, in a tree or in none. */
export function placedEnvironment(parent: Environment, scope: Pick<Scope, "tree">): ChildEnvironment {
  const given = commandEnvironment(parent);
  if (scope.tree === undefined) return given;
  const kept = Object.entries(given).filter(([name]) => !LEADS_ELSEWHERE.has(name)); // I1
  return { ...Object.fromEntries(kept), ...treeEnvironment(scope) };
}
