/** What a prompt means to a session, given what its run waits for. */
import type { Intent, Prompt } from "../contracts.ts";
import type { Block } from "../exchange.ts";
import { identifierOf } from "../naming/identifier.ts";
import { referenceTo } from "../prompt/attachment.ts";

/** `resume`: a crash cut the run off. `answer`: it asked a person something. `either`: both. */
export type Awaited = { for: "nothing" | "resume" | "answer" | "either"; workflow: string };

/**
 * With an interrupted run, text resumes it and a command is refused with its name (D5). So nothing that is explained of
 * an empty prompt speaks of commands.
 * With a parked one, every prompt is the answer, and text that is empty, or a lone ".", ends the conversation. A command
 * that is known here is explained: its sender may not know that it would be the answer.
 * Where a crash cut off a run that had asked something, words are the answer too: they are not lost on a `resume`. Nor is
 * a command that is known here taken for one.
 * Without one, text means what the prompt itself says it means otherwise.
 * What cannot be passed on is explained, whatever is waited for.
 */
export function interpretPrompt({ asks, blocks, who }: Prompt, { for: awaited, workflow }: Awaited): Intent {
  if (asks.type === "unreadable") return asks.explanation;
  const answer = (): Intent => ({ type: "answer", text: wordsOf(blocks), ...(who === undefined ? {} : { who }) });
  switch (awaited) {
    case "nothing":
      if (asks.type === "text") return asks.otherwise;
      return asks.type === "resume"
        ? refusal("USER.RUN.NOT_RESUMABLE", "no run of this session was interrupted")
        : asks;
    case "answer":
      if (asks.type === "answer") return asks;
      if (asks.type === "resume")
        return refusal("USER.RUN.NOT_RESUMABLE", `a run of "${workflow}" waits for an answer: send it as text`);
      return commandOf(asks) === null ? answer() : refusal("USER.RUN.PARKED", parked(workflow));
    case "either":
      if (asks.type === "answer" || asks.type === "resume") return asks;
      return commandOf(asks) === null ? answer() : refusal("USER.RUN.PARKED", parked(workflow));
    case "resume":
      if (asks.type === "text") return { type: "resume", recover: "ask" };
      if (asks.type === "explain" && asks.fault.code === EMPTY)
        return refusal(EMPTY, `The prompt is empty. ${interrupted(workflow)}`);
      return asks.type === "run" ? refusal("USER.RUN.INTERRUPTED", interrupted(workflow)) : asks;
    default:
      return awaited satisfies never;
  }
}

/** The code of a prompt without words. */
const EMPTY = "USER.INPUT.EMPTY";

/** Ends a conversation where an editor sends no empty prompt. */
const FULL_STOP = ".";

/** A lone link is an answer: it is passed on by its name and address. */
function wordsOf(blocks: readonly Block[]): string {
  const words = blocks
    .map((block) => {
      if (block.type === "text" || block.type === "resource") return block.text;
      if (block.type === "image" || block.type === "audio") return referenceTo(block);
      return block.type === "resource_link" ? `[${block.name}](${block.uri})` : "";
    })
    .filter((text) => text.trim() !== "")
    .join("\n");
  return words.trim() === FULL_STOP ? "" : words;
}

/** The workflow whose command a prompt is. */
function commandOf(asks: Prompt["asks"]): string | null {
  if (asks.type === "run") return identifierOf(asks.workflow);
  return asks.type === "explain" ? (asks.command ?? null) : null;
}

const parked = (workflow: string): string =>
  `A run of "${workflow}" waits for your answer, and this command would be that answer: nothing was sent. ` +
  `To leave, cancel the session, which ends the run; where your editor cannot, \`troupe cancel\` in a terminal does. ` +
  `Where a conversation waits, an empty prompt or a lone "." ends that alone. Then send the command again. To answer with these words, put others before them.`;

const interrupted = (workflow: string): string =>
  `A run of "${workflow}" was interrupted in this session. Send any text to resume it, or cancel it first; then run another workflow.`;

const refusal = (code: string, message: string): Intent => ({
  type: "explain",
  text: message,
  stopReason: "refusal",
  fault: { code, message },
});
