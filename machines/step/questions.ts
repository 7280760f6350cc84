/** What a step asks of a person, and what the answers come to. */
import type { InputInput, InputSettled } from "../ask/parked.ts";
import type {
  HooksInput,
  PermissionInput,
  PermissionQuestion,
  PermissionSettled,
  Prepared,
  StepInput,
} from "../contracts.ts";
import type { Born, Fault, Outcome } from "../model.ts";
import type { Hook } from "../workflow/document.ts";

export type ApprovalPrepared = Extract<Prepared, { type: "approval" }>;
type Birth = { birth: Born & StepInput };

/** Asked when a crash cut an attempt off and the step does not say what to do. */
export const crashQuestion = ({ birth: { origin, node } }: Birth): PermissionInput => ({
  run: origin.run,
  step: origin.step,
  title: `Run step "${node.name}" again?`,
  kind: "execute",
  message: `Step "${node.name}" was cut off by a crash. It may have had effects already.`,
  options: [
    { id: "rerun", name: "Run it again", kind: "allow_once" },
    { id: "fail", name: "Stop here", kind: "reject_once" },
  ],
  input: null,
  timeoutMs: null,
});

/** Asked before a step with `approval` begins; such a gate is never remembered. */
export const approvalQuestion = (
  { birth: { origin, node } }: Birth,
  { message, does }: ApprovalPrepared,
): PermissionInput => ({
  run: origin.run,
  step: origin.step,
  title: `Run step "${node.name}"?`,
  kind: "execute",
  message: message ?? node.description ?? `The workflow asks before it runs step "${node.name}".`,
  options: [
    { id: "allow", name: "Run it", kind: "allow_once" },
    { id: "deny", name: "Do not run it", kind: "reject_once" },
  ],
  input: { step: node.name, kind: node.type, ...does },
  timeoutMs: node.approval?.timeoutMs ?? null,
});

/** The answer where there is no one to give one. */
export const NO_ANSWER: PermissionSettled = { outcome: "cancelled" };

/** Asked by the step's own work while it runs. */
export const workQuestion = ({ birth: { origin } }: Birth, question: PermissionQuestion): PermissionInput => ({
  ...question,
  run: origin.run,
  step: origin.step,
  session: origin.session,
});

export const isAllowed = (answer: unknown): boolean => {
  const settled = answer as PermissionSettled;
  return settled.outcome === "selected" && settled.option === "allow";
};

const DENIED: Fault = { code: "EXECUTION.STEP.DENIED", message: "the step was not approved" };

/** Whether a denied step counts as passed over. */
export const isSkipped = ({ birth: { node } }: Birth): boolean => node.approval?.onDeny === "skip";

/** What a denial comes to (D17): the step is skipped (note 18), fails, or ends the run. */
export function denied({ birth: { node } }: Birth): Outcome {
  const how = node.approval?.onDeny ?? "error";
  switch (how) {
    case "skip":
      return { status: "skipped", exitCode: 0, error: DENIED };
    case "error":
      return { status: "failed", exitCode: 1, error: DENIED };
    case "abort":
      return { status: "cancelled", exitCode: 130, error: DENIED };
    default:
      return how satisfies never;
  }
}

/** The next words of a conversation are parked until a person says them. */
export const nextWords = ({ birth: { origin } }: Birth): InputInput => ({
  run: origin.run,
  step: origin.step,
  session: origin.session,
  prompt: "",
});

export const hooksInput = ({ birth: { origin, scope } }: Birth, hooks: Hook[]): HooksInput => ({
  origin,
  hooks,
  scope,
  stopAtFailure: false,
});

/** The states that `depends_on` names and that have not completed. */
export function lacking({ birth: { node, scope } }: Birth): Fault | null {
  const missing = node.dependsOn.filter((name) => scope.states[name]?.Status !== "completed");
  if (missing.length === 0) return null;
  return {
    code: "EXECUTION.STEP.DEPENDENCY",
    message: `step "${node.name}" depends on ${missing.map((name) => `"${name}"`).join(", ")}, which has not completed`,
  };
}

/** A question of running work, and the child that it is. */
export type WorkAsked = { ask: string; question: PermissionQuestion };
const ASK = "ask.";
export const askId = (ask: string): string => ASK + ask;
export const askOf = (child: string): string => child.slice(ASK.length);

/** Null where the conversation is over: nothing was said, or there is no one left to say it. */
export function wordsOf(answer: unknown): string | null {
  const settled = answer as InputSettled;
  return settled.outcome === "answered" && settled.text !== "" ? settled.text : null;
}
