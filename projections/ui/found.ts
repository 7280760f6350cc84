/** What was looked for, shown where it is found. */
import { paint } from "../terminal/paint.ts";
import { colourParts, uncoloured } from "../terminal/width.ts";

/** A line with each place of these words inverse; the colours that it has stay. As it is, where no colours are wanted. */
export function foundIn(line: string, words: string, colours: boolean): string {
  if (!colours || words === "") return line;
  const isFound = placesOf(uncoloured(line), words);
  if (!isFound.includes(true)) return line;
  const { inverse } = paint(colours);
  let at = 0;
  const parts = colourParts(line).map((part, index) => {
    if (index % 2 === 1) return part; // a colour
    const from = at;
    at += part.length;
    return runsOf(part, (unit) => isFound[from + unit] === true, inverse);
  });
  return parts.join("");
}

/** For each UTF-16 unit of a text, whether it belongs to such words; capitals or not. */
function placesOf(text: string, words: string): boolean[] {
  const found: boolean[] = new Array(text.length).fill(false);
  const meant = words.toLowerCase();
  for (let at = 0; at + words.length <= text.length; at++)
    if (text.slice(at, at + words.length).toLowerCase() === meant) found.fill(true, at, at + words.length);
  return found;
}

function runsOf(text: string, isMarked: (unit: number) => boolean, mark: (text: string) => string): string {
  let line = "";
  for (let from = 0; from < text.length; ) {
    let to = from + 1;
    while (to < text.length && isMarked(to) === isMarked(from)) to++;
    const run = text.slice(from, to);
    line += isMarked(from) ? mark(run) : run;
    from = to;
  }
  return line;
}
