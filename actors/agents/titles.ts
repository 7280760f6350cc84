/** Titles of tool calls. */
const MAX_TITLE = 300;

/** A title of one card's length, cut between characters: the call's input has the whole. */
export function shortened(text: string, most = MAX_TITLE): string {
  const line = text.trim();
  return line.length <= most ? line : `${line.slice(0, most).replace(/[\uD800-\uDBFF]$/, "")}…`;
}
