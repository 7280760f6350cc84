/**
 * The provider `claude`: Claude Code's own program, spoken to in streaming JSON.
 *
 * I1. A new conversation's id is ours and is reported before the program starts, so that a crash at any moment can go
 *     on with it. An id of an earlier attempt under which nothing was written yet is used for a new conversation.
 * I2. Standard input stays open until the first result: before that its end would stop the program. So it ends as well
 *     with a result that cannot be read, being too long or nested too deep.
 * I3. What the program may not do by its own rules it asks us (see `permissions.ts`).
 * I4. What a person says meanwhile goes to its input; the program plays back what it has taken in (see `told.ts`).
 * I5. On abort the program gets SIGINT first, on which it ends its tools itself and says what it used; then the ladder of
 *     `actors/process`.
 */
import { randomUUID } from "node:crypto";
import type { Timers } from "../../base/clock.ts";
import type { Running, SpawnOptions } from "../../process/spawn.ts";
import type { Agent } from "../agent.ts";
import { type Control, runProgram, stopped } from "../program.ts";
import { type Played, programAgent, type Stage, UUID } from "../program-agent.ts";
import { AGENT_PROGRAMS } from "../programs.ts";
import { type ConversationStart, invocationOf } from "./arguments.ts";
import { isUnknownConversation, outcomeOf, usedBy } from "./outcome.ts";
import { ClaudeParser } from "./parser.ts";
import { Permissions } from "./permissions.ts";
import { ENVIRONMENT } from "./sign-in.ts";
import { ToldWords } from "./told.ts";

const { name: NAME, signIn } = AGENT_PROGRAMS.claude;
const UNREAD = `${NAME} gave a result that cannot be read: it has more than 10 MiB, or is nested too deep`;

export type ClaudeOptions = { spawn?: (options: SpawnOptions) => Running; clock?: Timers; uuid?: () => string };

/** An agent that runs `claude` of the user's PATH. */
export function claude({ spawn, clock, uuid = randomUUID }: ClaudeOptions = {}): Agent {
  return programAgent<ConversationStart>({
    name: NAME,
    signIn,
    environment: ENVIRONMENT,
    takes: { model: "model", effort: "effort" },
    content: ["image"],
    id: UUID,
    keeps: { perFolder: true, below: "CLAUDE_CONFIG_DIR" },
    begins: (again) => ({ type: "new", id: again ?? uuid() }),
    goesOn: (id) => ({ type: "resumed", id }),
    play: (opening, stage) => play(opening, stage, uuid),
    ...{ spawn, clock },
  });
}

async function play(opening: ConversationStart, stage: Stage, uuid: () => string): Promise<Played> {
  const { request, emit, signal } = stage;
  const call = invocationOf(request, opening);
  if (signal.aborted) return stopped(NAME);
  if (opening.type === "new") emit({ type: "conversation", id: opening.id });
  const permissions = new Permissions(request);
  const parser = new ClaudeParser(request.cwd);
  const told = new ToldWords(uuid);
  request.guidance?.listen((words) => told.hear(words));
  const over = (program: Control): void => {
    told.over();
    program.endInput();
  };
  let isUnread = false;
  const lost = (head: string, program: Control): void => {
    permissions.refuse(head, program.write);
    if (!head.startsWith('{"type":"result"')) return;
    isUnread = true;
    over(program);
  };
  const { end, stderr } = await runProgram({
    ...{ ...stage, call, first: "SIGINT", keepInput: true },
    isDone: () => parser.isDone,
    onLine: (line, program) => {
      parser.read(line).forEach(emit);
      for (const head of parser.unread.splice(0)) lost(head, program);
      for (const message of parser.control.splice(0)) permissions.take(message, program.write);
      told.begin(program.write);
      told.replayed(parser.replayed.splice(0));
      if (parser.result !== null) over(program);
      if (parser.refusal !== null) program.stop();
    },
    onLongLine: lost,
  });
  await told.kept();
  if (signal.aborted) return stopped(NAME, parser.said, usedBy(parser));
  if (isUnread) return { status: "failed", class: "cut", message: UNREAD, text: parser.said, usage: null };
  // A version that does not know the flag gets the schema only in the prompt.
  if (parser.result === null && stderr.includes("unknown option '--json-schema")) {
    const { outputSchema: _, ...told } = request;
    return play(opening, { ...stage, request: told }, uuid);
  }
  return { ...outcomeOf(parser, end, stderr), isUnknown: isUnknownConversation(parser) };
}
