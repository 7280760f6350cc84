/** A run of one command step: its rows and its result. */
import type { EffectOptions } from "../../../actors/effects/options.ts";
import { work } from "../../../actors/effects/work.ts";
import type { WorkResult } from "../../../machines/contracts.ts";
import type { Row } from "../../../machines/exchange.ts";
import type { Scope } from "../../../machines/scope.ts";
import type { CommandNode } from "../../../machines/workflow/document.ts";
import { type Recording, recordingContext } from "../../support/recording-context.ts";
import { ORIGIN, optionsFor, scopeIn } from "./support.ts";

export type Given = {
  scope?: Partial<Scope>;
  options?: Partial<EffectOptions>;
  recording?: Recording;
  attempt?: number;
};

/** Runs the step once in this folder. */
export async function run(
  node: CommandNode,
  cwd: string,
  given: Given = {},
): Promise<{ rows: Row[]; result: WorkResult }> {
  const recording = given.recording ?? recordingContext();
  const input = {
    origin: ORIGIN,
    node,
    scope: scopeIn(cwd, given.scope),
    attempt: given.attempt ?? 1,
    conversation: null,
    said: null,
  };
  const ended = await work(optionsFor(given.options))(input, recording.context);
  return { rows: recording.rows, result: ended };
}
