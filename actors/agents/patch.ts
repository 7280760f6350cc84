/**
 * A unified diff as blocks of the log: one for each file.
 *
 * I1. The texts are those of the hunks: a patch does not hold the whole file. A file that was not there has no old
 *     text.
 */
import { resolve } from "node:path";
import type { Block } from "../../machines/exchange.ts";

type Diff = Extract<Block, { type: "diff" }>;
type File = { from: string; to: string; old: string[]; new: string[]; changed: boolean };

const NOTHING = "/dev/null";

/** The files that a patch changes; none where the text is no patch. `cwd`: what its paths are relative to. */
export function patched(patch: string, cwd: string): Diff[] {
  const files: File[] = [];
  let file: File | null = null;
  let inHunk = false;
  const all = patch.split("\n");
  for (const [index, line] of all.entries()) {
    const next = all[index + 1] ?? "";
    if (line.startsWith("--- ") && next.startsWith("+++ ")) {
      file = { from: pathOf(line), to: pathOf(next), old: [], new: [], changed: false };
      files.push(file);
      inHunk = false;
    } else if (line.startsWith("diff --git ")) file = null;
    else if (line.startsWith("@@")) inHunk = true;
    else if (file !== null && inHunk) add(file, line);
  }
  return files.filter(({ changed }) => changed).map((one) => diffOf(one, cwd));
}

function add(file: File, line: string): void {
  const text = line.slice(1);
  switch (line[0]) {
    case "+":
      file.new.push(text);
      file.changed = true;
      return;
    case "-":
      file.old.push(text);
      file.changed = true;
      return;
    case " ":
      file.old.push(text);
      file.new.push(text);
      return;
    default:
      // "\ No newline at end of file", and the empty line after the last hunk.
      return;
  }
}

function diffOf({ from, to, old, new: fresh }: File, cwd: string): Diff {
  const path = to === NOTHING ? from : to;
  const isNew = from === NOTHING;
  return { type: "diff", path: resolve(cwd, path), oldText: isNew ? null : joined(old), newText: joined(fresh) };
}

const joined = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");

/** `--- a/some/file	2026-…` is `some/file`; git drops the slash of an absolute path behind its `a/`. */
function pathOf(line: string): string {
  const path = (line.slice(4).split("\t")[0] ?? "").trim();
  if (path === NOTHING || path === "a/dev/null" || path === "b/dev/null") return NOTHING;
  return /^[ab]\//.test(path) ? path.slice(2) : path;
}
