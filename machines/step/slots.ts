/** The children that a step may start, by their slots, and what each is asked and answers. */
import { slot } from "../address.ts";
import type { InputInput, InputSettled } from "../ask/parked.ts";
import type { Weighed, WeighInput } from "../budget/weighed.ts";
import type {
  HooksInput,
  HooksResult,
  LoopInput,
  ParallelInput,
  PermissionInput,
  PermissionSettled,
  Prepared,
  PrepareInput,
  RunInput,
  RunSettled,
  StepInput,
  TreeInput,
  WorkInput,
  WorkResult,
} from "../contracts.ts";
import type { Settled } from "../model.ts";
import type { TreeNews } from "../worktree/progress.ts";

export const stepActors = {
  work: slot<WorkInput, WorkResult>(),
  prepare: slot<PrepareInput, Prepared>(),
  parallel: slot<ParallelInput, Settled>(),
  loop: slot<LoopInput, Settled>(),
  run: slot<RunInput, RunSettled>(),
  permission: slot<PermissionInput, PermissionSettled>(),
  input: slot<InputInput, InputSettled>(),
  hooks: slot<HooksInput, HooksResult>(),
  tree: slot<TreeInput, TreeNews>(),
  weigh: slot<WeighInput, Weighed>(),
  admit: slot<Pick<StepInput, "origin">, null>(),
};
