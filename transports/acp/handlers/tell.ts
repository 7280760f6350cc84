/**
 * `_troupe/tell`, and a prompt `/tell [step] text`: a person says something to an agent while it works.
 *
 * I1. Such a prompt is taken while a turn runs, is answered at once and ends no turn.
 * I2. What was said is shown, and when the agent gets it, before the answer; so is why it was not taken.
 */
import type { PromptRequest, PromptResponse } from "@agentclientprotocol/sdk";
import type { PromptBlock, TellAnswer } from "../../../actors/troupe.ts";
import { blocksOf } from "../blocks.ts";
import type { EditorConnection } from "../connection.ts";

type ToldWords = { words: string; more: PromptBlock[] };
export type ToldRequest = { sessionId: string; text: string; step: string };

export async function tellAgent(
  connection: EditorConnection,
  { sessionId, text, step }: ToldRequest,
): Promise<TellAnswer> {
  const { session } = connection.attended(sessionId);
  return await session.tell({ text, step: step === "" ? null : step });
}

const TELL = /^\s*\/tell(?:\s+([\s\S]*))?$/;

/** What is said by a prompt that is meant for an agent at work; null for any other prompt. */
export function toldBy({ prompt }: PromptRequest): ToldWords | null {
  // Some editors send what was attached before the words, also as text.
  const texts = prompt.flatMap((block, at) => (block.type === "text" ? [{ at, text: block.text }] : []));
  const last = texts.slice(-1).filter(({ text }) => text.startsWith("/"));
  for (const { at, text } of [...texts.slice(0, 1), ...last]) {
    const told = TELL.exec(text);
    if (told !== null) return { words: told[1] ?? "", more: blocksOf(prompt.toSpliced(at, 1)) };
  }
  return null;
}

/** Answers a prompt that is such words. */
export async function tellByPrompt(
  connection: EditorConnection,
  sessionId: string,
  told: ToldWords,
): Promise<PromptResponse> {
  const attended = connection.attended(sessionId);
  try {
    await attended.session.tell(told);
    if (attended.isShown) await attended.caughtUp();
    return { stopReason: "end_turn" };
  } catch (error) {
    const { code, message } = (await import("../../../actors/troupe.ts")).troupeError(error);
    const content = { type: "text" as const, text: `${message}\n` };
    connection.writer.update(sessionId, { sessionUpdate: "agent_message_chunk", content });
    return { stopReason: "end_turn", _meta: { "troupe/error": { code, message } } };
  }
}
