/**
 * The provider `github_copilot`: GitHub Copilot's own program, one run of it for a turn.
 *
 * I1. A new conversation's id is ours and is reported before the program starts: after a crash at any moment a run can
 *     continue with it, whether or not the program has written anything under it.
 * I2. The program asks the model again by itself, reports each time, and stops by itself; it needs no bound of ours.
 * I3. On abort the program and all it started get SIGTERM, then the ladder of `actors/process`.
 */
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Timers } from "../../base/clock.ts";
import type { AllowedEnvironment } from "../../process/environment.ts";
import type { Running, SpawnOptions } from "../../process/spawn.ts";
import type { Agent, AgentRequest } from "../agent.ts";
import { runProgram, stopped } from "../program.ts";
import { type Played, programAgent, type Stage, UUID } from "../program-agent.ts";
import { AGENT_PROGRAMS } from "../programs.ts";
import { turnUse } from "../turn-use.ts";
import { type CopilotConversation, invocationOf } from "./arguments.ts";
import { isUnknownSession, NAME, outcomeOf, usageOf } from "./outcome.ts";
import { CopilotParser } from "./parser.ts";

/** What it takes of the user's environment: its settings, and what it signs in with. */
const ENVIRONMENT: AllowedEnvironment = {
  names: ["GH_TOKEN", "GITHUB_TOKEN", "GH_HOST", "USE_BUILTIN_RIPGREP"],
  prefixes: ["COPILOT_"],
};

export type CopilotOptions = { spawn?: (options: SpawnOptions) => Running; clock?: Timers; uuid?: () => string };

/** An agent that runs `copilot` of the user's PATH. */
export function githubCopilot({ spawn, clock, uuid = randomUUID }: CopilotOptions = {}): Agent {
  return programAgent<CopilotConversation>({
    name: NAME,
    signIn: AGENT_PROGRAMS.github_copilot.signIn,
    environment: ENVIRONMENT,
    takes: { model: "model", effort: "effort" },
    content: ["image"],
    id: UUID,
    keeps: { below: "COPILOT_HOME" },
    begins: (again) => ({ type: "ours", id: again ?? uuid() }),
    goesOn: (id, request) => ({ type: isOurs(request) ? "ours" : "theirs", id }),
    play,
    ...{ spawn, clock },
  });
}

/** Only an attempt of this very step can have ended before the program wrote anything under the id. */
const isOurs = ({ continues, attempt }: AgentRequest): boolean => !continues && attempt > 1;

async function play(opening: CopilotConversation, stage: Stage): Promise<Played> {
  const { request, emit, signal, scratch } = stage;
  const call = invocationOf(request, opening, scratch);
  if (signal.aborted) return stopped(NAME);
  emit({ type: "conversation", id: opening.id });
  const parser = new CopilotParser(request.cwd);
  const { end, stderr } = await runProgram({
    ...stage,
    call,
    isDone: () => parser.result !== null,
    onLine: (line) => parser.read(line).forEach(emit),
  });
  if (signal.aborted) return stopped(NAME, parser.said);
  const usage = await turnUse(opening.id, usageOf(textOf(call.usageFile)), request.memory);
  const isUnknown = parser.result === null && isUnknownSession(stderr);
  return { ...outcomeOf(parser, end, stderr, usage), isUnknown };
}

function textOf(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}
