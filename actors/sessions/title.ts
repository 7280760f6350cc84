/** What a session is called in lists: the first words that were sent to it. */
import type { Block } from "../../machines/exchange.ts";
import type { Mask } from "../masking/masking.ts";

export const MAX_TITLE_CHARS = 80;
/** White space, control characters, and what turns the direction of writing: a title is one plain line. */
const UNSEEN = /[\s\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu;

/**
 * One line of at most MAX_TITLE_CHARS characters, or "" where a prompt has no words. Secrets are hidden before it is
 * cut: the half of one would not be found any more.
 */
export function titleOf(blocks: readonly Block[], mask: Mask): string {
  const words = blocks.flatMap((block) =>
    block.type === "text" ? [block.text] : block.type === "resource_link" ? [block.name] : [],
  );
  const line = [...mask.text(words.join(" ")).replace(UNSEEN, " ").trim()];
  return line.length <= MAX_TITLE_CHARS ? line.join("") : `${line.slice(0, MAX_TITLE_CHARS - 1).join("")}…`;
}
