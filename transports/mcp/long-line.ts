/**
 * The id of a request whose line was too long to be kept, from the bytes at its two ends.
 *
 * I1. Only of a message that names its method at its top: an answer has an id of ours, and gets none.
 * I2. What cannot be told for sure is null.
 */
const TOKEN = /\s*("(?:[^"\\]|\\.)*"|[^\s,:{}[\]"]+|[,:{}[\]])/y;
const LAST = /,\s*"id"\s*:\s*("(?:[^"\\]|\\.)*"|\d+)\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/;

export function idOfLongLine(head: string, tail: string): string | number | null {
  const top = topOf(head);
  if (!top.has("method")) return null;
  return idIn(top.get("id") ?? LAST.exec(tail)?.[1]);
}

/** The texts of the values that stand whole at the top of an object's beginning, by their keys; "" for lists and objects. */
function topOf(text: string): Map<string, string> {
  const top = new Map<string, string>();
  TOKEN.lastIndex = 0;
  let [depth, key]: [number, string | null] = [0, null];
  for (let last = ""; ; ) {
    const token = TOKEN.exec(text)?.[1];
    // A number at the very end may be cut.
    if (token === undefined || TOKEN.lastIndex === text.length) return top;
    if (depth === 1 && token === ":") key = last;
    else if (depth === 1 && last === ":" && key !== null) top.set(key, token);
    if (token === "{" || token === "[") depth += 1;
    else if (token === "}" || token === "]") depth -= 1;
    last = token.startsWith('"') ? token.slice(1, -1) : token;
  }
}

function idIn(text = ""): string | number | null {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  try {
    return text.startsWith('"') ? (JSON.parse(text) as string) : null;
  } catch {
    return null; // no text of JSON (I2)
  }
}
