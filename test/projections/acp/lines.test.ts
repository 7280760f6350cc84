/** Covers `lines.ts`: the sentences that are said of what no step and no user has said. */
import { expect, test } from "vitest";
import type { ErrorFields, RowOf } from "../../../machines/exchange.ts";
import { RUN_CANCELLED } from "../../../machines/model.ts";
import {
  endLine,
  endOfRunLines,
  endOfTurnLine,
  kindOf,
  noticeLine,
  retryLine,
  unknownLine,
  unknownUpdateLine,
} from "../../../projections/acp/lines.ts";

const error = (message: string, code = "X"): ErrorFields => ({ code, message });

test("a new attempt, now or later", () => {
  const line = (delayMs: number): string =>
    retryLine({ attempt: 2, delayMs, reason: error("no\u001b[2Jway") } as never);
  expect([0, 49, 50, 500, 2_000, 2_449].map(line)).toEqual([
    "Attempt 2 failed: no\\u001b[2Jway. Trying again.",
    "Attempt 2 failed: no\\u001b[2Jway. Trying again.",
    "Attempt 2 failed: no\\u001b[2Jway. Trying again in 0.1 s.",
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
  const lines = (end: Partial<RowOf<"run.completed">["payload"]>, at: string | null = null, isAlive = false) =>
    endOfRunLines({ workflow: "w", status: "completed", exitCode: 0, outputs: {}, ...end }, at, isAlive);
  const again = 'Once its cause is mended, "/rerun failed" does that step again, and what comes after it.';
  expect([
    lines({ status: "failed" }),
    lines({ status: "failed", error: error("it broke"), message: "Ask Ada." }, "Build"),
    lines({ status: "skipped" }),
    lines({ status: "skipped", error: error("not allowed") }, "Build"),
    lines({ status: "cancelled" }),
    lines({ status: "cancelled", error: error("cancelled", RUN_CANCELLED) }, "Build"),
    lines({ status: "cancelled", error: error("denied") }),
    lines({ status: "cancelled", error: error("denied") }, "Build"),
    lines({}),
    lines({}, null, true),
    lines({ message: "All good." }, null, true),
  ]).toEqual([
    [["failure", 'Workflow "w" failed: no reason was given']],
    [
      ["failure", 'Workflow "w" failed at "Build": it broke'],
      ["message", "Ask Ada."],
      ["again", again],
    ],
    [["skipped", 'Workflow "w" was skipped: a step was not approved']],
    [["skipped", 'Workflow "w" was skipped: not allowed']],
    [["cancelled", 'Workflow "w" was cancelled.']],
    [["cancelled", 'Workflow "w" was cancelled.']],
    [["cancelled", 'Workflow "w" was stopped: denied']],
    [["cancelled", 'Workflow "w" was stopped at "Build": denied']],
    [["end", 'Workflow "w" completed.']],
    [],
    [["message", "All good."]],
  ]);
});

test("the end of a turn in which nothing was said", () => {
  expect([
    endOfTurnLine("end_turn", error("it broke"), true),
    endOfTurnLine("end_turn", error("states.ask: it broke"), true),
    endOfTurnLine("cancelled", undefined, true),
    endOfTurnLine("end_turn", undefined, true),
    endOfTurnLine("end_turn", undefined, false),
  ]).toEqual(["It broke", "states.ask: it broke", "Cancelled.", "Waiting for your answer.", "The turn is over."]);
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
