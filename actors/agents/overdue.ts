/**
 * The end of a program that has said all: it is waited for, but not for ever.
 *
 * I1. One that has given its result and then says nothing for QUIET_MS is overdue; each word of it begins the wait anew.
 * I2. One that has closed its standard output can give no result any more: it is overdue QUIET_MS later, whatever it
 *     writes for people.
 */
import type { Timers } from "../base/clock.ts";

/** Programs end within a second; a hook of the user's for the end of a session may take longer. */
export const QUIET_MS = 60_000;

export type Overdue = {
  /** It said something. */
  heard: () => void;
  /** Its standard output was closed. */
  closed: () => void;
  /** It has ended. */
  ended: () => void;
};

/** `isDone`: it has given its result and works on nothing. `act` is called once, when it is overdue. */
export function overdue(o: { isDone: () => boolean; clock: Timers; act: () => void }): Overdue {
  let unwait: (() => void) | null = null;
  /** Nothing that comes begins a wait. */
  let isOver = false;
  const wait = (): void => {
    unwait?.();
    unwait = o.clock.after(QUIET_MS, () => {
      isOver = true;
      o.act();
    });
  };
  const stop = (): void => {
    unwait?.();
    unwait = null;
  };
  return {
    heard: () => {
      if (isOver) return;
      if (o.isDone()) wait();
      else stop();
    },
    closed: () => {
      if (!isOver) wait();
      isOver = true;
    },
    ended: () => {
      isOver = true;
      stop();
    },
  };
}
