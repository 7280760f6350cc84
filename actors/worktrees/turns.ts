/**
 * Who works in a checkout, one after another: what one merge has half written there is no change of the user's to the
 * next, and no content of a tree that is made meanwhile.
 *
 * I1. Of this process alone. What another one does there meanwhile git refuses, or it is found (`merge.ts`).
 */

/** The last one that waits or works, by checkout. */
const last = new Map<string, Promise<unknown>>();

/** Does it once all that was asked before it for this checkout is over. */
export async function inTurn<Done>(checkout: string, act: () => Promise<Done>): Promise<Done> {
  const before = last.get(checkout);
  const turn = before === undefined ? act() : before.then(act, act);
  last.set(checkout, turn);
  try {
    return await turn;
  } finally {
    if (last.get(checkout) === turn) last.delete(checkout);
  }
}
