/**
 * Which states of a document a run has entered: a bit for each, since a run writes this down with every step, and a list
 * of names grows with the run.
 *
 * I1. A bit's place is its state's place in the document, which a run keeps as it was when it began.
 */
import type { Workflow } from "../workflow/document.ts";

/** Words of 32 bits; those that are not there are zero. */
export type EnteredStates = readonly number[];
type States = Workflow["states"];

const WORD = 32;
const PLACES = new WeakMap<States, ReadonlyMap<string, number>>();

function placesOf(states: States): ReadonlyMap<string, number> {
  const known = PLACES.get(states) ?? new Map(Object.keys(states).map((name, at) => [name, at]));
  PLACES.set(states, known);
  return known;
}
/** `name`: of a state of the document. */
function placeOf(states: States, name: string): { word: number; bit: number } {
  const at = placesOf(states).get(name) ?? 0;
  return { word: Math.floor(at / WORD), bit: 1 << (at % WORD) };
}

/** Whether the run has entered this state of its document. */
export function hasEntered(entered: EnteredStates, states: States, name: string): boolean {
  const { word, bit } = placeOf(states, name);
  return ((entered[word] ?? 0) & bit) !== 0;
}

/** With this state of the document, too. */
export function withEntered(entered: EnteredStates, states: States, name: string): EnteredStates {
  const { word, bit } = placeOf(states, name);
  const words = Array.from({ length: Math.max(entered.length, word + 1) }, (_, at) => entered[at] ?? 0);
  words[word] = (words[word] ?? 0) | bit;
  return words;
}
