/**
 * The provider `claude`: Claude Code's own program, spoken to in streaming JSON.
 *
 * I1. A new conversation's id is ours and is told before the program starts, so that a crash at any moment can go on
 *     with it. An id of an earlier attempt under which nothing was written yet is used for a new conversation.
 * I2. Standard input stays open until the first result: before that its end would stop the program.
 * I3. What the program may not do by its own rules it asks us (see `permissions.ts`).
 * I4. On abort the program gets SIGINT first, on which it ends its tools itself; then the ladder of `actors/process`.
 */
import { randomUUID } from "node:crypto";
import type { AllowedEnvironment } from "../../process/environment.ts";
import { type Running, type SpawnOptions, spawnProcess } from "../../process/spawn.ts";
import type { Agent, AgentEvent, AgentRequest, AgentResult } from "../agent.ts";
import { runProgram, stopped } from "../program.ts";
import { type ConversationStart, invocationOf } from "./arguments.ts";
import { isUnknownConversation, outcomeOf } from "./outcome.ts";
import { ClaudeParser } from "./parser.ts";
import { Permissions } from "./permissions.ts";

/** What it takes of the user's environment: its keys, endpoints and settings. */
const ENVIRONMENT: AllowedEnvironment = {
  names: ["IS_SANDBOX", "DISABLE_AUTOUPDATER", "DISABLE_TELEMETRY", "DISABLE_ERROR_REPORTING"],
  prefixes: ["ANTHROPIC_", "CLAUDE_"],
};

const NAME = "Claude Code";
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export type ClaudeOptions = { spawn?: (options: SpawnOptions) => Running; uuid?: () => string };
type Emit = (event: AgentEvent) => void;
type Stage = { request: AgentRequest; emit: Emit; signal: AbortSignal; spawn: (options: SpawnOptions) => Running };
type Played = { result: AgentResult; isUnknown: boolean };

/** An agent that runs `claude` of the user's PATH. */
export function claude({ spawn = spawnProcess, uuid = randomUUID }: ClaudeOptions = {}): Agent {
  const agent: Agent = async (request, emit, signal) => {
    const stage = { request, emit, signal, spawn };
    const { conversation } = request;
    if (conversation === null) {
      const opening: ConversationStart = { type: "new", id: uuid() };
      return (await play(opening, stage)).result;
    }
    if (!UUID.test(conversation)) return unknownConversation(conversation, request.cwd);
    const resumed = await play({ type: "resumed", id: conversation }, stage);
    if (!resumed.isUnknown || signal.aborted) return resumed.result;
    // Only an attempt of this very step can have ended before the program wrote anything.
    if (request.continues || request.attempt === 1) return unknownConversation(conversation, request.cwd);
    emit({ type: "notice", severity: "info", message: "nothing was said in the conversation yet; it begins anew" });
    return (await play({ type: "new", id: conversation }, stage)).result;
  };
  const takes = { model: "model", effort: "effort" };
  return Object.assign(agent, { environment: ENVIRONMENT, takes, content: ["image"] as const });
}

async function play(opening: ConversationStart, { request, emit, signal, spawn }: Stage): Promise<Played> {
  const call = invocationOf(request, opening);
  if (signal.aborted) return { result: stopped(NAME), isUnknown: false };
  if (opening.type === "new") emit({ type: "conversation", id: opening.id });
  const permissions = new Permissions(request);
  const parser = new ClaudeParser(request.cwd);
  const { end, stderr } = await runProgram({
    ...{ call, request, signal, spawn, emit, first: "SIGINT", keepInput: true },
    onLine: (line, program) => {
      for (const event of parser.read(line)) if (!isNoNews(event, opening)) emit(event);
      for (const message of parser.control.splice(0)) permissions.take(message, program.write);
      if (parser.result !== null) program.endInput();
      if (parser.refusal !== null) program.stop();
    },
  });
  if (signal.aborted) return { result: stopped(NAME, parser.said), isUnknown: false };
  return { result: outcomeOf(parser, end, stderr), isUnknown: isUnknownConversation(parser) };
}

/** The program repeats the conversation's id. */
const isNoNews = (event: AgentEvent, { id }: ConversationStart): boolean =>
  event.type === "conversation" && event.id === id;

function unknownConversation(id: string, cwd: string): AgentResult {
  const message =
    `Claude Code does not know the conversation "${id}" in ${cwd}: it keeps conversations per folder, ` +
    "below CLAUDE_CONFIG_DIR. Run the step that began it again";
  return { status: "failed", class: "refused", message, text: "", usage: null };
}
