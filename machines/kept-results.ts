/**
 * Where machines keep the results of states. A host stores these apart from the rest of a context, each once: a run of
 * many states would write all of them again with every step.
 *
 * I1. Results are added and replaced, never taken out, and their order stays: `n` of a result is its place for good.
 * I2. To add one copies a portion, however many there are: a step of a long run costs no more than one of a short one.
 */
import type { Kind, StateResults } from "./model.ts";
import { pick } from "./scope.ts";

/** Results of states, in the order in which they came: portions that are full, and the latest. */
export type Results = { filled?: StateResults[]; states: StateResults };

/** Results in a portion. */
export const PORTION = 64;

const holds = (states: StateResults, name: string): boolean => Object.hasOwn(states, name);

/** The same with more; one of a known state takes the place of the one before. */
export function added({ filled, states }: Results, more: StateResults): Results {
  let full = filled;
  let latest = states;
  for (const name of Object.keys(more)) {
    const result = more[name] as StateResults[string];
    const at = holds(latest, name) ? -1 : (full?.findIndex((portion) => holds(portion, name)) ?? -1);
    if (at >= 0) {
      if (full?.[at]?.[name] !== result) full = full?.with(at, { ...full[at], [name]: result });
    } else if (latest[name] !== result || !holds(latest, name)) {
      const isFull = !holds(latest, name) && Object.keys(latest).length >= PORTION;
      if (isFull) full = [...(full ?? []), latest];
      latest = isFull ? { [name]: result } : { ...latest, [name]: result };
    }
  }
  return full === undefined ? { states: latest } : { filled: full, states: latest };
}

/** All of them in one record, which costs as much as there are. */
export const allOf = ({ filled, states }: Results): StateResults =>
  filled === undefined ? states : Object.assign({}, ...filled, states);

/** Those of the given names. */
export function pickOf({ filled = [], states }: Results, names: "all" | readonly string[]): StateResults {
  if (names === "all") return allOf({ filled, states });
  return Object.assign({}, ...filled.map((portion) => pick(portion, names)), pick(states, names));
}

type Lens = { get(context: object): Partial<Results> | undefined; set(context: object, states: StateResults): object };
type Positioned = { position?: Partial<Results> };

const only = <T extends Partial<Results>>({ filled: _, ...rest }: T, states: StateResults): object => ({
  ...rest,
  states,
});
const IN_CONTEXT: Lens = {
  get: (context) => context,
  set: (context, states) => only(context, states),
};
const IN_POSITION: Lens = {
  get: (context) => (context as Positioned).position,
  set: (context, states) => ({ ...context, position: only((context as Positioned).position ?? {}, states) }),
};
const LENSES: { readonly [kind in Kind]?: Lens } = { run: IN_POSITION, loop: IN_POSITION, parallel: IN_CONTEXT };

export const keepsResults = (kind: Kind): boolean => LENSES[kind] !== undefined;

/** Undefined where machines of this kind keep none, or the context is of a version that did not. */
export function resultsIn(kind: Kind, context: object): Results | undefined {
  const { filled, states } = LENSES[kind]?.get(context) ?? {};
  if (states === undefined) return undefined;
  return filled === undefined ? { states } : { filled, states };
}

/** The context with these results in the place of its own. */
export const withResults = (kind: Kind, context: object, states: StateResults): object =>
  LENSES[kind]?.set(context, states) ?? context;
