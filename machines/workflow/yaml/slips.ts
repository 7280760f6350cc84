/** What a file holds by mistake, where the library's errors only name what follows from it. */
import type { YamlFault } from "./fault.ts";
import { lexemesOf } from "./lexemes.ts";

type Slip = Pick<YamlFault, "message" | "range"> & { expected: string };

/** Blanks that YAML takes for letters: they come along from a page, or from a key held down. */
const ODD = "[\\u00a0\\u2000-\\u200b\\u202f\\u205f\\u3000]";
const ODD_BLANK = new RegExp(ODD);
/** Where one was meant to be indentation, or to stand behind a colon or dash. */
const MISPLACED = new RegExp(`(?:^|\\n) *-?${ODD}|[\\w"'}\\]]:${ODD}`);

/** The lines that git leaves around and between two versions that it could not merge. */
const CONFLICT = /^(?:<{7}|={7}|>{7}|\|{7})(?: |\r?$)/m;

/** What causes the error at `at`. */
export function slipAt(source: string, at: number): Slip | null {
  return conflict(source) ?? tab(source, at) ?? oddBlank(source, at);
}

function conflict(source: string): Slip | null {
  const found = CONFLICT.exec(source);
  if (found === null) return null;
  return {
    message: `"${found[0].trimEnd()}" is a mark of git: two versions of this file are not merged yet`,
    expected: "one version, or both joined, and no line of <<<<<<<, ======= or >>>>>>>",
    range: { start: found.index, end: found.index + 7 },
  };
}

function tab(source: string, at: number): Slip | null {
  const line = source.lastIndexOf("\n", at - 1) + 1;
  const [indentation] = /^[ \t]*/.exec(source.slice(line)) ?? [""];
  const start = line + indentation.indexOf("\t");
  if (start < line || at > line + indentation.length) return null;
  return {
    message: "a tab stands in the indentation of this line",
    expected: "blanks in place of every tab that a line begins with",
    range: { start, end: start + 1 },
  };
}

/** The first such blank up to the end of the line at `at`. */
function oddBlank(source: string, at: number): Slip | null {
  const next = source.indexOf("\n", at);
  const end = next < 0 ? source.length : next;
  let behindColon = false;
  for (const { text, at: from, plain } of lexemesOf(source)) {
    if (from >= end) return null;
    // A value may hold what it likes, but for the lines that it was not meant to have.
    const skipped = behindColon ? (/^.*/.exec(text)?.[0].length ?? 0) : 0;
    const found = plain ? MISPLACED.exec(text.slice(skipped)) : null;
    const start = found === null ? end : from + skipped + found.index + found[0].search(ODD_BLANK);
    if (start < end) return { ...oddBlankIn(source.slice(start)), range: { start, end: start + 1 } };
    if (text.includes("\n") || text.trim() !== "") behindColon = text === ":";
  }
  return null;
}

function oddBlankIn(text: string): { message: string; expected: string } {
  const code = (ODD_BLANK.exec(text)?.[0] ?? "").charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
  const name = code === "00A0" ? "a non-breaking blank" : "a blank";
  return {
    message: `${name} (U+${code}) stands here, which YAML takes for a letter`,
    expected: "a plain blank in its place, here and wherever else it was copied to",
  };
}

/** The same of a key that could be read, with such a blank at its begin or where its value was meant to begin. */
export const oddBlankInKey = (key: string): { message: string; expected: string } | null =>
  MISPLACED.test(key) ? oddBlankIn(key) : null;
