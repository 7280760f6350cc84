/**
 * What steps that work in a tree of their own need of the run's folder: a repository of git that can be carried over
 * whole. It is looked at once, for the first of them.
 */
import type { Workflow } from "../../machines/workflow/document.ts";
import type { Environment } from "../base/user-folders.ts";
import { TroupeError } from "../errors/troupe-error.ts";
import { checkoutOf, checkWhole } from "../worktrees/checkout.ts";
import { gitIn } from "../worktrees/git.ts";
import type { Faults } from "./subject.ts";

/** A step below another such step begins in that one's tree, which is a repository when it is. */
export async function checkIsolated(
  { states, isolation, initial }: Workflow,
  { environment, cwd }: { environment: Environment; cwd: string },
  faults: Faults,
): Promise<void> {
  const apart = Object.values(states).find((node) => node.type !== "terminal" && node.isolation !== undefined);
  const first = isolation === undefined ? apart : (apart ?? states[initial]);
  if (first === undefined) return;
  const git = gitIn(cwd, { environment });
  try {
    const checkout = await checkoutOf(git);
    await checkWhole(git.at(checkout.top), checkout);
  } catch (error) {
    if (!(error instanceof TroupeError)) throw error;
    faults.add(first.name, {
      code: "EXECUTION.WORKTREE.UNSUPPORTED",
      message: error.message, // it says what to do
      at: ["isolation"],
      maybe: true,
    });
  }
}
