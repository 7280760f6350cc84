/**
 * Where machines keep the results of states. A host stores these apart from the rest of a context, each once: a run of
 * many states would write all of them again with every step.
 *
 * I1. Results are added and replaced, never taken out, and their order stays: `n` of a result is its place for good.
 */
import type { Kind, StateResults } from "./model.ts";

type Lens = { get(context: object): unknown; set(context: object, states: StateResults): object };
type Positioned = { position?: { states?: StateResults } };

const IN_CONTEXT: Lens = {
  get: (context) => (context as { states?: StateResults }).states,
  set: (context, states) => ({ ...context, states }),
};
const IN_POSITION: Lens = {
  get: (context) => (context as Positioned).position?.states,
  set: (context, states) => ({ ...context, position: { ...(context as Positioned).position, states } }),
};
const LENSES: { readonly [kind in Kind]?: Lens } = { run: IN_POSITION, loop: IN_POSITION, parallel: IN_CONTEXT };

export const keepsResults = (kind: Kind): boolean => LENSES[kind] !== undefined;

/** Undefined where machines of this kind keep none, or the context is of a version that did not. */
export const resultsIn = (kind: Kind, context: object): StateResults | undefined =>
  LENSES[kind]?.get(context) as StateResults | undefined;

/** The context with these results in the place of its own. */
export const withResults = (kind: Kind, context: object, states: StateResults): object =>
  LENSES[kind]?.set(context, states) ?? context;
