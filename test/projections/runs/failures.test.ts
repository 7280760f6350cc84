/** What a run failed of, as data, folded from its rows. */
import { describe, expect, it } from "vitest";
import type { Exchange, Row } from "../../../machines/exchange.ts";
import { Failures } from "../../../projections/runs/failures.ts";
import { RunFold } from "../../../projections/runs/tree.ts";
import { called, log, runEnded, runStarted, say, stepEnded, stepStarted } from "../acp/support.ts";

const failed = { status: "failed", exitCode: 4, error: { code: "X", message: "no" } } as const;
const stderr = (step: string, text: string, attempt = 1): Row => ({
  type: "tool.update",
  run: "r",
  step,
  payload: { block: `${step}@${attempt}.stderr`, offset: 0, text, stream: "stderr" },
});
const retried = (step: string): Row => ({
  type: "step.retrying",
  run: "r",
  step,
  payload: { name: step, attempt: 1, delayMs: 0, reason: failed.error },
});
const folded = (rows: readonly Exchange[], keeps = true) => {
  const failures = new Failures(keeps);
  for (const row of rows) failures.see(row);
  return failures.ofTurn();
};
const addresses = (rows: readonly Exchange[]) => folded(rows).failed?.steps.map(({ address }) => address);
const begun = runStarted("r", [["a", "command"]]);

describe("what a run failed of", () => {
  it("has place, attempts, exit, class, the last 15 lines and the commands", () => {
    const lines = Array.from({ length: 40 }, (_, n) => `line ${n}`);
    const rows = log(
      begun,
      stepStarted("r", "a", "command"),
      stderr("a", "first try\n"),
      retried("a"),
      stderr("a", lines.join("\n"), 2),
      say("tool.update", "r", "a", { block: "a@2.stdout", offset: 0, text: "said\n", stream: "stdout" }),
      stepEnded("r", "a", "command", failed),
      runEnded("r", "failed", { error: failed.error }),
    );
    const step = { run: "r", path: "a", address: "a", kind: "command", attempts: 2, exitCode: 4, error: failed.error };
    const steps = [{ ...step, stdout: ["said"], stderr: lines.slice(-15) }];
    expect(folded(rows)).toEqual({
      failed: { run: "r", steps, more: 0, look: "troupe logs r --failed", goOn: "troupe rerun r --failed" },
    });
    expect(folded(rows, false)).toEqual({ failed: { run: "r", steps, more: 0 } });
  });

  it("is nothing for a run that did not fail, or for an earlier turn", () => {
    const rows = [begun, stepStarted("r", "a", "command"), stepEnded("r", "a", "command", failed)];
    expect(folded(log(...rows, runEnded("r")))).toEqual({});
    const later: Row = { type: "message.user", payload: { turn: "t2", blocks: [] } };
    expect(folded(log(...rows, runEnded("r", "failed"), later))).toEqual({});
  });

  const stories: [string, Row[], string[]][] = [
    [
      "each branch that failed",
      [
        stepStarted("r", "fan", "parallel"),
        ...["fan/a", "fan/b", "fan/c"].map((step) => stepStarted("r", step, "command")),
        stepEnded("r", "fan/b", "command"),
        stepEnded("r", "fan/c", "command", failed),
        stepEnded("r", "fan/a", "command", failed),
        stepEnded("r", "fan", "parallel", failed),
      ],
      ["fan/c", "fan/a"],
    ],
    [
      "the branches of the last attempt alone",
      [
        stepStarted("r", "fan", "parallel"),
        stepStarted("r", "fan/a", "command"),
        stepEnded("r", "fan/a", "command", failed),
        retried("fan"),
        stepStarted("r", "fan@2/b", "command"),
        stepEnded("r", "fan@2/b", "command", failed),
        stepEnded("r", "fan", "parallel", failed),
      ],
      ["fan@2/b"],
    ],
    [
      "the last failure of a called workflow",
      [
        stepStarted("r", "call", "call_workflow"),
        ...called("r", "call", "c"),
        stepStarted("c", "tried", "command"),
        stepEnded("c", "tried", "command", failed),
        stepStarted("c", "last", "command"),
        stepEnded("c", "last", "command", failed),
        stepEnded("r", "call", "call_workflow", failed),
      ],
      ["call/last"],
    ],
    [
      "the last of the run's own steps",
      [
        stepStarted("r", "a", "command"),
        stepEnded("r", "a", "command", failed),
        stepStarted("r", "b", "command"),
        stepEnded("r", "b", "command", failed),
      ],
      ["b"],
    ],
  ];
  it.each(stories)("is %s, as the tree has it", (_, rows, expected) => {
    const whole = log(begun, ...rows, runEnded("r", "failed", { error: failed.error }));
    const tree = new RunFold("r");
    for (const row of whole) tree.see(row);
    expect(addresses(whole)).toEqual(expected);
    expect(
      tree
        .causes(15)
        .map(({ address }) => address)
        .sort(),
    ).toEqual([...expected].sort());
  });
});
