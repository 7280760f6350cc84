/**
 * The provider `gemini`: Google's program, run once for each turn, its events as lines of JSON.
 *
 * I1. A new conversation's id is ours and is told before the program starts, so that a crash at any moment can go on
 *     with it. An id of an earlier attempt under which nothing was kept yet is used for a new conversation.
 * I2. The program makes failed requests again for minutes: each is told, and after `max_retries` it is stopped.
 * I3. On abort the program gets SIGTERM; the ladder of `actors/process` ends the tools that it leaves.
 */
import { randomUUID } from "node:crypto";
import type { AllowedEnvironment } from "../../process/environment.ts";
import { type Running, type SpawnOptions, spawnProcess } from "../../process/spawn.ts";
import type { Agent, AgentEvent, AgentRequest, AgentResult } from "../agent.ts";
import { runProgram, stopped } from "../program.ts";
import { type Scratch, withScratch } from "../scratch.ts";
import { type ConversationStart, invocationOf, optionsOf, replaces } from "./arguments.ts";
import { homeOf } from "./home.ts";
import { type GaveUp, isUnknownConversation, NAME, outcomeOf } from "./outcome.ts";
import { GeminiParser } from "./parser.ts";

/** What it takes of the user's environment: its keys, endpoints and settings. */
const ENVIRONMENT: AllowedEnvironment = { names: [], prefixes: ["GEMINI_", "GOOGLE_"] };
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const RETRY = /^Attempt (\d+) failed(?: with status (\d+))?/;
const MAX_RETRIES = 4;

export type GeminiOptions = { spawn?: (options: SpawnOptions) => Running; uuid?: () => string };
type Stage = {
  request: AgentRequest;
  emit: (event: AgentEvent) => void;
  signal: AbortSignal;
  spawn: (options: SpawnOptions) => Running;
};
type Played = { result: AgentResult; isUnknown: boolean };

/** An agent that runs `gemini` of the user's PATH. */
export function gemini({ spawn = spawnProcess, uuid = randomUUID }: GeminiOptions = {}): Agent {
  const agent: Agent = async (request, emit, signal) => {
    const stage = { request, emit, signal, spawn };
    const { conversation } = request;
    if (conversation === null) return (await play({ type: "new", id: uuid() }, stage)).result;
    if (!ID.test(conversation)) return unknownConversation(conversation, request.cwd);
    const resumed = await play({ type: "resumed", id: conversation }, stage);
    if (!resumed.isUnknown || signal.aborted) return resumed.result;
    // Only an attempt of this very step can have ended before the program kept anything.
    if (request.continues || request.attempt === 1) return unknownConversation(conversation, request.cwd);
    emit({ type: "notice", severity: "info", message: "nothing was said in the conversation yet; it begins anew" });
    return (await play({ type: "new", id: conversation }, stage)).result;
  };
  const takes = { model: "model" };
  return Object.assign(agent, { environment: ENVIRONMENT, takes, content: ["image", "audio"] as const });
}

const play = (opening: ConversationStart, stage: Stage): Promise<Played> =>
  withScratch((scratch) => playWith(scratch, opening, stage));

async function playWith(scratch: Scratch, opening: ConversationStart, stage: Stage): Promise<Played> {
  const { request, emit, signal, spawn } = stage;
  const allowed = Number(optionsOf(request).max_retries ?? MAX_RETRIES);
  if (signal.aborted) return { result: stopped(NAME), isUnknown: false };
  const call = invocationOf(request, opening, scratch);
  const home = homeOf(request, replaces(request) ? null : request.systemPrompt, scratch);
  if (opening.type === "new") emit({ type: "conversation", id: opening.id });
  const parser = new GeminiParser({ cwd: request.cwd, servers: request.mcpServers.map(({ name }) => name) });
  let gaveUp: GaveUp | null = null;
  const { end, stderr } = await runProgram({
    ...{ request, signal, spawn, emit, call: { ...call, env: { ...call.env, ...home?.env } } },
    onLine: (line) => {
      for (const event of parser.read(line)) if (!isNoNews(event, opening)) emit(event);
    },
    onErrorLine: (line, program) => {
      const retry = RETRY.exec(line);
      if (retry === null) return;
      const status = retry[2] === undefined ? null : Number(retry[2]);
      emit({ type: "notice", severity: "warning", message: line.slice(0, LONGEST_NOTICE) });
      if (Number(retry[1]) <= allowed) return;
      gaveUp = { status, message: line.slice(0, LONGEST_NOTICE) };
      program.stop();
    },
  });
  home?.giveBack();
  if (signal.aborted) return { result: stopped(NAME, parser.said), isUnknown: false };
  return { result: outcomeOf(parser, end, stderr, gaveUp), isUnknown: isUnknownConversation(parser, stderr) };
}

const LONGEST_NOTICE = 300;

/** The program repeats the conversation's id. */
const isNoNews = (event: AgentEvent, { id }: ConversationStart): boolean =>
  event.type === "conversation" && event.id === id;

function unknownConversation(id: string, cwd: string): AgentResult {
  const message =
    `Gemini CLI does not know the conversation "${id}" in ${cwd}: it keeps conversations per folder, ` +
    "below its home. Run the step that began it again";
  return { status: "failed", class: "refused", message, text: "", usage: null };
}
