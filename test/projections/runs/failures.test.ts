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
  it("is nothing where it never began: it has no steps, and cannot be run again", () => {
    expect(folded(log(runEnded("r", "failed", { error: failed.error, began: false })))).toEqual({});
  });

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

  it("stays while words are told to an agent that works: that is no new turn", () => {
    const told: Row = { type: "message.user", payload: { turn: "t", blocks: [], tell: "a" } } as never;
    const rows = [begun, stepStarted("r", "a", "command"), stepEnded("r", "a", "command", failed)];
    expect(addresses(log(...rows, runEnded("r", "failed"), told))).toEqual(["a"]);
  });

  it("is nothing where a run that it called has failed, and it has not", () => {
    const rows = [
      ...[stepStarted("r", "call", "call_workflow"), ...called("r", "call", "c")],
      ...[stepStarted("c", "a", "command"), stepEnded("c", "a", "command", failed)],
      runEnded("c", "failed", {}, "r"),
      ...[stepEnded("r", "call", "call_workflow"), runEnded("r")],
    ];
    expect(folded(log(begun, ...rows))).toEqual({});
  });

  it("of a run without a step that failed has the commands for the whole run", () => {
    expect(folded(log(begun, runEnded("r", "failed")))).toEqual({
      failed: { run: "r", steps: [], more: 0, look: "troupe logs r", goOn: "troupe rerun r" },
    });
  });

  it("counts what is too much to be told", () => {
    const names = Array.from({ length: 23 }, (_, n) => `fan/s${n}`);
    const rows = [
      ...[stepStarted("r", "fan", "parallel"), ...names.map((step) => stepStarted("r", step, "command"))],
      ...names.map((step) => stepEnded("r", step, "command", failed)),
      ...[stepEnded("r", "fan", "parallel", failed), runEnded("r", "failed")],
    ];
    const { failed: of } = folded(log(begun, ...rows));
    expect([of?.steps.length, of?.more]).toEqual([20, 3]);
  });

  it("is of the latest run alone", () => {
    const rows = [
      ...[stepStarted("r", "fan", "parallel"), stepStarted("r", "fan/a", "command")],
      ...[stepEnded("r", "fan/a", "command", failed), runEnded("r", "failed")],
      ...[runStarted("s", [["fan", "parallel"]]), runEnded("s", "failed")],
    ];
    expect(folded(log(begun, ...rows)).failed).toMatchObject({ run: "s", steps: [] });
  });

  it("has nothing of an agent's thoughts and tools, and nothing invisible", () => {
    const rows = [
      stepStarted("r", "a", "agent"),
      say("message.thought", "r", "a", { block: "a@1.thought", offset: 0, text: "thought\n" }),
      say("tool.update", "r", "a", { block: "a@1.tool", offset: 0, text: "printed\n", call: "t" } as never),
      say("message.assistant", "r", "a", { block: "a@1.text", offset: 0, text: "said\u202e\n" }),
      stderr("a", "warned\u202e\n"),
      stderr("gone", "of no step\n"),
      stepEnded("r", "a", "agent", { ...failed, error: { code: "X", message: "no\u202e" } }),
      runEnded("r", "failed"),
    ];
    expect(folded(log(begun, ...rows)).failed?.steps).toMatchObject([
      { stdout: ["said\\u202e"], stderr: ["warned\\u202e"], error: { message: "no\\u202e" } },
    ]);
  });

  it("has plain words of what is coloured", () => {
    const rows = [
      stepStarted("r", "a", "command"),
      stderr("a", "\u001b[31merror\u001b[39m: \u001b]8;;http://x\u0007here\u001b]8;;\u0007\n"),
      stepEnded("r", "a", "command", { ...failed, error: { code: "X", message: "\u001b[1mno\u001b[0m\nway" } }),
      runEnded("r", "failed"),
    ];
    expect(folded(log(begun, ...rows)).failed?.steps).toMatchObject([
      { stderr: ["error: here"], error: { message: "no\nway" } },
    ]);
  });

  it("names the step that ended last with an error, but none that was skipped, until the next prompt", () => {
    const failures = new Failures(true);
    const see = (...rows: Row[]): string | null => {
      for (const row of log(...rows)) failures.see(row);
      return failures.last;
    };
    const end = (step: string, status: "failed" | "skipped" | "completed", more: object = failed): Row[] => [
      stepStarted("r", step, "command"),
      stepEnded("r", step, "command", { ...more, status }),
    ];
    expect(see(begun)).toBeNull();
    expect(see(...end("a", "failed"))).toBe("a");
    expect(see(...end("b", "skipped"))).toBe("a");
    expect(see(...end("c", "completed", {}))).toBe("a");
    expect(see(stepEnded("r", "unseen", "command", failed))).toBe("unseen");
    expect(see({ type: "message.user", payload: { turn: "t2", blocks: [] } })).toBeNull();
  });

  it("is told with the end of each step, and with nothing else", () => {
    const failures = new Failures(true);
    const [start, first, last] = log(begun, stepStarted("r", "a", "command"), stepEnded("r", "a", "command", failed));
    expect([start, first].map((row) => failures.see(row as Exchange))).toEqual([null, null]);
    expect(failures.see(last as Exchange)?.map(({ address }) => address)).toEqual(["a"]);
    const [again, well] = log(stepStarted("r", "a", "command"), stepEnded("r", "a", "command"));
    expect([again, well].map((row) => failures.see(row as Exchange))).toEqual([null, null]);
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
