/** A workflow that a crash may cut off: its step ends at once where a file is there, and else when it is ended. */
export const CUT = `name: cut
states:
  initial: wait
  wait: {type: step, command: "touch began; test -e free || exec sleep 600", recover: ask, on_success: done, on_failure: failed}
  done: {type: terminal}
  failed: {type: terminal, status: failure, message: it was cut off}
`;
/** One that a crash cuts off while it waits for a yes. */
export const ASKS = `name: asks
states:
  initial: gate
  gate: {type: step, command: echo hi, approval: {message: May it?}, on_success: done}
  done: {type: terminal}
`;
