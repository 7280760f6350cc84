/**
 * A value with its texts and numbers exchanged, however deep; what did not change is the same object.
 *
 * I1. What the program itself reads is left alone: a state called "running", a row's status, a document's node. A
 *     secret may be any word, and must not be able to break a machine.
 * I2. Below a field that holds what others chose (inputs, outputs, a tool's arguments, what an agent sent in a form that
 *     is not known) nothing is left alone.
 * I3. How something ended is a word of ours, or a record: its error's message repeats what others said.
 * I4. Of a document only defaults of inputs, variables and headers are exchanged.
 */
import type { Json } from "../../machines/model.ts";

export type Exchangers = {
  text: (text: string, field: string, owner: string) => Json;
  number: (number: number, owner: string) => Json;
};

const OWN = new Set(
  (
    "type kind status Status code outcome stopReason severity stream src key self parent childId block call turn run " +
    "permission recover trust option session step workflow node nodes children historyValue v"
  ).split(" "),
);
const OTHERS = new Set("inputs outputs input output env JSON Response Data items kept".split(" "));

/** A block of an agent's own, in its `value`. */
const UNKNOWN = "unknown";

/** Fields of ours that hold a document or a part of it. */
const DOCUMENTS = new Set(["workflow", "node", "nodes"]);
const OUTCOME = "outcome";
/** What an author may have written of a secret into a document: nothing else of it is looked at (I4). */
const WRITTEN = new Set(["default", "env", "headers"]);

/** Fields that hold what people read: prose, and what was given or is handed back under a name. */
const PROSE = new Set("text message title description reason summary Output Stderr output error".split(" "));
const NAMED = new Set(["inputs", "outputs"]);
export const isProse = (field: string, owner: string): boolean => PROSE.has(field) || NAMED.has(owner);

/** `skip`: further fields of the outermost object that are the program's own. */
export function exchanged(value: unknown, by: Exchangers, skip: readonly string[] = []): unknown {
  return walk(value, by, { field: "", owner: "", free: false, skip });
}

type WalkPosition = { field: string; owner: string; free: boolean; skip: readonly string[] };

function walk(value: unknown, by: Exchangers, place: WalkPosition): unknown {
  if (typeof value === "string") return by.text(value, place.field, place.owner);
  if (typeof value === "number") return by.number(value, place.owner);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => walk(item, by, { ...place, skip: [] }));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  let changed = false;
  const isUnknown = "type" in value && value.type === UNKNOWN;
  const entries = Object.entries(value).map(([name, one]): [string, unknown] => {
    const isRecord = name === OUTCOME && typeof one === "object";
    if (!place.free && !isRecord && (OWN.has(name) || place.skip.includes(name))) {
      const own = DOCUMENTS.has(name) ? document(one, by) : one;
      changed ||= own !== one;
      return [name, own];
    }
    const free = place.free || OTHERS.has(name) || (isUnknown && name === "value");
    const label = place.free ? String(by.text(name, "", "")) : name;
    const now = walk(one, by, { field: name, owner: place.field, free, skip: [] });
    changed ||= label !== name || now !== one;
    return [label, now];
  });
  return changed ? Object.fromEntries(entries) : value;
}

function document(value: unknown, by: Exchangers): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => document(item, by));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  let changed = false;
  const entries = Object.entries(value).map(([name, one]): [string, unknown] => {
    const isValue = WRITTEN.has(name) && !Array.isArray(one);
    const now = isValue ? walk(one, by, { field: name, owner: "inputs", free: true, skip: [] }) : document(one, by);
    changed ||= now !== one;
    return [name, now];
  });
  return changed ? Object.fromEntries(entries) : value;
}
