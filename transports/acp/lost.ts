/** Whether the log of a turn can still be written. */

/** Rejects when the log of the turn in flight cannot be written; otherwise it never settles. `ended`: the turn's end. */
export function whenLost(ended: Promise<unknown>): Promise<never> {
  const lost = new Promise<never>((_, reject) => ended.catch(reject));
  lost.catch(() => undefined); // a prompt that was refused has its answer already
  return lost;
}
