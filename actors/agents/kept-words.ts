/**
 * What is kept of an agent's words for its answer; the log has all of them.
 *
 * I1. Not more than MOST_SAID units and one: who keeps MOST_SAID bytes of a text sees that there was more.
 */

/** So much of what an agent says can be its step's output. */
export const MOST_SAID = 10 * 1024 * 1024;

/** The words so far, with more behind them. */
export function withMore(kept: string, more: string): string {
  const room = MOST_SAID + 1 - kept.length;
  return room <= 0 ? kept : kept + more.slice(0, room);
}
