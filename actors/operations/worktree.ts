/**
 * `worktree.merge`: what it takes. A step of it has no work of its own: its machine does the git steps one by one, as
 * after the work of a step in a tree of its own.
 */
import { z } from "zod";
import { TroupeError } from "../errors/troupe-error.ts";
import { needed, text } from "./fields.ts";
import type { Operation } from "./operation.ts";

const WAYS = ["squash", "merge", "rebase", "discard"] as const;

const inputs = z.strictObject({
  tree: needed("the name of a step that has left a worktree, or its branch"),
  merge: z.enum(WAYS, { error: `one of ${WAYS.join(", ")}` }).nullish(),
  approve: z.boolean({ error: "true or false" }).nullish(),
  on_conflict: text().nullish(),
});

const merge: Operation = () => {
  throw new TroupeError("SYSTEM.INTERNAL.UNMAPPED", "worktree.merge is done by its step, and not called");
};
export const worktreeMerge: Operation = Object.assign(merge, { inputs });
