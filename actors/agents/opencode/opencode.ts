/**
 * The provider `opencode`: OpenCode's own program, one run of it for a turn.
 *
 * I1. The conversation's id is told when the program has made it, before the model is asked.
 * I2. The program makes failed requests again without an end of its own: each is told, and after `max_retries` of them
 *     in a row it is stopped.
 * I3. On abort the program gets SIGTERM, then the ladder of `actors/process` ends the tools that it leaves.
 */
import type { AllowedEnvironment } from "../../process/environment.ts";
import { type Running, type SpawnOptions, spawnProcess } from "../../process/spawn.ts";
import type { Agent, AgentEvent, AgentRequest, AgentResult } from "../agent.ts";
import { runProgram, stopped } from "../program.ts";
import { type Scratch, withScratch } from "../scratch.ts";
import { invocationOf, optionsOf } from "./arguments.ts";
import { readLog } from "./log.ts";
import { type GaveUp, isUnknownSession, NAME, outcomeOf } from "./outcome.ts";
import { OpencodeParser } from "./parser.ts";

/** What it takes of the user's environment: its settings, and the keys of the models it speaks to. */
const ENVIRONMENT: AllowedEnvironment = {
  names: [
    ...["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "OPENROUTER_API_KEY", "GEMINI_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY"],
    ...["GROQ_API_KEY", "MISTRAL_API_KEY", "DEEPSEEK_API_KEY", "XAI_API_KEY"],
  ],
  prefixes: ["OPENCODE_"],
};
const MAX_RETRIES = 5;

export type OpencodeOptions = { spawn?: (options: SpawnOptions) => Running };
type Stage = {
  request: AgentRequest;
  emit: (event: AgentEvent) => void;
  signal: AbortSignal;
  spawn: (options: SpawnOptions) => Running;
};
type Played = { result: AgentResult; isUnknown: boolean };

/** An agent that runs `opencode` of the user's PATH. */
export function opencode({ spawn = spawnProcess }: OpencodeOptions = {}): Agent {
  const agent: Agent = async (request, emit, signal) => {
    const stage = { request, emit, signal, spawn };
    const { conversation } = request;
    if (conversation === null) return (await play(null, stage)).result;
    if (!/^ses_\w+$/.test(conversation)) return unknownSession(conversation);
    const resumed = await play(conversation, stage);
    if (!resumed.isUnknown || signal.aborted) return resumed.result;
    if (request.continues || request.attempt === 1) return unknownSession(conversation);
    emit({ type: "notice", severity: "info", message: "nothing was said in the conversation yet; it begins anew" });
    return (await play(null, stage)).result;
  };
  const takes = { model: "model", effort: "variant" };
  return Object.assign(agent, { environment: ENVIRONMENT, takes, content: ["image"] as const });
}

const play = (session: string | null, stage: Stage): Promise<Played> =>
  withScratch((scratch) => playWith(scratch, session, stage));

async function playWith(scratch: Scratch, session: string | null, stage: Stage): Promise<Played> {
  const { request, emit, signal, spawn } = stage;
  const call = invocationOf(request, session, scratch);
  const allowed = Number(optionsOf(request).max_retries ?? MAX_RETRIES);
  if (signal.aborted) return { result: stopped(NAME), isUnknown: false };
  const parser = new OpencodeParser({ cwd: request.cwd, servers: request.mcpServers.map(({ name }) => name) });
  const words: string[] = [];
  let known = session;
  let failures = 0;
  let gaveUp: GaveUp = null;
  const tell = (event: AgentEvent): void => {
    if (event.type === "conversation") {
      if (event.id === known) return;
      known = event.id;
    }
    emit(event);
  };
  const { end } = await runProgram({
    ...{ call, request, signal, spawn, emit },
    onLine: (line) => {
      for (const event of parser.read(line)) {
        if (event.type !== "conversation") failures = 0;
        tell(event);
      }
    },
    onErrorLine: (line, program) => {
      const told = readLog(line);
      switch (told.type) {
        case "created":
          if (known === null) tell({ type: "conversation", id: told.session });
          return;
        case "failed":
          failures += 1;
          if (failures <= allowed) return emit(retryNotice(told.message, failures, allowed));
          gaveUp ??= { message: told.message, retries: allowed };
          return program.stop();
        case "words":
          words.push(told.text);
          return;
        case "nothing":
          return;
        default:
          return told satisfies never;
      }
    },
  });
  if (signal.aborted) return { result: stopped(NAME, parser.said), isUnknown: false };
  const said = words.join("\n").slice(-4000);
  return { result: outcomeOf(parser, end, said, gaveUp), isUnknown: isUnknownSession(said) };
}

const retryNotice = (why: string, retry: number, of: number): AgentEvent => ({
  type: "notice",
  severity: "warning",
  message: `the model did not answer (${why}); retry ${retry} of ${of}`,
});

function unknownSession(id: string): AgentResult {
  const message = `${NAME} does not know the conversation "${id}". Run the step that began it again`;
  return { status: "failed", class: "refused", message, text: "", usage: null };
}
