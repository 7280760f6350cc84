/**
 * The one shape of a live view: an operator from what is seen, batch after batch, to what is shown. What is seen are the
 * frames of a session's log; for a view of another agent's session they are what that agent sends.
 *
 * I1. Each subscription begins anew: two readers share no state.
 */
import { defer, map, type OperatorFunction } from "rxjs";
import type { Frame } from "../../machines/exchange.ts";

export type Projection<View, Seen = readonly Frame[]> = OperatorFunction<Seen, View>;

/**
 * A view that remembers: `take` folds what is seen into the state that `begin` made, and answers what to show of it.
 * @example
 * const rowsSoFar = (): Projection<number> =>
 *   folding(
 *     () => ({ rows: 0 }),
 *     (sum, frames: readonly Frame[]) => {
 *       sum.rows += frames.filter((frame) => !isLive(frame)).length;
 *       return sum.rows;
 *     },
 *   );
 */
export const folding =
  <State, Seen, View>(begin: () => State, take: (state: State, seen: Seen) => View): Projection<View, Seen> =>
  (seen$) =>
    defer(() => {
      const state = begin();
      return seen$.pipe(map((seen) => take(state, seen)));
    });
