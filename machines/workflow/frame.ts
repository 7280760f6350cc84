/** A finding shown in its file: the lines around it with numbers, and carets under what is meant. */
import { visible } from "../visible.ts";
import type { Finding } from "./finding.ts";

const AROUND = 2;
const MAX_WIDTH = 160;

/** Text that a terminal shows as it is: nothing invisible, one cell for a tab. */
const plain = (text: string): string => visible(text.replaceAll("\t", " "));

/** What terminals show in two cells: letters of East Asia, their signs and full forms, and pictures. */
const WIDE =
  /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\u3000-\u303e\uff01-\uff60\p{Emoji_Presentation}]$/u;
const MARK = /^\p{M}$/u;

/** How many cells a text takes, near enough for a caret to stand below it. */
function cellsOf(text: string): number {
  let cells = 0;
  for (const letter of plain(text)) cells += MARK.test(letter) ? 0 : WIDE.test(letter) ? 2 : 1;
  return cells;
}

/** The part of a long line that holds the columns; `from` is its first column, 0-based. */
function cut(line: string, column: number): { text: string; from: number } {
  if (line.length <= MAX_WIDTH) return { text: line, from: 0 };
  const from = Math.max(0, Math.min(column - 1 - MAX_WIDTH / 2, line.length - MAX_WIDTH));
  return { text: line.slice(from, from + MAX_WIDTH), from };
}

/**
 * Plain text, no colours:
 *
 *       3 | states:
 *     > 4 |   initial: biuld
 *         |            ^^^^^
 *       5 |   build:
 */
export function codeFrame(source: string, finding: Finding): string {
  const lines = source.split(/\r?\n/);
  const first = Math.max(1, finding.line - AROUND);
  const last = Math.min(lines.length, finding.line + AROUND);
  const width = String(last).length;
  const { from } = cut(lines[finding.line - 1] ?? "", finding.column);
  const shown: string[] = [];
  for (let number = first; number <= last; number += 1) {
    const line = lines[number - 1] ?? "";
    const hit = number === finding.line;
    const text = line.slice(from, from + MAX_WIDTH);
    shown.push(`${hit ? ">" : " "} ${String(number).padStart(width)} | ${plain(text)}`.trimEnd());
    if (!hit) continue;
    const end = finding.endLine === finding.line ? finding.endColumn : line.length + 1;
    // In cells as shown: an escape is wider than what it stands for, and so are some letters.
    const start = Math.max(0, finding.column - 1 - from);
    const before = cellsOf(text.slice(0, start)) + Math.max(0, start - text.length);
    const carets = "^".repeat(Math.max(1, cellsOf(text.slice(start, Math.max(start, end - 1 - from)))));
    shown.push(`  ${" ".repeat(width)} | ${" ".repeat(before)}${carets}`);
  }
  return shown.join("\n");
}
