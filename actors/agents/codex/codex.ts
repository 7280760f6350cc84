/**
 * The provider `codex`: OpenAI's program, run once for each turn, its events as lines of JSON.
 *
 * I1. The conversation's id is the program's own and is told as soon as it is known. One of an earlier attempt of which
 *     nothing was kept begins anew under another id.
 * I2. On abort the program gets SIGINT first, on which it ends its tools itself; then the ladder of `actors/process`.
 */
import type { AllowedEnvironment } from "../../process/environment.ts";
import { type Running, type SpawnOptions, spawnProcess } from "../../process/spawn.ts";
import type { Agent, AgentEvent, AgentRequest, AgentResult } from "../agent.ts";
import { runProgram, stopped } from "../program.ts";
import { attachedFiles, type Scratch, withScratch } from "../scratch.ts";
import { turnUse } from "../turn-use.ts";
import { invocationOf } from "./arguments.ts";
import { codexHome, writeLayer } from "./layer.ts";
import { isUnknownConversation, NAME, outcomeOf } from "./outcome.ts";
import { CodexParser } from "./parser.ts";
import { changesIn } from "./rollout.ts";

/** What it takes of the user's environment: its keys, endpoints and settings. */
const ENVIRONMENT: AllowedEnvironment = {
  names: ["RUST_LOG"],
  prefixes: ["CODEX_", "OPENAI_", "AZURE_OPENAI_"],
};
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export type CodexOptions = { spawn?: (options: SpawnOptions) => Running };
type Emit = (event: AgentEvent) => void;
type Stage = { request: AgentRequest; emit: Emit; signal: AbortSignal; spawn: (options: SpawnOptions) => Running };

/** An agent that runs `codex` of the user's PATH. */
export function codex({ spawn = spawnProcess }: CodexOptions = {}): Agent {
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
  const takes = { model: "model", effort: "effort" };
  return Object.assign(agent, { environment: ENVIRONMENT, takes, content: ["image"] as const });
}

type Played = { result: AgentResult; isUnknown: boolean };

const play = (conversation: string | null, stage: Stage): Promise<Played> =>
  withScratch((scratch) => playWith(scratch, conversation, stage));

async function playWith(
  scratch: Scratch,
  conversation: string | null,
  { request, emit, signal, spawn }: Stage,
): Promise<Played> {
  invocationOf(request, conversation, { profile: null, images: [] });
  if (signal.aborted) return { result: stopped(NAME), isUnknown: false };
  const layer = writeLayer(request);
  try {
    const images = attachedFiles(request, scratch);
    const call = invocationOf(request, conversation, { profile: layer?.name ?? null, images });
    const parser = new CodexParser(request.cwd, conversation);
    const { end, stderr } = await runProgram({
      ...{ call, request, signal, spawn, emit, first: "SIGINT" },
      onLine: (line, program) => {
        for (const event of parser.read(line)) emit(event);
        if (parser.waitsInVain) program.stop();
      },
    });
    tellChanges(parser, call.env, emit);
    if (signal.aborted) return { result: stopped(NAME, parser.said), isUnknown: false };
    const result = outcomeOf(parser, end, stderr);
    const usage = turnUse(parser.thread, result.usage, request.memory);
    return { result: { ...result, usage }, isUnknown: isUnknownConversation(parser, stderr) };
  } finally {
    layer?.remove();
  }
}

/** The diffs of calls whose end was told already. */
function tellChanges({ thread, changed }: CodexParser, env: { readonly [name: string]: string }, emit: Emit): void {
  if (thread === null || changed.length === 0) return;
  const changes = changesIn(codexHome(env), thread, changed.length);
  if (changes.length < changed.length) return;
  for (const [index, call] of changed.entries()) {
    const content = changes[index] ?? [];
    if (content.length > 0) emit({ type: "tool", tool: { call, content } });
  }
}

function unknownConversation(id: string): AgentResult {
  const message =
    `Codex does not know the conversation "${id}": it keeps conversations below CODEX_HOME. ` +
    "Run the step that began it again";
  return { status: "failed", class: "refused", message, text: "", usage: null };
}
