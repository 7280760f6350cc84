/** The items of a `for_each`. */
import type { Json } from "../../machines/model.ts";
import type { ForEachNode } from "../../machines/workflow/document.ts";
import { TroupeError } from "../errors/troupe-error.ts";
import type { Rendering } from "./rendering.ts";

/** A YAML list with its strings rendered; a text as a JSON array, else as a list with commas. Throws a `TroupeError`. */
export function itemsOf(node: ForEachNode, rendering: Rendering): Json[] {
  const where = `states.${node.name}.items`;
  if (Array.isArray(node.items)) return node.items.map((item, index) => rendering.value(item, `${where}[${index}]`));
  const text = rendering.text(String(node.items), where).trim();
  const parsed = jsonOf(text);
  if (Array.isArray(parsed)) return parsed;
  if (typeof parsed === "object" && parsed !== null) {
    const message = `${where}: found a JSON object; expected a JSON array or a list with commas`;
    throw new TroupeError("WORKFLOW.LOOP.BAD_ITEMS", message, { field: where });
  }
  return text === "" ? [] : text.split(",").map((item) => item.trim());
}

function jsonOf(text: string): Json {
  if (!text.startsWith("[") && !text.startsWith("{")) return null;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}
