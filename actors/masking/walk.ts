/**
 * A value with its texts and numbers exchanged, however deep; what did not change is the same object.
 *
 * I1. What the program itself reads is left alone: a state called "running", a row's status, a document's node. A
 *     secret may be any word, and must not be able to break a machine.
 * I2. Below a field that holds what others chose (inputs, outputs, a tool's arguments) nothing is left alone.
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
const OTHERS = new Set("inputs outputs input output env JSON Response Data items".split(" "));

/** `skip`: further fields of the outermost object that are the program's own. */
export function exchanged(value: unknown, by: Exchangers, skip: readonly string[] = []): unknown {
  return walk(value, by, { field: "", owner: "", free: false, skip });
}

type Place = { field: string; owner: string; free: boolean; skip: readonly string[] };

function walk(value: unknown, by: Exchangers, place: Place): unknown {
  if (typeof value === "string") return by.text(value, place.field, place.owner);
  if (typeof value === "number") return by.number(value, place.owner);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map((item) => walk(item, by, { ...place, skip: [] }));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  let changed = false;
  const entries = Object.entries(value).map(([name, one]): [string, unknown] => {
    if (!place.free && (OWN.has(name) || place.skip.includes(name))) return [name, one];
    const free = place.free || OTHERS.has(name);
    const label = place.free ? String(by.text(name, "", "")) : name;
    const now = walk(one, by, { field: name, owner: place.field, free, skip: [] });
    changed ||= label !== name || now !== one;
    return [label, now];
  });
  return changed ? Object.fromEntries(entries) : value;
}
