/**
 * The changes of files that codex made in a run, from its own record of the conversation: its events name the files only.
 *
 * I1. The record is read when the program has ended, so it is whole. Where it is not found, or cannot be read, nothing is
 *     reported.
 * I2. The texts are those of the changed lines and what is around them.
 */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Block } from "../../../machines/exchange.ts";
import { type Fields, fieldsAt, fieldsOf, parsed, textAt } from "../../base/json.ts";
import { patched } from "../patch.ts";

/** The diffs of the last `count` calls that changed files, in order. */
export function changesIn(home: string, conversation: string, count: number): Block[][] {
  const [file] = globSync(`sessions/*/*/*/rollout-*${conversation}.jsonl`, { cwd: home });
  const changes = file === undefined ? [] : linesOf(join(home, file)).flatMap(changeOf);
  return changes.slice(-count).map(diffsOf);
}

/** None where it cannot be read: it may be another user's, or longer than a text can be. */
function linesOf(file: string): string[] {
  try {
    return readFileSync(file, "utf8").split("\n");
  } catch {
    return [];
  }
}

function changeOf(line: string): Fields[] {
  // Most lines are large and something else.
  if (!line.includes('"FileChange"')) return [];
  const item = fieldsAt(fieldsAt(fieldsOf(parsed(line) ?? null), "payload"), "item");
  return textAt(item, "type") === "FileChange" ? [fieldsAt(item, "changes")] : [];
}

const diffsOf = (changes: Fields): Block[] =>
  Object.entries(changes)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([path, value]): Block[] => {
      const change = fieldsOf(value);
      const text = textAt(change, "content") ?? "";
      switch (textAt(change, "type")) {
        case "add":
          return [{ type: "diff", path, oldText: null, newText: text }];
        case "delete":
          return [{ type: "diff", path, oldText: text, newText: "" }];
        default: {
          const to = textAt(change, "move_path") ?? path;
          return patched(`--- ${path}\n+++ ${to}\n${textAt(change, "unified_diff") ?? ""}`, "/");
        }
      }
    });
