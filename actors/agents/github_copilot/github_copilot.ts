/**
 * The provider `github_copilot`: GitHub Copilot's own program, one run of it for a turn.
 *
 * I1. A new conversation's id is ours and is told before the program starts: a crash at any moment can go on with it,
 *     whether or not the program has written anything under it.
 * I2. The program asks the model again by itself, each time told and at most some times; it needs no bound of ours.
 * I3. On abort the program and all it started get SIGTERM, then the ladder of `actors/process`.
 */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import type { AllowedEnvironment } from "../../process/environment.ts";
import { type Running, type SpawnOptions, spawnProcess } from "../../process/spawn.ts";
import type { Agent, AgentEvent, AgentRequest, AgentResult } from "../agent.ts";
import { runProgram, stopped } from "../program.ts";
import { type Scratch, withScratch } from "../scratch.ts";
import { turnUse } from "../turn-use.ts";
import { type CopilotConversation, invocationOf } from "./arguments.ts";
import { isUnknownSession, NAME, outcomeOf, usageOf } from "./outcome.ts";
import { CopilotParser } from "./parser.ts";

/** What it takes of the user's environment: its settings, and what it signs in with. */
const ENVIRONMENT: AllowedEnvironment = {
  names: ["GH_TOKEN", "GITHUB_TOKEN", "GH_HOST", "USE_BUILTIN_RIPGREP"],
  prefixes: ["COPILOT_"],
};
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export type CopilotOptions = { spawn?: (options: SpawnOptions) => Running; uuid?: () => string };
type Stage = {
  request: AgentRequest;
  emit: (event: AgentEvent) => void;
  signal: AbortSignal;
  spawn: (options: SpawnOptions) => Running;
};

/** An agent that runs `copilot` of the user's PATH. */
export function githubCopilot({ spawn = spawnProcess, uuid = randomUUID }: CopilotOptions = {}): Agent {
  const agent: Agent = async (request, emit, signal) => {
    const opening = openingOf(request, uuid);
    if (opening === null) return unknownSession(request.conversation ?? "");
    return withScratch((scratch) => play(opening, scratch, { request, emit, signal, spawn }));
  };
  const takes = { model: "model", effort: "effort" };
  return Object.assign(agent, { environment: ENVIRONMENT, takes, content: ["image"] as const });
}

/** Only an attempt of this very step can have ended before the program wrote anything under the id. */
function openingOf({ conversation, continues, attempt }: AgentRequest, uuid: () => string): CopilotConversation | null {
  if (conversation === null) return { type: "ours", id: uuid() };
  if (!UUID.test(conversation)) return null;
  return { type: continues || attempt === 1 ? "theirs" : "ours", id: conversation };
}

async function play(opening: CopilotConversation, scratch: Scratch, stage: Stage): Promise<AgentResult> {
  const { request, emit, signal, spawn } = stage;
  const call = invocationOf(request, opening, scratch);
  if (signal.aborted) return stopped(NAME);
  if (opening.id !== request.conversation) emit({ type: "conversation", id: opening.id });
  const parser = new CopilotParser(request.cwd);
  const { end, stderr } = await runProgram({
    ...{ call, request, signal, spawn, emit },
    onLine: (line) => parser.read(line).forEach(emit),
  });
  if (signal.aborted) return stopped(NAME, parser.said);
  if (parser.result === null && isUnknownSession(stderr)) return unknownSession(opening.id);
  const usage = turnUse(opening.id, usageOf(textOf(call.usageFile)), request.memory);
  return outcomeOf(parser, end, stderr, usage);
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}

function unknownSession(id: string): AgentResult {
  const message =
    `${NAME} does not know the conversation "${id}": it keeps conversations below COPILOT_HOME. ` +
    "Run the step that began it again";
  return { status: "failed", class: "refused", message, text: "", usage: null };
}
