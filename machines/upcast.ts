/**
 * Stored snapshots of earlier versions of a machine. A machine whose context or states have changed gets a new version,
 * and here the way from the one before.
 *
 * I1. What a context knows is kept; where its shape has changed, it is put into the new one.
 */
import { OUTSIDE, type Position, type Round, resultKey } from "./loop/position.ts";
import { type Outcome, own, type StateResults } from "./model.ts";

const UNREPAIRED = { made: 0, words: null };
/** Where a machine stands, and what it knows. */
export type Stored = { value: unknown; context: object };
type Upcast = (context: object) => object;
const withPosition = (context: object, fresh: object): object => ({
  ...context,
  position: { ...fresh, ...("position" in context && typeof context.position === "object" ? context.position : {}) },
});
const UNJUDGED = { outcome: { status: "cancelled", exitCode: 130 }, left: null, states: {}, draw: 0.5 };
/** A step without a verdict had none to give, and stood among those that had while its questions were taken back. */
const judged = ({ value, context }: Stored): Stored => {
  if (!("judgement" in context) || context.judgement !== null) return { value, context };
  return { value: value === "withdrawing" ? "abandoning" : value, context: { ...context, judgement: UNJUDGED } };
};
/** Four fields, each of them null or not, said where a run stands. */
const standing = (context: object): object => {
  if (!("position" in context)) return context;
  const { current, last = null, outcome, message = null, ...position } = context.position as OldPosition;
  return { ...context, position: { ...position, where: whereOf(current ?? null, last, outcome ?? null, message) } };
};
type OldPosition = { current?: string | null; last?: string | null; outcome?: object | null; message?: unknown };
const whereOf = (current: string | null, last: string | null, outcome: object | null, message: unknown): object => {
  if (outcome !== null) return { at: "end", last, outcome, message };
  return current === null ? { at: "start" } : { at: "state", name: current };
};
/** Each state that was entered had a count, which keeps counting. */
const entered = (context: object): object => withPosition(context, { entered: [] });
/** States that were entered once stood in a list. */
function counted(context: object): object {
  if (!("position" in context)) return context;
  const { entered: names, visits, ...position } = context.position as OldCounts;
  return { ...context, position: { ...position, entered: [], visits: { ...once(names), ...visits } } };
}
type OldCounts = { entered: string[]; visits: { [state: string]: number } };
const once = (names: readonly string[]): object => Object.fromEntries(names.map((name) => [name, 1]));
/** A verdict that is open was null. */
const decided = (context: object): object => {
  if (!("verdict" in context)) return context;
  return { ...context, verdict: context.verdict === null ? { is: "open" } : { is: "given", outcome: context.verdict } };
};
/** Of a loop of one round at a time that knew by a null whether it was over. */
function withRounds(context: object): object {
  if (!("position" in context)) return context;
  const { iteration, cursor, hops, visits, states, warned, left, outcome } = context.position as OldLoop;
  const isOver = outcome !== null;
  return {
    ...context,
    position: {
      ...OUTSIDE,
      ...{ states, warned, next: iteration + 1 },
      open: isOver ? [] : [{ index: iteration, cursor, hops, visits, states: {} }],
      stage: isOver ? { is: "over", outcome, left } : { is: "under way" },
    },
  };
}
function withResults(context: object): object {
  if (!("position" in context)) return context;
  const { results, ...position } = context.position as Position & { results: StateResults };
  const rounds = Object.entries(results).map(([index, result]) => [resultKey(Number(index)), result] as const);
  const states = rounds.length === 0 ? position.states : Object.fromEntries(rounds);
  return { ...context, position: { ...position, again: [], states } };
}
type OldLoop = Omit<Position, "stage"> &
  Omit<Round, "index"> & { iteration: number; left: string | null; outcome: Outcome | null };
const dated = ({ memory, ...context }: { memory: { [digest: string]: unknown } }): object => {
  const since = { agent: "", permission: "", at: 0, until: null };
  const entries = Object.entries(memory).map(([digest, kind]) => [digest, { kind, ...since }]);
  return { ...context, memory: Object.fromEntries(entries) };
};
const UPCASTS: { readonly [version: string]: Upcast } = {
  // Work asks a person while it runs, and a call names its run: one that was begun without a row ends without one.
  "step.v1": (context) => ({ asks: [], called: null, repair: UNREPAIRED, ...context }),
  "step.v2": (context) => ({ called: null, repair: UNREPAIRED, ...context }),
  // An answer that does not fit its schema goes back to its agent.
  "step.v3": (context) => ({ repair: UNREPAIRED, ...context }),
  "step.v4": (context) => ({ repair: UNREPAIRED, ...context }),
  // Warnings of conditions are given once.
  "run.v1": (context) => entered(standing(withPosition(context, { warned: [] }))),
  "run.v2": (context) => entered(standing(context)),
  // A run counts only what it enters again.
  "run.v3": (context) => entered(context),
  // Which states it has entered is a bit for each.
  "run.v4": (context) => counted(context),
  "loop.v1": (context) => withRounds(withPosition(context, { warned: [] })),
  // Rounds are data, several at once, and whether a loop is over is said by name.
  "loop.v2": (context) => withRounds(context),
  // What rounds leave stands among the results that a loop keeps.
  "loop.v3": (context) => withResults(context),
  // Branches wait for branches.
  "parallel.v1": (context) => ({
    order: { begun: "started" in context ? context.started : 0, held: [], ended: {} },
    skipped: [],
    ...decided(context),
  }),
  // A branch that was not approved is no success.
  "parallel.v2": (context) => ({ skipped: [], ...decided(context) }),
  "parallel.v3": decided,
  // A turn asks again for files that have changed.
  "turn.v1": (context) => ({ files: [], asked: 0, ...context }),
  // A session remembers answers for good.
  "session.v1": (context) => ({ memory: {}, ...context }),
  // An answer for good says whose it is and how long it holds; those before hold as they did.
  "session.v2": (context) => dated({ memory: {}, ...context }),
};

/** `v`: the name and version that a snapshot was stored with, as `step.v1`. */
export function upcast(v: string, { value, context }: Stored): Stored {
  const stored = { value, context: own(UPCASTS, v)?.(context) ?? context };
  return v === "step.v1" || v === "step.v2" || v === "step.v3" ? judged(stored) : stored;
}
