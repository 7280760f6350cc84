/**
 * An answer that does not fit its schema goes back to the agent that gave it.
 *
 * I1. At most as often as the step says; a retry of the step begins to count anew.
 * I2. Each time is one row, and an attempt of its own that uses up none of the retries.
 */
import type { Row } from "../exchange.ts";
import { DEFAULT_REPAIR, type StepNode } from "../workflow/document.ts";
import type { StepContext } from "./context.ts";

export const UNREPAIRED: StepContext["repair"] = { made: 0, words: null };
type Repaired = Pick<StepContext, "birth" | "judgement" | "repair">;

const most = (node: StepNode): number => (node.type === "agent" ? (node.repair ?? DEFAULT_REPAIR) : 0);

/** Whether the answer goes back to the agent with what is wrong, instead of ending the step. */
export const mayBeRepaired = ({ birth, judgement, repair }: Repaired): boolean =>
  judgement.outcome.status === "failed" && judgement.repair !== undefined && repair.made < most(birth.node);

/** The next repair; its words are the last judgement's. */
export const repaired = ({ judgement, repair }: Repaired): StepContext["repair"] => ({
  made: repair.made + 1,
  words: judgement.repair ?? null,
});

/** Tells that the answer goes back, and why. */
export function repairRow({ birth, judgement, repair }: Repaired): Row {
  const { run, step } = birth.origin;
  const { code, message } = judgement.outcome.error ?? { code: "EXECUTION.STEP.INVALID_SHAPE", message: "" };
  const again = `the agent is asked to mend it (${repair.made + 1} of ${most(birth.node)})`;
  return { type: "notice", run, step, payload: { severity: "warning", code, message: `${message}; ${again}` } };
}
