/**
 * Stored snapshots of earlier versions of a machine. A machine whose context or states have changed gets a new version,
 * and here the way from the one before.
 *
 * I1. What a context has already is kept as it is.
 */
import { own } from "./model.ts";

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
const UPCASTS: { readonly [version: string]: Upcast } = {
  // Work asks a person while it runs, and a call names its run: one that was begun without a row ends without one.
  "step.v1": (context) => ({ asks: [], called: null, ...context }),
  "step.v2": (context) => ({ called: null, ...context }),
  // Warnings of conditions are given once.
  "run.v1": (context) => withPosition(context, { warned: [] }),
  "loop.v1": (context) => withPosition(context, { warned: [] }),
  // Branches wait for branches.
  "parallel.v1": (context) => ({
    order: { begun: "started" in context ? context.started : 0, held: [], ended: {} },
    skipped: [],
    ...context,
  }),
  // A branch that was not approved is no success.
  "parallel.v2": (context) => ({ skipped: [], ...context }),
  // A turn asks again for files that have changed.
  "turn.v1": (context) => ({ files: [], asked: 0, ...context }),
  // A session remembers answers for good.
  "session.v1": (context) => ({ memory: {}, ...context }),
};

/** `v`: the name and version that a snapshot was stored with, as `step.v1`. */
export function upcast(v: string, { value, context }: Stored): Stored {
  const stored = { value, context: own(UPCASTS, v)?.(context) ?? context };
  return v === "step.v1" || v === "step.v2" || v === "step.v3" ? judged(stored) : stored;
}
