/** What was measured (`npm run bench:engine -- --save`), as a simulation takes it. */
import { readFileSync } from "node:fs";
import type { Round } from "../bench/engine/steps.ts";
import type { Cost, Costs } from "./cluster.ts";
import type { ProcessName } from "./machine.ts";

/** `rounds`: by sessions at once, each with processor time a step. */
export type MeasuredCosts = {
  rounds: Round[];
  replicated: number;
  bytesPerPrompt: number;
  bytesPerParked: number;
};

/** Throws where nothing was measured. */
export const measuredCosts = (): MeasuredCosts =>
  JSON.parse(readFileSync(new URL("costs.json", import.meta.url), "utf8")) as MeasuredCosts;

/**
 * What a commit costs: alone, as the round of the fewest sessions says, and beside others, as the next one does. Rounds of
 * more sessions are not looked at: they can be predicted. `here`: by the clock of the machine on which it was measured,
 * which others used too; else by processor time, as on cores of its own.
 */
export function costsOf({ rounds, replicated }: MeasuredCosts, commitsPerStep: number, here: boolean): Costs {
  const [alone, crowded] = rounds.toSorted((a, b) => a.sessions - b.sessions);
  if (alone === undefined || crowded === undefined) throw new Error("two rounds have to be measured");
  // One step after the other: the clock of a step is that of its pieces, and of what they wait for.
  const stepMs = 1_000 / alone.stepsPerS;
  const sooner = here ? Math.min(1, stepMs / processorOf(alone)) : 1;
  // Where all cores are used, the clock says how much of them it got.
  const later = here ? (CORES * 1_000) / (crowded.stepsPerS * processorOf(crowded)) : 1;
  const of = (name: ProcessName): Cost => ({
    alone: (alone.processor[name] * sooner) / commitsPerStep,
    crowded: (crowded.processor[name] * later) / commitsPerStep,
  });
  const waitMs = Math.max(0, stepMs - processorOf(alone)) / commitsPerStep;
  return { node: of("node"), worker: of("worker"), gateway: of("gateway"), waitMs, replicated };
}
/** Of a step, in all processes. */
export const processorOf = ({ processor: { node, worker, gateway } }: Round): number => node + worker + gateway;
/** Of the machine on which it was measured. */
export const CORES = 2;
