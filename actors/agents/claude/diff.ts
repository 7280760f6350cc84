/**
 * The change that an editing tool made, from what it reports of its result.
 *
 * I1. The old text is the file's own, as the tool read it just before the change. Where the tool does not report the
 *     whole file, the old text is that of the changed lines.
 */
import { resolve } from "node:path";
import type { Block } from "../../../machines/exchange.ts";
import { type Json, own } from "../../../machines/model.ts";
import { type Fields, fieldsOf, isFields, listAt, textAt } from "../../base/json.ts";

type Diff = Extract<Block, { type: "diff" }>;

/** The change, or null where the result reports none. */
export function diffOf(result: Json | undefined, cwd: string): Diff | null {
  if (!isFields(result)) return null;
  const path = textAt(result, "filePath") ?? textAt(result, "notebook_path");
  if (path === null) return null;
  const texts = textsOf(result);
  return texts === null ? null : { type: "diff", path: resolve(cwd, path), ...texts };
}

type DiffTexts = { oldText: string | null; newText: string };

function textsOf(result: Fields): DiffTexts | null {
  const before = own(result, "originalFile") ?? own(result, "original_file");
  const after = textAt(result, "content") ?? textAt(result, "updated_file");
  if (after !== null) {
    if (typeof before === "string") return { oldText: before, newText: after };
    return textAt(result, "type") === "update" ? patched(result) : { oldText: null, newText: after };
  }
  const from = textAt(result, "oldString");
  const to = textAt(result, "newString");
  if (from === null || to === null) return patched(result);
  if (typeof before !== "string") return from === "" ? { oldText: null, newText: to } : { oldText: from, newText: to };
  if (from === "") return { oldText: before, newText: to };
  if (!before.includes(from)) return patched(result) ?? { oldText: from, newText: to };
  const newText =
    own(result, "replaceAll") === true ? before.replaceAll(from, () => to) : before.replace(from, () => to);
  return { oldText: before, newText };
}

/** The changed lines alone, from the hunks of a patch. */
function patched(result: Fields): DiffTexts | null {
  const all = listAt(result, "structuredPatch").flatMap((hunk) => listAt(fieldsOf(hunk), "lines"));
  const texts = all.filter((line) => typeof line === "string");
  if (texts.length === 0) return null;
  const side = (drop: string) =>
    texts.flatMap((line) => (line.startsWith(drop) || line.startsWith("\\") ? [] : [`${line.slice(1)}\n`])).join("");
  return { oldText: side("+"), newText: side("-") };
}
