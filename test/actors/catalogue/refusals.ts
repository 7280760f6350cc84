/** A refusal, and a workflow that is refused. */

export const BROKEN =
  "name: broken\nstates:\n  initial: a\n  a: {type: step, command: x, on_success: b}\n  c: {type: terminal, stauts: success}\n";
