/**
 * Judgements that the step machine gives itself, and what it keeps of work that was stopped.
 *
 * I1. What stopped work still answers changes no verdict; its output and the states below that ended are kept.
 */
import type { StepInput } from "../contracts.ts";
import { type Born, CANCELLED, COMPLETED, type Outcome, own, type StateResult, type StateResults } from "../model.ts";
import type { StepNode } from "../workflow/document.ts";
import { faultOf, type Judgement, judged, settledOf } from "./attempts.ts";
import { timedOut } from "./context.ts";
import { denied, isSkipped, lacking } from "./questions.ts";

type Judged = { birth: Born & StepInput; judgement: Judgement };
type Birth = Pick<Judged, "birth">;

/** A judgement that no child gave. */
export const verdict = (outcome: Outcome, states: StateResults = {}): Judgement => ({
  outcome,
  left: null,
  states,
  draw: 0.5,
});

/** What an attempt comes to that is under way. */
export const UNJUDGED: Judgement = verdict(CANCELLED);

export const faulty = (error: unknown): Judgement => verdict({ status: "failed", exitCode: 1, error: faultOf(error) });

/** A no of a person: the step is skipped, fails, or ends the run. */
export const afterDenial = (context: Birth): Judgement =>
  verdict(denied(context), isSkipped(context) ? skipped(context) : {});

/** A step without what it depends on fails; a branch whose neighbour has not completed is passed over. */
export function forWant(context: Birth): Judgement {
  if (context.birth.passedOver === true) return verdict(COMPLETED, skipped(context));
  const fault = lacking(context);
  return verdict({ status: "failed", exitCode: 1, ...(fault === null ? {} : { error: fault }) });
}

const skipped = ({ birth }: Birth): StateResults => ({
  [birth.node.name]: { Output: "", Stderr: "", ExitCode: 0, Status: "skipped" },
});

/** A step that took longer than its `timeout`: the limit's message is the error, and nothing of what it wrote. */
export function atLimit(node: StepNode): Judgement {
  const outcome = timedOut(node);
  return verdict(outcome, { [node.name]: endedBy(node, outcome) });
}

/** A command's `Stderr` is what it wrote and no more, as AWF has it; any other step has none but why it failed. */
const endedBy = ({ type }: StepNode, { exitCode, status, error }: Outcome): StateResult => ({
  Output: "",
  Stderr: type === "command" ? "" : (error?.message ?? ""),
  ExitCode: exitCode,
  Status: status,
});

/** The verdict as it was given, with what the stopped work left behind: its own output, and the states below that ended. */
export function withLeft(node: StepNode, judgement: Judgement, output: unknown): Judgement {
  if (typeof output !== "object" || output === null || !("outcome" in output)) return judgement;
  const { states, rest } = judged(node, output);
  const verdict = endedBy(node, judgement.outcome);
  const left = own(states, node.name) ?? verdict;
  const { Stderr, ExitCode, Status } = verdict;
  const result = { ...left, Stderr: left.Stderr || Stderr, ExitCode, Status };
  return { ...judgement, states: { ...states, [node.name]: result }, ...(rest === undefined ? {} : { rest }) };
}

/** The same step, whose scope holds its own result too. */
export const withOwnResult = <T extends Judged>(context: T): T => {
  const { birth } = context;
  const { states } = settledOf(context);
  return { ...context, birth: { ...birth, scope: { ...birth.scope, states: { ...birth.scope.states, ...states } } } };
};
