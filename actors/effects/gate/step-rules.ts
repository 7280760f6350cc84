/**
 * `options.permissions` of an agent step: kinds of tools that the workflow denies or has asked about, what a no means,
 * and how long an answer is waited for.
 *
 * I1. A workflow may be a stranger's: it cannot allow anything.
 */
import { z } from "zod";
import type { Policy } from "../../../machines/contracts.ts";
import { TOOL_KINDS, type ToolKind } from "../../../machines/exchange.ts";
import type { Json } from "../../../machines/model.ts";
import type { Approval } from "../../../machines/workflow/document.ts";
import { durationMs } from "../../../machines/workflow/duration.ts";
import { choice, duration, opt } from "../../../machines/workflow/schema/fields.ts";
import { suggest } from "../../../machines/workflow/suggest.ts";
import { TroupeError } from "../../errors/troupe-error.ts";

export type StepRules = {
  kinds: { readonly [kind in ToolKind]?: Policy };
  onDeny: Approval["onDeny"];
  timeoutMs: number | null;
};

const gate = z.enum(["ask", "deny"], {
  error: (issue) =>
    issue.input === "allow"
      ? "ask or deny: a workflow may not allow tools; the user can, in config.yaml"
      : "ask or deny",
});
const kinds = Object.fromEntries(TOOL_KINDS.map((kind) => [kind, opt(gate)])) as {
  [kind in ToolKind]: ReturnType<typeof opt<typeof gate>>;
};
const shape = { ...kinds, on_deny: opt(choice(["skip", "error", "abort"])), timeout: opt(duration()) };
const FIELDS = Object.keys(shape);
const rules = z.strictObject(shape, { error: `a map with the fields ${FIELDS.join(", ")}` });

function unknownField(where: string, named: string): TroupeError {
  const meant = suggest(named, FIELDS);
  const guess = meant === null ? "" : `; did you mean "${meant}"?`;
  const message = `${where}: "${named}": expected one of the fields ${FIELDS.join(", ")}${guess}`;
  return new TroupeError("USER.AGENT.INVALID_OPTION", message, { field: where });
}

/** The rules of a step; none where it says nothing. Throws a `TroupeError` that names the field. */
export function stepRulesOf(given: Json | undefined, where: string): StepRules {
  if (given === undefined || given === null) return { kinds: {}, onDeny: "skip", timeoutMs: null };
  const read = rules.safeParse(given);
  if (!read.success) {
    const [issue] = read.error.issues;
    const field = [where, ...(issue?.path ?? [])].join(".");
    if (issue?.code === "unrecognized_keys") throw unknownField(field, issue.keys[0] ?? "");
    throw new TroupeError("USER.AGENT.INVALID_OPTION", `${field}: expected ${issue?.message}`, { field });
  }
  const { on_deny, timeout, ...policies } = read.data;
  const set = Object.entries(policies).filter((entry) => entry[1] !== undefined && entry[1] !== null);
  return {
    kinds: Object.fromEntries(set),
    onDeny: on_deny ?? "skip",
    timeoutMs: timeout === undefined || timeout === null ? null : durationMs(timeout),
  };
}
