/**
 * The summary of an earlier conversation, for a new one that continues from there. Pure.
 *
 * I1. It is not longer than MAX_SUMMARY: what was asked last and said last goes before what is older.
 */

import type { Json } from "../model.ts";
import type { ChatEvent } from "./event.ts";
import { fieldOf, textIn } from "./index-of.ts";
import { prefaceWords } from "./preface.ts";

export const MAX_SUMMARY = 12_000;
const MAX_PART = 2_000;

type Turn = { asked: string; said: string; files: Set<string> };

/** Empty where nothing was asked. */
export function summaryOf(events: Iterable<ChatEvent>): string {
  const turns: Turn[] = [];
  for (const event of events) {
    if (event.type === "prompted") turns.push({ asked: textsOf(event.blocks), said: "", files: new Set() });
    const turn = turns.at(-1);
    if (turn === undefined || event.type !== "update") continue;
    const { update } = event;
    if (fieldOf(update, "sessionUpdate") === "agent_message_chunk") {
      const text = fieldOf(fieldOf(update, "content"), "text");
      if (typeof text === "string") turn.said += text;
    }
    const content = fieldOf(update, "content");
    for (const one of Array.isArray(content) ? content : [])
      if (fieldOf(one, "type") === "diff") turn.files.add(textIn(one, "path"));
  }
  if (turns.length === 0) return "";
  const parts: string[] = [];
  let left = MAX_SUMMARY;
  for (const turn of turns.toReversed()) {
    const part = partOf(turn);
    left -= part.length;
    if (left < 0) break;
    parts.unshift(part);
  }
  const cut = turns.length - parts.length;
  const before = cut === 0 ? [] : [`(${cut} earlier prompts are left out.)`];
  return [
    "Summary of an earlier conversation in this folder, which cannot be continued. It is context, not a task.",
    ...before,
    ...parts,
  ].join("\n\n");
}

function partOf({ asked, said, files }: Turn): string {
  const edited = files.size === 0 ? [] : [`Files changed: ${[...files].join(", ")}`];
  return [`I asked: ${ends(asked)}`, `You said: ${ends(said)}`, ...edited].join("\n");
}
/** Its beginning and its end, where it is long. */
function ends(text: string): string {
  const whole = text.trim();
  if (whole === "") return "(nothing)";
  return whole.length <= MAX_PART ? whole : `${whole.slice(0, MAX_PART / 2)} […] ${whole.slice(-MAX_PART / 2)}`;
}
function textsOf(blocks: Json): string {
  const texts = (Array.isArray(blocks) ? blocks : []).map((block) => fieldOf(block, "text"));
  return texts.filter((text) => typeof text === "string" && prefaceWords(text) === null).join("\n");
}
