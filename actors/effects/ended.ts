/** How one attempt of a step's work ended, as data. */
import { CANCELLED, COMPLETED, type Fault, type Outcome, type StateResult } from "../../machines/model.ts";

/** `shown`: the agent has said something or used a tool. `limited`: it may ask once a limit of its provider is over. `repair`: what the agent would be told of an answer that does not fit its schema. */
export type Ended = { outcome: Outcome; state: StateResult; repair?: string; shown?: true; limited?: true };
type Left = Omit<Partial<StateResult>, "ExitCode" | "Status">;

/** The result that templates see, beside its outcome. */
export function endedAs(outcome: Outcome, left: Left = {}): Ended {
  return { outcome, state: { Output: "", Stderr: "", ...left, ExitCode: outcome.exitCode, Status: outcome.status } };
}

export const completed = (left: Left): Ended => endedAs(COMPLETED, left);
export const cancelled = (left: Left = {}): Ended => endedAs(CANCELLED, left);
export const failed = ({ code, message }: Fault, exitCode: number, left: Left = {}): Ended =>
  endedAs({ status: "failed", exitCode, error: { code, message } }, left);
