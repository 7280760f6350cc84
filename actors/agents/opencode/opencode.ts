/**
 * The provider `opencode`: OpenCode's own program, one run of it for a turn.
 *
 * I1. The conversation's id is reported when the program has made it, before the model is asked.
 * I2. The program makes failed requests again without an end of its own: each is reported, and after `max_retries` of
 *     them in a row it is stopped.
 * I3. On abort the program gets SIGTERM, then the ladder of `actors/process` ends the tools that it leaves.
 */

import type { Timers } from "../../base/clock.ts";
import { endOf } from "../../base/end-of.ts";
import type { AllowedEnvironment } from "../../process/environment.ts";
import type { End, Running, SpawnOptions } from "../../process/spawn.ts";
import type { Agent, AgentEvent } from "../agent.ts";
import { runProgram, stopped } from "../program.ts";
import { type Played, programAgent, type Stage } from "../program-agent.ts";
import { AGENT_PROGRAMS } from "../programs.ts";
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
const KEPT_WORDS = 4000;
/** Its answer counts as if it had ended itself. */
const BY_ITSELF: End = { type: "exited", code: 0 };

export type OpencodeOptions = { spawn?: (options: SpawnOptions) => Running; clock?: Timers };

/** An agent that runs `opencode` of the user's PATH. */
export function opencode({ spawn, clock }: OpencodeOptions = {}): Agent {
  return programAgent<string | null>({
    name: NAME,
    signIn: AGENT_PROGRAMS.opencode.signIn,
    environment: ENVIRONMENT,
    takes: { model: "model", effort: "variant" },
    content: ["image"],
    id: /^ses_\w+$/,
    begins: () => null,
    goesOn: (id) => id,
    play,
    ...{ spawn, clock },
  });
}

async function play(session: string | null, stage: Stage): Promise<Played> {
  const { request, emit, signal, scratch } = stage;
  const call = invocationOf(request, session, scratch);
  const allowed = Number(optionsOf(request).max_retries ?? MAX_RETRIES);
  if (signal.aborted) return stopped(NAME);
  const parser = new OpencodeParser({ cwd: request.cwd, servers: request.mcpServers.map(({ name }) => name) });
  /** The end of what it wrote for people. */
  let words = "";
  let failures = 0;
  let gaveUp: GaveUp = null;
  let isTold = session !== null;
  const { end, isOverdue } = await runProgram({
    ...stage,
    call,
    isDone: () => parser.isDone,
    onLine: (line) => {
      for (const event of parser.read(line)) {
        if (event.type === "conversation") isTold = true;
        else failures = 0;
        emit(event);
      }
    },
    onErrorLine: (line, program) => {
      const told = readLog(line);
      switch (told.type) {
        case "created":
          if (!isTold) emit({ type: "conversation", id: told.session });
          isTold = true;
          return;
        case "failed":
          failures += 1;
          if (failures <= allowed) return emit(retryNotice(told.message, failures, allowed));
          gaveUp ??= { message: told.message, retries: allowed };
          return program.stop();
        case "words":
          words = endOf(words === "" ? told.text : `${words}\n${told.text}`, KEPT_WORDS);
          return;
        case "nothing":
          return;
        default:
          return told satisfies never;
      }
    },
  });
  if (signal.aborted) return stopped(NAME, parser.said, parser.usage);
  return {
    ...outcomeOf(parser, isOverdue ? BY_ITSELF : end, words, gaveUp),
    isUnknown: isUnknownSession(parser, words),
  };
}

const retryNotice = (why: string, retry: number, of: number): AgentEvent => ({
  type: "notice",
  severity: "warning",
  message: `the model did not answer (${why}); retry ${retry} of ${of}`,
});
