/**
 * The provider `gemini`: Google's program, run once for each turn, its events as lines of JSON.
 *
 * I1. A new conversation's id is ours and is reported before the program starts, so that a crash at any moment can go
 *     on with it. An id of an earlier attempt under which nothing was kept yet is used for a new conversation.
 * I2. The program makes failed requests again for minutes: each is reported, and after `max_retries` it is stopped.
 * I3. On abort the program gets SIGTERM; the ladder of `actors/process` ends the tools that it leaves.
 */
import { randomUUID } from "node:crypto";
import type { Timers } from "../../base/clock.ts";
import type { AllowedEnvironment } from "../../process/environment.ts";
import type { Running, SpawnOptions } from "../../process/spawn.ts";
import type { Agent } from "../agent.ts";
import { runProgram, stopped } from "../program.ts";
import { type Played, programAgent, type Stage, UUID } from "../program-agent.ts";
import { AGENT_PROGRAMS } from "../programs.ts";
import { type ConversationStart, invocationOf, optionsOf, replaces } from "./arguments.ts";
import { homeOf } from "./home.ts";
import { type GaveUp, isUnknownConversation, NAME, outcomeOf } from "./outcome.ts";
import { GeminiParser } from "./parser.ts";

/** What it takes of the user's environment: its keys, endpoints and settings. */
const ENVIRONMENT: AllowedEnvironment = { names: [], prefixes: ["GEMINI_", "GOOGLE_"] };
const RETRY = /^Attempt (\d+) failed(?: with status (\d+))?/;
const MAX_RETRIES = 4;

export type GeminiOptions = { spawn?: (options: SpawnOptions) => Running; clock?: Timers; uuid?: () => string };

/** An agent that runs `gemini` of the user's PATH. */
export function gemini({ spawn, clock, uuid = randomUUID }: GeminiOptions = {}): Agent {
  return programAgent<ConversationStart>({
    name: NAME,
    signIn: AGENT_PROGRAMS.gemini.signIn,
    environment: ENVIRONMENT,
    takes: { model: "model" },
    content: ["image", "audio"],
    id: UUID,
    keeps: { perFolder: true, below: "its home" },
    begins: (again) => ({ type: "new", id: again ?? uuid() }),
    goesOn: (id) => ({ type: "resumed", id }),
    play,
    ...{ spawn, clock },
  });
}

async function play(opening: ConversationStart, stage: Stage): Promise<Played> {
  const { request, emit, signal, scratch } = stage;
  const allowed = Number(optionsOf(request).max_retries ?? MAX_RETRIES);
  if (signal.aborted) return stopped(NAME);
  const call = invocationOf(request, opening, scratch);
  const home = homeOf(request, replaces(request) ? null : request.systemPrompt, scratch);
  if (opening.type === "new") emit({ type: "conversation", id: opening.id });
  const parser = new GeminiParser({ cwd: request.cwd, servers: request.mcpServers.map(({ name }) => name) });
  let gaveUp: GaveUp | null = null;
  const { end, stderr } = await runProgram({
    ...{ ...stage, call: { ...call, env: { ...call.env, ...home?.env } } },
    isDone: () => parser.result !== null,
    onLine: (line) => parser.read(line).forEach(emit),
    onErrorLine: (line, program) => {
      const retry = RETRY.exec(line);
      if (retry === null) return;
      const status = retry[2] === undefined ? null : Number(retry[2]);
      emit({ type: "notice", severity: "warning", message: line.slice(0, LONGEST_NOTICE) });
      if (Number(retry[1]) <= allowed) return;
      gaveUp = { status, message: line.slice(0, LONGEST_NOTICE) };
      program.stop();
    },
  }).finally(() => home?.giveBack());
  if (signal.aborted) return stopped(NAME, parser.said);
  return { ...outcomeOf(parser, end, stderr, gaveUp), isUnknown: isUnknownConversation(parser, stderr) };
}

const LONGEST_NOTICE = 300;
