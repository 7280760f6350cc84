/** From checked fields to the parts that every step of a document has. */
import type { z } from "zod";
import { type Isolation, MERGES } from "../../worktree/tree.ts";
import {
  type Approval,
  DEFAULT_RETRY,
  type Hook,
  INLINE_ERROR,
  type Retry,
  type StepNode,
  type Transition,
} from "../document.ts";
import { durationMs } from "../duration.ts";
import type { approval, commonFields, isolation, retry, stepHooks, workflowHooks } from "../schema/common.ts";
import { isYes } from "../schema/fields.ts";
import { child, type Located } from "../yaml/located.ts";
import { budgetOf } from "./budget.ts";

export type CommonFields = z.output<z.ZodObject<typeof commonFields>>;
type Common = Omit<Extract<StepNode, { type: "parallel" }>, "type" | "branches" | "strategy" | "maxConcurrent">;

/** The text of a field as it is written, or null. */
export const textAt = (located: Located | undefined, name: string): string | null =>
  child(located, name)?.scalar?.text ?? null;

/** Milliseconds, with 0 and nothing both meaning no limit. */
export const limitMs = (value: number | string | null | undefined): number | null =>
  value === null || value === undefined ? null : durationMs(value) || null;

/** `__inline_error_<state>`: where an inline `on_failure` goes. */
export const inlineName = (state: string): string => `${INLINE_ERROR}${state}`;

type HookList = z.output<typeof stepHooks>["pre"];
function hooks(list: HookList, at: Located | undefined): Hook[] {
  return (list ?? []).flatMap((_, index): Hook[] => {
    const log = textAt(at?.items?.[index], "log");
    const command = textAt(at?.items?.[index], "command");
    if (log !== null) return [{ log }];
    return command === null ? [] : [{ command }];
  });
}

export function workflowHooksOf(data: z.output<typeof workflowHooks> | null | undefined, at: Located | undefined) {
  return {
    start: hooks(data?.workflow_start, child(at, "workflow_start")),
    end: hooks(data?.workflow_end, child(at, "workflow_end")),
    error: hooks(data?.workflow_error, child(at, "workflow_error")),
    cancel: hooks(data?.workflow_cancel, child(at, "workflow_cancel")),
  };
}

function retryOf(data: z.output<typeof retry>): Retry {
  return {
    maxAttempts: data.max_attempts ?? DEFAULT_RETRY.maxAttempts,
    initialDelayMs: durationMs(data.initial_delay ?? 0) ?? 0,
    maxDelayMs: limitMs(data.max_delay),
    backoff: data.backoff || "constant",
    multiplier: data.multiplier ?? DEFAULT_RETRY.multiplier,
    jitter: data.jitter ?? 0,
    exitCodes: data.retryable_exit_codes ?? [],
  };
}

function approvalOf(data: CommonFields["approval"], at: Located | undefined): Approval | null {
  if (data === null || data === undefined) return null;
  if (typeof data !== "object") return isYes(data) ? { message: null, onDeny: "error", timeoutMs: null } : null;
  const given: z.output<typeof approval> = data;
  return { message: textAt(at, "message"), onDeny: given.on_deny ?? "error", timeoutMs: limitMs(given.timeout) };
}

/** Nothing where the step works where the run does. */
export function isolationOf(data: CommonFields["isolation"], at: Located | undefined): Pick<Common, "isolation"> {
  if (data === null || data === undefined) return {};
  const given: z.output<typeof isolation>["worktree"] = typeof data === "string" ? {} : data.worktree;
  const tree = child(at, "worktree");
  return {
    isolation: {
      from: textAt(tree, "from") ?? (child(tree, "of") === undefined ? "dirty" : ""),
      setup: textAt(tree, "setup"),
      merge: given?.merge ?? "keep",
      approve: given?.approve === null || given?.approve === undefined || isYes(given.approve),
      ...ofTree(textAt(tree, "of"), textAt(tree, "on_conflict")),
    },
  };
}

const ofTree = (of: string | null, onConflict: string | null): Pick<Isolation, "of" | "onConflict"> => ({
  ...(of === null ? {} : { of }),
  ...(onConflict === null ? {} : { onConflict }),
});

/** Of an operation that does nothing but merge the tree of an earlier step: its inputs say what others say of their own. */
export function mergeOf(inputs: Located | undefined): Isolation {
  const way = textAt(inputs, "merge");
  return {
    from: "",
    setup: null,
    merge: MERGES.find((each) => each === way && each !== "keep") ?? "squash",
    approve: child(inputs, "approve") === undefined || isYes(child(inputs, "approve")?.scalar?.text),
    ...ofTree(textAt(inputs, "tree") ?? "", textAt(inputs, "on_conflict")),
  };
}

/** What every step has. `line` is where its name stands. */
export function commonOf(name: string, data: CommonFields, at: Located, line: number): Common {
  const description = textAt(at, "description");
  const failure = data.on_failure;
  return {
    name,
    ...(description === null ? {} : { description }),
    transitions: (data.transitions ?? []).map((each): Transition => {
      const when = String(each.when ?? "");
      return when === "" ? { goto: each.goto } : { when, goto: each.goto };
    }),
    onSuccess: data.on_success ?? null,
    onFailure:
      failure === null || failure === undefined ? null : typeof failure === "string" ? failure : inlineName(name),
    ...(data.on_skip ? { onSkip: data.on_skip } : {}),
    continueOnError: isYes(data.continue_on_error),
    timeoutMs: limitMs(data.timeout),
    retry: data.retry ? retryOf(data.retry) : null,
    recover: data.recover ?? null,
    approval: approvalOf(data.approval, child(at, "approval")),
    hooks: {
      pre: hooks(data.hooks?.pre, child(child(at, "hooks"), "pre")),
      post: hooks(data.hooks?.post, child(child(at, "hooks"), "post")),
    },
    dependsOn: data.depends_on ?? [],
    ...isolationOf(data.isolation, child(at, "isolation")),
    ...budgetOf(data.budget),
    line,
  };
}
