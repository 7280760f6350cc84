/**
 * A question beside steps that are at work: its run takes a prompt, which the answer is, once nothing else of it is left
 * to do.
 */
import type { StepNode } from "./step-node.ts";

/** Why the answer is not taken yet, said of a run. */
export const TAKES_LATER = "takes an answer once the steps beside the one that asks have ended";

/** Whether a step asks, in a run that is at work. */
export const asksMeanwhile = (steps: Iterable<Pick<StepNode, "waits" | "open">>): boolean =>
  Array.from(steps).some(({ waits, open }) => waits.size > 0 || asksMeanwhile(open));
