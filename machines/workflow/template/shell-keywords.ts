/** Words of the shell behind which a command begins. */
import type { Line, ShellWord } from "./shell-holes.ts";

const KEYWORDS = new Set("if then elif else fi do done while until ! { } time coproc".split(" "));
/** Those that may stand behind `]]`, `for x` and `for ((…))` with nothing between. */
const CLOSING = new Set(["do", "then"]);

/** Whether one begins behind `word`, which has not joined its line yet. `source`: the whole script. */
export function opensCommand({ words, heads }: Line, word: ShellWord, source: string): boolean {
  if (word.quoted) return false;
  if (word.text === "{" || (words.length === 0 && KEYWORDS.has(word.text))) return true;
  if (!CLOSING.has(word.text)) return false;
  const last = words.at(-1);
  if (words[0]?.text === "[[") return last?.text === "]]" && !last.quoted;
  if (heads[0]?.text !== "for" && heads[0]?.text !== "select") return false;
  return words.length === 2 || (words.length === 1 && /\)\)\s*$/.test(source.slice(words[0]?.end, word.start)));
}

/** `{name}` before a redirection: the variable that gets the number of what is opened. */
export const isDescriptor = ({ text, quoted }: ShellWord): boolean =>
  !quoted && /^(?:\d+|\{[A-Za-z_]\w*\})$/.test(text);
