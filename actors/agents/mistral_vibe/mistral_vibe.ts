/**
 * The provider `mistral_vibe`: Mistral's program, run once for each turn, its history's entries as lines of JSON.
 *
 * I1. The conversation's id is the program's own and is reported with its first line, before the model is asked.
 * I2. The program asks its model again without a word; for how long is bounded, see `arguments.ts`.
 * I3. On abort the program gets SIGTERM, then the ladder of `actors/process` ends the tools that it leaves.
 */
import type { Timers } from "../../base/clock.ts";
import type { AllowedEnvironment } from "../../process/environment.ts";
import type { Running, SpawnOptions } from "../../process/spawn.ts";
import type { Agent } from "../agent.ts";
import { runProgram, stopped } from "../program.ts";
import { type Played, programAgent, type Stage, UUID } from "../program-agent.ts";
import { AGENT_PROGRAMS } from "../programs.ts";
import { invocationOf } from "./arguments.ts";
import { homeOf } from "./home.ts";
import { isUnknownConversation, NAME, outcomeOf, reportIn } from "./outcome.ts";
import { VibeParser } from "./parser.ts";

/** What it takes of the user's environment: its key and its settings. */
const ENVIRONMENT: AllowedEnvironment = { names: ["LOG_LEVEL"], prefixes: ["MISTRAL_", "VIBE_"] };

export type MistralVibeOptions = { spawn?: (options: SpawnOptions) => Running; clock?: Timers };

/** An agent that runs `vibe` of the user's PATH. */
export function mistralVibe({ spawn, clock }: MistralVibeOptions = {}): Agent {
  return programAgent<string | null>({
    name: NAME,
    signIn: AGENT_PROGRAMS.mistral_vibe.signIn,
    environment: ENVIRONMENT,
    takes: { model: "model" },
    id: UUID,
    keeps: { below: "VIBE_HOME" },
    begins: () => null,
    goesOn: (id) => id,
    play,
    ...{ spawn, clock },
  });
}

async function play(conversation: string | null, stage: Stage): Promise<Played> {
  const { request, emit, signal, scratch } = stage;
  const folder = scratch.path("report");
  const call = invocationOf(request, conversation, folder);
  if (signal.aborted) return stopped(NAME);
  const home = homeOf(request, scratch);
  const parser = new VibeParser(
    { cwd: request.cwd, servers: request.mcpServers.map(({ name }) => name) },
    conversation,
  );
  const { end, stderr } = await runProgram({
    ...{ ...stage, call: { ...call, env: { ...call.env, ...home.env } } },
    onLine: (line) => parser.read(line).forEach(emit),
  }).finally(() => home.giveBack());
  if (signal.aborted) return stopped(NAME, parser.said);
  const report = reportIn(folder);
  return { ...outcomeOf(parser, report, end, stderr), isUnknown: isUnknownConversation(report) };
}
