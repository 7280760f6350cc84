/** A node of a workflow, prepared with what a test gives it. */
import type { EffectOptions } from "../../../actors/effects/options.ts";
import { prepare } from "../../../actors/effects/prepare.ts";
import { TroupeError } from "../../../actors/errors/troupe-error.ts";
import type { Prepared, PrepareInput } from "../../../machines/contracts.ts";
import type { Caller } from "../../../machines/model.ts";
import type { Scope } from "../../../machines/scope.ts";
import { type Recording, recordingContext } from "../../support/recording-context.ts";
import { ORIGIN, optionsFor, scopeIn, workflowOf } from "./support.ts";

export type Given = {
  scope?: Partial<Scope>;
  options?: Partial<EffectOptions>;
  depth?: number;
  callers?: Caller[];
  cwd?: string;
  purpose?: PrepareInput["purpose"];
  recording?: Recording;
};

/** Prepares the first state of a document whose states are given as YAML lines. */
export function prepared(node: string, given: Given = {}): Promise<Prepared> {
  const workflow = workflowOf(
    [
      "name: demo",
      "states:",
      "  initial: it",
      `  it: ${node}`,
      "  one: {type: command, command: 'true', on_success: end}",
      "  end: {type: terminal}",
    ].join("\n"),
  );
  const input: PrepareInput = {
    origin: { ...ORIGIN, step: "it", depth: given.depth ?? 0, ...(given.callers ? { callers: given.callers } : {}) },
    node: workflow.states["it"] as PrepareInput["node"],
    scope: scopeIn(given.cwd ?? "/repo", given.scope),
    purpose: given.purpose ?? "begin",
  };
  return prepare(optionsFor(given.options))(input, (given.recording ?? recordingContext()).context);
}
export const forEach = (items: string, more = "") =>
  `{type: for_each, items: ${items}, body: [one], on_complete: end${more}}`;

/** What a preparation is refused with. */
export async function faultOf(promise: Promise<unknown>): Promise<{ code: string; message: string }> {
  const error = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (!(error instanceof TroupeError)) throw new Error(`expected a TroupeError, got ${String(error)}`);
  return { code: error.code, message: error.message };
}
