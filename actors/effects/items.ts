/** The items of a `for_each`: a list, or every combination of several. */
import type { Json } from "../../machines/model.ts";
import { type ForEachNode, MAX_ITERATIONS, type TemplateText } from "../../machines/workflow/document.ts";
import { shapeFault } from "../acp-client/shape.ts";
import { MOST_DEEP } from "../base/limits.ts";
import { TroupeError } from "../errors/troupe-error.ts";
import type { Rendering } from "./rendering.ts";

/** A list stands in what is kept of it, an item of a matrix in a map of its names. */
const DEEPEST = { maxDepth: MOST_DEEP - 2, maxEntries: Number.POSITIVE_INFINITY };

/** In the order of its rounds; of a matrix no more than `most`, which is what `max_iterations` says. Throws a `TroupeError`. */
export function itemsOf(node: ForEachNode, rendering: Rendering, most: number): Json[] {
  if (node.matrix === undefined) return listOf(node, node.items, "items", rendering);
  const lists = Object.entries(node.matrix).map(([name, given]): [string, Json[]] => [
    name,
    listOf(node, given, `matrix.${name}`, rendering),
  ]);
  const many = lists.reduce((product, [, list]) => product * list.length, 1);
  if (many > most && !leavesOut(node, most)) throw tooMany(node, `${many} combinations`);
  return Array.from({ length: Math.min(many, most) }, (_, index) => combination(lists, index));
}

/** The last list changes fastest. */
function combination(lists: readonly [string, Json[]][], index: number): { [name: string]: Json } {
  let rest = index;
  const values = lists.toReversed().map(([name, list]): [string, Json] => {
    const value = list[rest % list.length] ?? null;
    rest = Math.floor(rest / list.length);
    return [name, value];
  });
  return Object.fromEntries(values.reverse());
}

/** Whether the file says how many rounds there are at most. */
export const leavesOut = ({ fanned }: ForEachNode, most: number): boolean =>
  fanned?.cuts === true || most < MAX_ITERATIONS;

/** Of rounds that run at once none is left out without a word. */
export const tooMany = ({ name }: ForEachNode, found: string): TroupeError =>
  new TroupeError(
    "WORKFLOW.LOOP.BAD_ITEMS",
    `states.${name}: found ${found}; expected at most ${MAX_ITERATIONS}, or max_iterations, which leaves the rest out`,
    { field: `states.${name}` },
  );

/** A YAML list with its strings rendered; a text as a JSON array, else as a list with commas or, of rounds at once, of lines. */
function listOf(node: ForEachNode, given: TemplateText | Json[], field: string, rendering: Rendering): Json[] {
  const where = `states.${node.name}.${field}`;
  if (Array.isArray(given)) return given.map((item, index) => rendering.value(item, `${where}[${index}]`));
  const text = rendering.text(String(given), where).trim();
  if (/^[[{]/.test(text) && shapeFault(text, DEEPEST) !== null) {
    const message = `${where}: found items nested more than ${DEEPEST.maxDepth} deep; expected lists and maps that stand less deep in each other`;
    throw new TroupeError("WORKFLOW.LOOP.BAD_ITEMS", message, { field: where });
  }
  const parsed = jsonOf(text);
  if (Array.isArray(parsed)) return parsed;
  if (typeof parsed === "object" && parsed !== null) {
    const message = `${where}: found a JSON object; expected a JSON array or a list with commas`;
    throw new TroupeError("WORKFLOW.LOOP.BAD_ITEMS", message, { field: where });
  }
  if (text === "") return [];
  if (node.fanned !== undefined && text.includes("\n")) return text.split(/\s*\n\s*/);
  // AWF splits at commas alone.
  const items = text.split(",").map((item) => item.trim());
  if (items.some((item) => item.includes("\n")))
    rendering.warn(
      `${where}: an item has several lines, since commas stand between items; with max_concurrent: 1 each line is an item`,
    );
  return items;
}

function jsonOf(text: string): Json {
  if (!text.startsWith("[") && !text.startsWith("{")) return null;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}
