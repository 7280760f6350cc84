/** What failed, was tried again or was skipped: said once, where it belongs. */
import { describe, expect, test } from "vitest";
import type { Row } from "../../../machines/exchange.ts";
import {
  brief,
  log,
  output,
  runEnded,
  runStarted,
  showing,
  shown,
  stepEnded,
  stepStarted,
  turnEnded,
} from "./support.ts";

const AGAIN = 'Once its cause is mended, "/rerun failed" does that step again, and what comes after it.';

describe("a run of", () => {
  test("a step that is tried again: its card keeps why, and shows the new attempt", () => {
    const reason = { code: "EXECUTION.COMMAND.FAILED", message: "exit code 1" };
    const rows = [
      stepStarted("r", "build", "command"),
      output("build", 0, "first\n"),
      {
        type: "step.retrying",
        run: "r",
        step: "build",
        payload: { name: "build", attempt: 1, delayMs: 1500, reason },
      } as const,
      output("build", 0, "second\n", 2),
      stepEnded("r", "build", "command"),
    ];
    expect(shown(...rows)).toEqual([
      "card r/build build execute in_progress",
      "retrying 1",
      'card: r/build completed ["Attempt 1 failed: exit code 1. Trying again in 1.5 s.","```\\nsecond\\n```"]',
    ]);
  });

  test("an agent that is tried again says so as a thought", () => {
    const reason = { code: "EXECUTION.AGENT.NETWORK", message: "no route" };
    const retry = {
      type: "step.retrying",
      run: "r",
      step: "ask",
      payload: { name: "ask", attempt: 1, delayMs: 0, reason },
    } as const;
    expect(shown(stepStarted("r", "ask", "agent"), retry)).toEqual([
      "thought r/ask@1#retry: Attempt 1 failed: no route. Trying again.",
      "retrying 1",
    ]);
  });

  test("a failing command, whose error and exit code stand in its card", () => {
    const error = { code: "EXECUTION.COMMAND.FAILED", message: "exit code 2" };
    const rows = [
      runStarted("r", [
        ["build", "command"],
        ["ship", "command"],
      ]),
      stepStarted("r", "build", "command"),
      output("build", 0, "boom"),
      stepEnded("r", "build", "command", { status: "failed", exitCode: 2, error }),
      runEnded("r", "failed", { error, message: "Ask Ann." }),
      turnEnded("t", { error }),
    ];
    const views = showing(log(...rows));
    expect(brief(views)).toEqual([
      "card r/build build execute in_progress",
      'card: r/build failed ["```\\nboom\\n```","Failed"]',
      "plan build (failed)=completed",
      'agent r#failure: Workflow "demo" failed at "build": exit code 2',
      "agent r#message: \n\nAsk Ann.",
      `agent r#again: \n\n${AGAIN}`,
      "ended t end_turn EXECUTION.COMMAND.FAILED",
    ]);
    const about = { run: "r", path: "build", address: "build", kind: "command", attempts: 1, exitCode: 2, error };
    const failed = { ...about, stdout: ["boom"], stderr: [] };
    expect(views[1]).toMatchObject({
      update: {
        rawOutput: { exitCode: 2, code: "EXECUTION.COMMAND.FAILED" },
        _meta: { "troupe/failed": [failed] },
      },
    });
    expect(views.at(-1)).toEqual({
      ...{ ended: "t", stopReason: "end_turn", error, goesOn: false },
      failed: { run: "r", steps: [failed], more: 0, look: "troupe logs r --failed", goOn: "troupe rerun r --failed" },
    });
  });

  test.each(["agent", "parallel", "for_each", "while"] as const)("a failing %s, which gets a card only now", (kind) => {
    const error = { code: "X", message: "no" };
    const rows = [stepStarted("r", "s", kind), stepEnded("r", "s", kind, { status: "failed", exitCode: 1, error })];
    expect(shown(...rows, stepStarted("r", "mend", "agent"))).toEqual(['card r/s s other failed ["no"]']);
  });

  test("a failure is reported once: by the run where it ends it, by the step's card where the run continues", () => {
    const error = { code: "X", message: "no space left" };
    const failed = { status: "failed", exitCode: 1, error } as const;
    const build = [stepStarted("r", "build", "command"), stepEnded("r", "build", "command", failed)];
    const ends = shown(...build, runEnded("r", "failed", { error }), turnEnded("t", { error }));
    const goes = shown(...build, stepStarted("r", "mend", "agent"), runEnded("r"), turnEnded("t"));
    expect(ends).toEqual([
      "card r/build build execute in_progress",
      'card: r/build failed ["Failed"]',
      'agent r#failure: Workflow "demo" failed at "build": no space left',
      `agent r#again: \n\n${AGAIN}`,
      "ended t end_turn X",
    ]);
    expect(goes.slice(1, 3)).toEqual([
      'card: r/build failed ["no space left"]',
      expect.stringContaining("agent r#end:"),
    ]);
    for (const story of [ends, goes]) expect(story.join("\n").split("no space left")).toHaveLength(2);
  });

  test("a failure below a called workflow is reported once, at the end of the caller", () => {
    const error = { code: "X", message: "no space left" };
    const failed = { status: "failed", exitCode: 1, error } as const;
    const rows: Row[] = [
      stepStarted("r", "call", "call_workflow"),
      runStarted("c", [], "r"),
      stepStarted("c", "build", "command"),
      stepEnded("c", "build", "command", failed),
      runEnded("c", "failed", { error }, "r"),
      stepEnded("r", "call", "call_workflow", failed),
      runEnded("r", "failed", { error }),
      turnEnded("t", { error }),
    ];
    expect(shown(...rows).filter((line) => line.includes("no space left"))).toEqual([
      'agent r#failure: Workflow "demo" failed at "call": no space left',
    ]);
  });

  test.each(["command", "agent"] as const)("a skipped %s has a card that says so, by its title too", (kind) => {
    const rows = [stepStarted("r", "ship", kind), stepEnded("r", "ship", kind, { status: "skipped" })];
    expect(shown(...rows).at(-1)).toMatch(/^card:? r\/ship ship \(skipped\) (other )?completed \["Skipped"\]$/);
  });

  test("a run that a gate stopped says where and why", () => {
    const error = { code: "EXECUTION.STEP.DENIED", message: "the step was not approved" };
    const rows: Row[] = [
      stepEnded("r", "ship", "command", { status: "cancelled", exitCode: 130, error }),
      runEnded("r", "cancelled", { error }),
      turnEnded("t", { stopReason: "refusal", error }),
    ];
    expect(shown(...rows).slice(-2)).toEqual([
      'agent r#cancelled: Workflow "demo" was stopped at "ship": the step was not approved',
      "ended t refusal EXECUTION.STEP.DENIED",
    ]);
  });
});
