/**
 * The provider `mistral_vibe`: Mistral's program, run once for each turn, its history's entries as lines of JSON.
 *
 * I1. The conversation's id is the program's own and is told with its first line, before the model is asked.
 * I2. The program asks its model again without a word; for how long is bounded, see `arguments.ts`.
 * I3. On abort the program gets SIGTERM, then the ladder of `actors/process` ends the tools that it leaves.
 */
import type { AllowedEnvironment } from "../../process/environment.ts";
import { type Running, type SpawnOptions, spawnProcess } from "../../process/spawn.ts";
import type { Agent, AgentEvent, AgentRequest, AgentResult } from "../agent.ts";
import { runProgram, stopped } from "../program.ts";
import { type Scratch, withScratch } from "../scratch.ts";
import { invocationOf } from "./arguments.ts";
import { homeOf } from "./home.ts";
import { isUnknownConversation, NAME, outcomeOf, reportIn } from "./outcome.ts";
import { VibeParser } from "./parser.ts";

/** What it takes of the user's environment: its key and its settings. */
const ENVIRONMENT: AllowedEnvironment = { names: ["LOG_LEVEL"], prefixes: ["MISTRAL_", "VIBE_"] };
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export type MistralVibeOptions = { spawn?: (options: SpawnOptions) => Running };
type Stage = {
  request: AgentRequest;
  emit: (event: AgentEvent) => void;
  signal: AbortSignal;
  spawn: (options: SpawnOptions) => Running;
};
type Played = { result: AgentResult; isUnknown: boolean };

/** An agent that runs `vibe` of the user's PATH. */
export function mistralVibe({ spawn = spawnProcess }: MistralVibeOptions = {}): Agent {
  const agent: Agent = async (request, emit, signal) => {
    const stage = { request, emit, signal, spawn };
    const { conversation } = request;
    if (conversation !== null && !ID.test(conversation)) return unknownConversation(conversation);
    const played = await play(conversation, stage);
    if (conversation === null || !played.isUnknown || signal.aborted) return played.result;
    // Only an attempt of this very step can have ended before the program kept anything.
    if (request.continues || request.attempt === 1) return unknownConversation(conversation);
    emit({ type: "notice", severity: "info", message: "nothing was said in the conversation yet; it begins anew" });
    return (await play(null, stage)).result;
  };
  return Object.assign(agent, { environment: ENVIRONMENT, takes: { model: "model" } });
}

const play = (conversation: string | null, stage: Stage): Promise<Played> =>
  withScratch((scratch) => playWith(scratch, conversation, stage));

async function playWith(scratch: Scratch, conversation: string | null, stage: Stage): Promise<Played> {
  const { request, emit, signal, spawn } = stage;
  const folder = scratch.path("report");
  const call = invocationOf(request, conversation, folder);
  if (signal.aborted) return { result: stopped(NAME), isUnknown: false };
  const home = homeOf(request, scratch);
  const parser = new VibeParser(
    { cwd: request.cwd, servers: request.mcpServers.map(({ name }) => name) },
    conversation,
  );
  const { end, stderr } = await runProgram({
    ...{ request, signal, spawn, emit, call: { ...call, env: { ...call.env, ...home.env } } },
    onLine: (line) => {
      for (const event of parser.read(line)) emit(event);
    },
  });
  home.giveBack();
  if (signal.aborted) return { result: stopped(NAME, parser.said), isUnknown: false };
  const report = reportIn(folder);
  return { result: outcomeOf(parser, report, end, stderr), isUnknown: isUnknownConversation(report) };
}

function unknownConversation(id: string): AgentResult {
  const message =
    `${NAME} does not know the conversation "${id}": it keeps conversations below VIBE_HOME. ` +
    "Run the step that began it again";
  return { status: "failed", class: "refused", message, text: "", usage: null };
}
