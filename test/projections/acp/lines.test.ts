/** Covers `lines.ts`: the sentences that are said of what no step and no user has said. */
import { expect, test } from "vitest";
import type { ErrorFields } from "../../../machines/exchange.ts";
import { RUN_CANCELLED } from "../../../machines/model.ts";
import {
  endLine,
  endOfTurnLine,
  failureLine,
  kindOf,
  noticeLine,
  retryLine,
  stoppedLine,
  successLine,
  unknownLine,
  unknownUpdateLine,
} from "../../../projections/acp/lines.ts";

const error = (message: string, code = "X"): ErrorFields => ({ code, message });

test("a new attempt, now or later", () => {
  const line = (delayMs: number): string =>
    retryLine({ attempt: 2, delayMs, reason: error("no\u001b[2Jway") } as never);
  expect([0, 1, 500, 2_000, 2_449].map(line)).toEqual([
    "Attempt 2 failed: no\\u001b[2Jway. Trying again.",
    "Attempt 2 failed: no\\u001b[2Jway. Trying again in 0 s.",
    "Attempt 2 failed: no\\u001b[2Jway. Trying again in 0.5 s.",
    "Attempt 2 failed: no\\u001b[2Jway. Trying again in 2 s.",
    "Attempt 2 failed: no\\u001b[2Jway. Trying again in 2.4 s.",
  ]);
});

test("the end of a step", () => {
  expect((["completed", "failed", "cancelled", "skipped"] as const).map((status) => endLine(status))).toEqual([
    null,
    "Failed",
    "Cancelled",
    "Skipped",
  ]);
  const why = error("a\u202eb");
  expect((["completed", "failed", "cancelled", "skipped"] as const).map((status) => endLine(status, why))).toEqual([
    null,
    "a\\u202eb",
    "Cancelled",
    "Skipped: a\\u202eb",
  ]);
});

test("the end of a run", () => {
  expect([failureLine("w", null, undefined), failureLine("w", "Build", error("it broke"))]).toEqual([
    'Workflow "w" failed: no reason was given',
    'Workflow "w" failed at "Build": it broke',
  ]);
  const stopped = (status: Parameters<typeof stoppedLine>[0], at: string | null, why?: ErrorFields) =>
    stoppedLine(status, "w", at, why);
  expect([
    stopped("completed", null),
    stopped("failed", "Build", error("it broke")),
    stopped("skipped", null),
    stopped("skipped", "Build", error("not allowed")),
    stopped("cancelled", null),
    stopped("cancelled", "Build", error("cancelled", RUN_CANCELLED)),
    stopped("cancelled", null, error("denied")),
    stopped("cancelled", "Build", error("denied")),
  ]).toEqual([
    null,
    null,
    'Workflow "w" was skipped: a step was not approved',
    'Workflow "w" was skipped: not allowed',
    'Workflow "w" was cancelled.',
    'Workflow "w" was cancelled.',
    'Workflow "w" was stopped: denied',
    'Workflow "w" was stopped at "Build": denied',
  ]);
  expect(successLine("w")).toBe('Workflow "w" completed.');
});

test("the end of a turn in which nothing was said", () => {
  expect([
    endOfTurnLine("end_turn", error("it broke"), true),
    endOfTurnLine("cancelled", undefined, true),
    endOfTurnLine("end_turn", undefined, true),
    endOfTurnLine("end_turn", undefined, false),
  ]).toEqual(["it broke", "Cancelled.", "Waiting for your answer.", "The turn is over."]);
});

test("notices, and what is not known", () => {
  const notice = (severity: "error" | "warning" | "info"): string => noticeLine({ severity, message: "m" } as never);
  expect([notice("error"), notice("warning")]).toEqual(["Error: m", "Warning: m"]);
  expect(
    [{ sessionUpdate: "a", type: "b" }, { type: " b\n" }, { type: 7 }, {}, [{ type: "b" }], null, "type"].map(kindOf),
  ).toEqual(["a", "b", "", "", "", "", ""]);
  expect(kindOf({ type: "x".repeat(200) })).toBe("x".repeat(100));
  expect([unknownUpdateLine(""), unknownUpdateLine("a"), unknownLine("row.x")]).toEqual([
    "[an update of the agent of an unknown kind]",
    '[an update of the agent of an unknown kind or form: "a"]',
    '[a record of the unknown type "row.x"]',
  ]);
});
