/** Durations, ages and widths in the words of the terminal. */
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const ESCAPE = "\u001b";
/** Our own colours, each as one part, and characters. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what colours begin with
const PARTS = /\u001b\[\d+m|./gsu;

/** Milliseconds as `40ms`, `1.2s`, `3m 5s`, `2h 4m`. */
export function duration(ms: number): string {
  const span = Math.max(0, Math.round(ms));
  if (span < SECOND) return `${span}ms`;
  if (span < MINUTE) return `${(Math.floor(span / 100) / 10).toFixed(1)}s`;
  if (span < HOUR) return `${Math.floor(span / MINUTE)}m ${Math.floor((span % MINUTE) / SECOND)}s`;
  return `${Math.floor(span / HOUR)}h ${Math.floor((span % HOUR) / MINUTE)}m`;
}

/** How long ago something was, both in milliseconds since the epoch. */
export function age(at: number, now: number): string {
  const span = Math.max(0, now - at);
  if (span < MINUTE) return "just now";
  if (span < HOUR) return `${Math.floor(span / MINUTE)}m ago`;
  if (span < DAY) return `${Math.floor(span / HOUR)}h ago`;
  return `${Math.floor(span / DAY)}d ago`;
}

/** Cut to `columns` characters with an ellipsis; our own colours take no room. Null is as wide as it takes. */
export function shorten(text: string, columns: number | null): string {
  if (columns === null || text.length <= columns) return text;
  const parts = text.match(PARTS) ?? [];
  const width = parts.filter((part) => part[0] !== ESCAPE).length;
  if (width <= columns) return text;
  let left = Math.max(1, columns) - 1;
  let cut = "";
  let marked = false;
  for (const part of parts) {
    if (part[0] === ESCAPE) cut += part;
    else if (left > 0) {
      cut += part;
      left -= 1;
    } else if (!marked) {
      cut += "…";
      marked = true;
    }
  }
  return cut;
}

/** Broken into lines of at most `columns` characters, at spaces where there are any; nothing is left out. */
export function wrap(text: string, columns: number | null): string[] {
  return text.split("\n").flatMap((line) => wrapLine(line, columns));
}

function wrapLine(line: string, columns: number | null): string[] {
  if (columns === null || columns < 1) return [line];
  const lines: string[] = [];
  let rest = [...line];
  while (rest.length > columns) {
    const space = rest.lastIndexOf(" ", columns);
    const at = space > 0 ? space : columns;
    lines.push(rest.slice(0, at).join(""));
    rest = rest.slice(space > 0 ? at + 1 : at);
  }
  return [...lines, rest.join("")];
}

export const count = (many: number, one: string): string => `${many} ${one}${many === 1 ? "" : "s"}`;
