/** What a step that works in a tree of its own finds in its environment: where that is, and the first of its ports. */
import type { Scope } from "../../machines/scope.ts";

export const treeEnvironment = ({ tree }: Pick<Scope, "tree">): { [name: string]: string } =>
  tree === undefined ? {} : { TROUPE_WORKTREE: tree.path, TROUPE_PORT_BASE: String(tree.portBase) };
