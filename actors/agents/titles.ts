/** Titles of tool calls. */
const MAX_TITLE = 300;

/** A title of one card's length, cut between characters: the call's input has the whole. */
export function shortened(text: string): string {
  const line = text.trim();
  return line.length <= MAX_TITLE ? line : `${line.slice(0, MAX_TITLE).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
