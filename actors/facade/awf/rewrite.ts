/**
 * The text of a workflow with what the project's configuration gives it: the default of an input, the backend of a
 * notification.
 *
 * I1. Everything else of the text stays as it is, byte for byte: comments, order, quotes.
 */
import { isMap, isScalar, isSeq, type Node, parseDocument, type YAMLMap } from "yaml";
import type { Json } from "../../../machines/model.ts";
import type { Carried } from "./settings.ts";

/** `inputs`: those that have a new default. `backend`: whether a step has a new one. */
export type Rewritten = { text: string; inputs: string[]; backend: boolean };
type Edit = { from: number; to: number; text: string };

/** A file that cannot be read stays as it is: its faults are found elsewhere. */
export function rewritten(source: string, { inputs, backend }: Carried): Rewritten {
  const document = parseDocument(source, { uniqueKeys: false, logLevel: "silent" });
  const root: Node | null = document.contents;
  if (document.errors.length > 0 || !isMap(root)) return { text: source, inputs: [], backend: false };
  const edits: Edit[] = [];
  const given: string[] = [];
  for (const [name, map] of inputsOf(root.get("inputs", true))) {
    const value = Object.hasOwn(inputs, name) ? inputs[name] : undefined;
    if (value === undefined) continue;
    given.push(name);
    edits.push(...withKey(source, map, "default", JSON.stringify(asTyped(value, map.get("type")))));
  }
  const notes = backend === null ? [] : notifications(root.get("states", true));
  for (const map of notes) edits.push(...withKey(source, map, "backend", JSON.stringify(backend)));
  return { text: edited(source, edits), inputs: given, backend: notes.length > 0 };
}

/** A text input's default is a text, as AWF takes what stands in its configuration. */
const asTyped = (value: Json, type: unknown): Json =>
  typeof value !== "object" && (type === undefined || type === "" || type === "string") ? String(value) : value;

/** A list of maps with a name, or maps by name. */
function inputsOf(node: unknown): [string, YAMLMap][] {
  if (isSeq(node)) return node.items.flatMap((item) => (isMap(item) ? [[String(item.get("name")), item]] : []));
  if (!isMap(node)) return [];
  return node.items.flatMap(({ key, value }) => (isMap(value) && isScalar(key) ? [[String(key.value), value]] : []));
}

/** The `inputs` of steps that notify and name no backend. */
function notifications(states: unknown): YAMLMap[] {
  if (!isMap(states)) return [];
  return states.items.flatMap(({ value }) => {
    if (!isMap(value) || value.get("operation") !== "notify.send") return [];
    const inputs = value.get("inputs", true) ?? value.get("operation_inputs", true);
    return isMap(inputs) && !inputs.has("backend") ? [inputs] : [];
  });
}

/** Sets a key of a map: in the place of its value, else before the map's first key. */
function withKey(source: string, map: YAMLMap, name: string, value: string): Edit[] {
  const pair = map.items.find(({ key }) => isScalar(key) && key.value === name);
  if (pair !== undefined) {
    const range = (pair.value as Node | null)?.range;
    if (!range) return [];
    const [from, to] = range;
    const old = source.slice(from, to);
    const before = /\s$/.test(source.slice(0, from)) ? "" : " ";
    return [{ from, to, text: `${before}${value}${old.endsWith("\n") ? "\n" : ""}` }];
  }
  const first = map.items[0]?.key as Node | undefined;
  if (!first?.range) return [];
  const [at] = first.range;
  const indent = " ".repeat(at - (source.lastIndexOf("\n", at - 1) + 1));
  return [{ from: at, to: at, text: `${name}: ${value}${map.flow ? ", " : `\n${indent}`}` }];
}

function edited(source: string, edits: readonly Edit[]): string {
  let text = source;
  for (const { from, to, text: put } of edits.toSorted((a, b) => b.from - a.from))
    text = text.slice(0, from) + put + text.slice(to);
  return text;
}
