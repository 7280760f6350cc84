/**
 * Heredocs: the word behind `<<`, and where a body ends.
 *
 * I1. A body ends at the first line that equals the delimiter; in an unquoted one a line that ends in a
 *     backslash is joined to the next first.
 */

/** Reads the delimiter word at `at`. Null when it is expanded by some shells (`$`, backticks) or missing. */
export function readDelimiter(source: string, at: number): { delimiter: string; quoted: boolean; end: number } | null {
  let delimiter = "";
  let quoted = false;
  let next = at;
  while (next < source.length) {
    const char = source.charAt(next);
    if (/[\s;&|<>()]/.test(char)) break;
    if (char === "$" || char === "`" || char === "\0") return null;
    if (char === "\\") {
      quoted = true;
      delimiter += source.charAt(next + 1);
      next += 2;
    } else if (char === "'" || char === '"') {
      const close = source.indexOf(char, next + 1);
      const inner = source.slice(next + 1, close < 0 ? undefined : close);
      if (close < 0 || /[\n\0$`\\]/.test(inner)) return null;
      quoted = true;
      delimiter += inner;
      next = close + 1;
    } else {
      delimiter += char;
      next += 1;
    }
  }
  return next === at || delimiter === "" ? null : { delimiter, quoted, end: next };
}

type Body = {
  end: number;
  after: number;
  closed: boolean /** A line begins with the delimiter and `)`. */;
  doubtful: boolean;
};

/** Finds the end of the body that starts at `start`. */
export function findBody(
  source: string,
  start: number,
  limit: number,
  mark: { delimiter: string; quoted: boolean; strip: boolean },
): Body {
  let at = start;
  let joined = false;
  let doubtful = false;
  while (at < limit) {
    const newline = source.indexOf("\n", at);
    const end = newline < 0 || newline > limit ? limit : newline;
    const whole = source.slice(at, end);
    const line = mark.strip ? whole.replace(/^\t+/, "") : whole;
    if (!joined && line === mark.delimiter) return { end: at, after: Math.min(end + 1, limit), closed: true, doubtful };
    if (line.startsWith(`${mark.delimiter})`)) doubtful = true;
    joined = !mark.quoted && (/\\*$/.exec(whole)?.[0].length ?? 0) % 2 === 1;
    at = end + 1;
  }
  return { end: limit, after: limit, closed: false, doubtful };
}
