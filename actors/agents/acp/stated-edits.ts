/**
 * The edit that a call states in its input, where its question shows no diff: so that it is asked about as what it writes,
 * and once. H33.
 *
 * I1. Only a text and what takes its place, of a file by its whole path, under the names that agents' tools have for them.
 */
import { isAbsolute } from "node:path";
import type { FileEdit, ToolKind } from "../../../machines/exchange.ts";
import type { Json } from "../../../machines/model.ts";
import { fieldsOf, textAt } from "../../base/json.ts";

const PATHS = ["file_path", "filePath", "path"];
const TEXTS = [
  ["old_string", "new_string"],
  ["oldString", "newString"],
  ["old_str", "new_str"],
] as const;

/** None where it states none. */
export function statedEdits(kind: ToolKind | null | undefined, input: Json | undefined): FileEdit[] {
  const fields = fieldsOf(input ?? null);
  const path = PATHS.map((name) => textAt(fields, name)).find((one) => one !== null && isAbsolute(one));
  if (kind !== "edit" || path === undefined || path === null) return [];
  for (const [before, after] of TEXTS) {
    const [oldText, newText] = [textAt(fields, before), textAt(fields, after)];
    if (oldText !== null && oldText !== "" && newText !== null) return [{ path, oldText, newText }];
  }
  return [];
}
