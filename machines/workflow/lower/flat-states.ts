/** States whose fields stand beside their names, where they were meant to stand in them: no deeper than the name. */
import { STEPS } from "../schema/steps.ts";
import type { Located } from "../yaml/located.ts";

const FIELDS: ReadonlySet<string> = new Set(Object.values(STEPS).flatMap(({ shape }) => Object.keys(shape)));

/** By the names of such states the keys that follow each and were meant to be its fields. */
export function flatStates(states: Located): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  let fields: string[] | null = null;
  for (const [name, { value }] of states.entries ?? []) {
    if (value.value === null) {
      fields = [];
      found.set(name, fields);
    } else if (fields !== null && FIELDS.has(name) && value.entries === undefined) fields.push(name);
    else fields = null;
  }
  return new Map([...found].filter(([, each]) => each.length > 0));
}
