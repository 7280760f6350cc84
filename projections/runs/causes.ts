/**
 * Which failures count: of a called workflow the last one, of branches and rounds each, of several attempts those of the
 * last. Both folds of a run go by this, the one that keeps every step and the one that forgets what went well.
 */

/** What a step that has failed has failed of: itself, or the steps that failed below it in its last attempt. */
export function causesOf<Step>(step: Step, isCall: boolean, below: readonly (readonly Step[])[]): readonly Step[] {
  if (below.length === 0) return [step];
  return (isCall ? below.slice(-1) : below).flat();
}
