/** A run of one agent step, with an agent that a test plays: its rows, what was told, and its result. */
import { agentPool } from "../../../actors/agents/registry.ts";
import { type Config, parseConfig } from "../../../actors/config/config.ts";
import type { EffectOptions } from "../../../actors/effects/options.ts";
import { work } from "../../../actors/effects/work.ts";
import type { WorkResult } from "../../../machines/contracts.ts";
import type { Row } from "../../../machines/exchange.ts";
import type { Scope } from "../../../machines/scope.ts";
import type { AgentNode } from "../../../machines/workflow/document.ts";
import { type Recording, recordingContext } from "../../support/recording-context.ts";
import { ORIGIN, optionsFor, scopeIn } from "./support.ts";

type Given = {
  said?: string;
  attempt?: number;
  repair?: string;
  scope?: Partial<Scope>;
  options?: Partial<EffectOptions>;
  recording?: Recording;
  conversation?: string | null;
  cwd?: string;
};

/** Runs the step once; what a test does not give is as usual. */
export async function run(node: AgentNode, agents: EffectOptions["agents"], given: Given = {}) {
  const recording = given.recording ?? recordingContext();
  const scope = scopeIn(given.cwd ?? "/repo", given.scope);
  const input = {
    origin: ORIGIN,
    node,
    scope,
    attempt: given.attempt ?? 1,
    conversation: given.conversation ?? null,
    said: given.said ?? null,
    ...(given.repair === undefined ? {} : { repair: given.repair }),
  };
  const ended: WorkResult = await work(optionsFor({ agents, ...given.options }))(input, recording.context);
  return { rows: recording.rows, told: recording.told, result: ended, context: recording.context };
}

export const REGISTRY = {
  clock: { now: () => 0, elapsed: () => 0, sleep: async () => undefined },
  config: () => parseConfig("", "/c", {}).config as Config,
  pool: agentPool(),
};
export const at = { run: "r1", step: "build" };
export const text = (type: "message.assistant" | "message.thought", block: string, said: string): Row => ({
  type,
  ...at,
  payload: { block: `build@1.${block}`, offset: 0, text: said },
});
export const DONE = { status: "completed", text: "all", usage: null } as const;
