/**
 * A conversation without a terminal's whole screen: prompts that were given, one after the other, and lines.
 *
 * I1. A question is asked where a person can be asked; elsewhere the answer is no.
 * I2. One that is withdrawn is waited for no longer: the next line that is typed is not its answer.
 */
import type { ChatEvent, ChatQuestion, Conversation } from "../../actors/troupe.ts";
import { TroupeError } from "../../actors/troupe.ts";
import { ChatFold } from "../../projections/chat/chat.ts";
import { optionLines } from "../../projections/chat/decided.ts";
import type { Io } from "../cli/io.ts";
import { CANCELLED_EXIT } from "../cli/outcome.ts";

const MAX_TRIES = 3;

/** The exit code. Throws why it could not be opened, or what stopped the agent. */
export async function plainChat(conversation: Conversation, io: Io, prompts: AsyncIterable<string>): Promise<number> {
  const fold = new ChatFold({ colours: io.colours, columns: () => io.columns });
  let isStopped = false;
  let ended: ((event: ChatEvent) => void) | null = null;
  let asking: Promise<void> = Promise.resolve();
  const open = new Map<string, AbortController>();
  const unfollow = conversation.follow((event) => {
    const lines = fold.take(event);
    // The words of a question are for who answers it.
    if (event.type === "asked" && io.asks) io.err(`${lines.join("\n")}\n`);
    else if (lines.length > 0) io.out(`${lines.join("\n")}\n`);
    if (event.type === "asked") {
      const { question } = event;
      const controller = new AbortController();
      open.set(question.id, controller);
      asking = asking.then(async () =>
        conversation.answer(question.id, await answered(io, question, controller.signal)),
      );
    }
    if (event.type === "answered") withdraw(event.question.id);
    if (event.type === "ended" || event.type === "lost" || event.type === "view only") ended?.(event);
  });
  const unstop = io.onStop(() => {
    if (isStopped) return io.exitNow(CANCELLED_EXIT);
    isStopped = true;
    conversation.cancel();
  });
  try {
    await conversation.open();
    if (conversation.fault !== null) throw conversation.fault;
    if (conversation.state.status === "view only")
      throw new TroupeError(
        "USER.CONVERSATION.VIEW_ONLY",
        `the conversation cannot continue; a new one begins with its summary: troupe chat --from ${conversation.id}`,
      );
    for await (const prompt of prompts) {
      if (isStopped) return CANCELLED_EXIT;
      const { promise, resolve } = Promise.withResolvers<ChatEvent>();
      ended = resolve;
      await conversation.prompt(prompt);
      const end = await promise;
      if (end.type === "lost")
        throw new TroupeError(
          "SYSTEM.CLIENT.OUTCOME_UNKNOWN",
          "the agent is gone; what became of the prompt is unknown",
        );
      if (end.type !== "ended") continue;
      if (end.outcome === "cancelled") return CANCELLED_EXIT;
      if (end.outcome !== "end_turn")
        throw new TroupeError(
          "EXECUTION.CLIENT.REFUSED",
          end.why === "" ? `the agent ended the turn: ${end.outcome}` : end.why,
        );
    }
    return isStopped ? CANCELLED_EXIT : 0;
  } finally {
    unfollow();
    unstop();
    for (const id of open.keys()) withdraw(id);
  }

  /** I2. */
  function withdraw(id: string): void {
    open.get(id)?.abort();
    open.delete(id);
  }
}

async function answered(io: Io, question: ChatQuestion, signal: AbortSignal): Promise<string | null> {
  if (!io.asks || signal.aborted) return null;
  io.err(`${optionLines(question, -1, { colours: io.errColours }).join("\n")}\n`);
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const line = await io.readLine(signal);
    if (line === null) return null;
    const option = question.options[Number(line.trim()) - 1];
    if (option !== undefined) return option.id;
    io.err("Answer with the number of an option.\n");
  }
  return null;
}
