/**
 * The provider `codex`: OpenAI's program, run once for each turn, its events as lines of JSON.
 *
 * I1. The conversation's id is the program's own and is reported as soon as it is known. One of an earlier attempt of
 *     which nothing was kept begins anew under another id.
 * I2. On abort the program gets SIGINT first, on which it ends its tools itself; then the ladder of `actors/process`.
 */
import type { Timers } from "../../base/clock.ts";
import type { Running, SpawnOptions } from "../../process/spawn.ts";
import type { Agent } from "../agent.ts";
import { strictSchema } from "../output-schema.ts";
import { runProgram, stopped } from "../program.ts";
import { type Played, programAgent, type Stage, UUID } from "../program-agent.ts";
import { AGENT_PROGRAMS } from "../programs.ts";
import { attachedFiles } from "../scratch.ts";
import { turnUse } from "../turn-use.ts";
import { invocationOf } from "./arguments.ts";
import { codexHome, writeLayer } from "./layer.ts";
import { isUnknownConversation, NAME, outcomeOf } from "./outcome.ts";
import { CodexParser } from "./parser.ts";
import { changesIn } from "./rollout.ts";
import { ENVIRONMENT } from "./sign-in.ts";

export type CodexOptions = { spawn?: (options: SpawnOptions) => Running; clock?: Timers };

/** An agent that runs `codex` of the user's PATH. */
export function codex({ spawn, clock }: CodexOptions = {}): Agent {
  return programAgent<string | null>({
    name: NAME,
    signIn: AGENT_PROGRAMS.codex.signIn,
    environment: ENVIRONMENT,
    takes: { model: "model", effort: "effort" },
    content: ["image"],
    id: UUID,
    keeps: { below: "CODEX_HOME" },
    begins: () => null,
    goesOn: (id) => id,
    play,
    ...{ spawn, clock },
  });
}

async function play(conversation: string | null, stage: Stage): Promise<Played> {
  const { request, emit, signal, scratch } = stage;
  invocationOf(request, conversation, { profile: null, images: [] });
  if (signal.aborted) return stopped(NAME);
  const layer = writeLayer(request);
  try {
    const images = attachedFiles(request, scratch);
    const shape = strictSchema(request.outputSchema);
    const schema = shape === undefined ? null : scratch.file("output-schema.json", JSON.stringify(shape));
    const call = invocationOf(request, conversation, { profile: layer?.name ?? null, images, schema });
    const parser = new CodexParser(request.cwd, conversation);
    const { end, stderr } = await runProgram({
      ...{ ...stage, call, first: "SIGINT" },
      isDone: () => parser.end !== null,
      onLine: (line, program) => {
        for (const event of parser.read(line)) emit(event);
        if (parser.waitsInVain) program.stop();
      },
    });
    tellChanges(parser, call.env, emit);
    if (signal.aborted) return stopped(NAME, parser.said);
    const result = outcomeOf(parser, end, stderr);
    const usage = await turnUse(parser.thread, result.usage, request.memory);
    return { ...result, usage, isUnknown: isUnknownConversation(parser, stderr) };
  } finally {
    layer?.remove();
  }
}

/** The diffs of calls whose end was reported already. */
function tellChanges(
  { thread, changed }: CodexParser,
  env: { readonly [name: string]: string },
  emit: Stage["emit"],
): void {
  if (thread === null || changed.length === 0) return;
  const changes = changesIn(codexHome(env), thread, changed.length);
  if (changes.length < changed.length) return;
  for (const [index, call] of changed.entries()) {
    const content = changes[index] ?? [];
    if (content.length > 0) emit({ type: "tool", tool: { call, content } });
  }
}
