import { expect, test } from "vitest";
import { stateOf } from "../../../transports/acp/states.ts";

const of = (stopReason: "end_turn" | "cancelled" | "refusal", code?: string): string =>
  stateOf({ stopReason, error: code === undefined ? null : { code, message: "?" } });

test.each([
  ["completed", of("end_turn")],
  ["failed", of("end_turn", "EXECUTION.COMMAND.FAILED")],
  ["failed", of("refusal", "USER.INPUT.MISSING")],
  ["timed_out", of("end_turn", "EXECUTION.COMMAND.TIMEOUT")],
  ["timed_out", of("end_turn", "EXECUTION.AGENT.TIMEOUT")],
  ["cancelled", of("cancelled", "EXECUTION.RUN.CANCELLED")],
])("a turn is %s", (state, told) => {
  expect(told).toBe(state);
});
