/** Failures, retries, notices and questions, each said once. */
import { describe, expect, it } from "vitest";
import type { Row } from "../../../machines/exchange.ts";
import { text } from "./lines-of.ts";
import { runCompleted, runStarted, stepCompleted, stepStarted } from "./rows.ts";

describe("terminalLines", () => {
  it("shows failures, retries, notices and questions", async () => {
    const error = { code: "EXECUTION.COMMAND.FAILED", message: "exit 3\nsorry" };
    const rows: Row[] = [
      runStarted(),
      stepStarted("build"),
      {
        type: "step.retrying",
        run: "r1",
        step: "build",
        payload: { name: "build", attempt: 1, delayMs: 1500, reason: error },
      },
      {
        type: "step.retrying",
        run: "r1",
        step: "build",
        payload: { name: "build", attempt: 2, delayMs: 0, reason: error },
      },
      {
        type: "permission.requested",
        run: "r1",
        step: "build",
        payload: {
          permission: "p",
          title: "Run again?",
          kind: "execute",
          message: "m",
          options: [{ id: "yes", name: "Run it again", kind: "allow_once" }],
        },
      },
      {
        type: "permission.resolved",
        run: "r1",
        step: "build",
        payload: { permission: "p", outcome: "selected", option: "yes" },
      },
      {
        type: "tool.call",
        run: "r1",
        step: "build",
        payload: { call: "c", title: "Read x", kind: "read", status: "pending" },
      },
      {
        type: "tool.result",
        run: "r1",
        step: "build",
        payload: { call: "c", status: "failed", content: [{ type: "text", text: "no such\nfile" }] },
      },
      { type: "notice", run: "r1", step: "build", payload: { severity: "info", message: "i" } },
      { type: "notice", run: "r1", step: "build", payload: { severity: "warning", message: "w" } },
      { type: "notice", run: "r1", step: "build", payload: { severity: "error", message: "e" } },
      stepCompleted("build", { status: "failed", exitCode: 3, error }),
      stepStarted("skip"),
      stepCompleted("skip", { status: "skipped" }),
      stepStarted("cut"),
      stepCompleted("cut", { status: "cancelled", exitCode: 130 }),
      { type: "input.required", run: "r1", step: "talk", payload: { input: "i", prompt: "Your name?" } },
      { type: "input.answered", run: "r1", step: "talk", payload: { input: "i", text: "x" } },
      runCompleted({ status: "failed", exitCode: 3, error }),
    ];
    expect(await text(rows)).toEqual([
      "demo · run r1",
      "  → build",
      "    ↻ attempt 1 failed: exit 3 sorry; again in 1.5s",
      "    ↻ attempt 2 failed: exit 3 sorry; again now",
      "    Run again? Run it again",
      "    • Read x",
      "      ✗ Read x failed: no such file",
      "    · i",
      "    ! w",
      "    ! e",
      "  ✗ build 1.0s failed (exit 3)",
      "  → skip",
      "  ○ skip skipped",
      "  → cut",
      "  ■ cut 100ms cancelled",
      "    ? Your name?",
      "✗ demo failed in 1.8s (3 steps, 1 failed, 2 retried)",
      "",
      "✗ build failed (exit 3) after 3 attempts",
      "",
      "  look:  troupe logs r1 --failed",
      "  rerun: troupe rerun r1 --failed",
      "",
    ]);
  });

  it("says why a called run failed once, at the end", async () => {
    const error = { code: "EXECUTION.PARALLEL.PARTIAL_FAILURE", message: "1 of 3 branches failed" };
    const failed = { status: "failed", exitCode: 1, error } as const;
    const shown = await text([
      runStarted(),
      stepStarted("call", { kind: "call_workflow" }),
      runStarted("child", {}, "r2", "r1"),
      stepStarted("fan", { kind: "parallel" }, "r2"),
      stepCompleted("fan", { kind: "parallel", ...failed }, "r2"),
      runCompleted(failed, "r2", "r1"),
      {
        type: "step.call_workflow.completed",
        run: "r1",
        step: "call",
        childRun: "r2",
        payload: { name: "call", workflow: "child", status: "failed" },
      },
      stepCompleted("call", { kind: "call_workflow", ...failed }),
      runCompleted(failed),
    ]);
    expect(shown.filter((line) => line.includes("1 of 3"))).toEqual(["  1 of 3 branches failed"]);
  });

  it("says a failure that the author wrote down in the author's words", async () => {
    const error = { code: "EXECUTION.RUN.FAILED", message: 'the workflow ended in "__inline_error_a"' };
    expect(
      await text([runStarted(), runCompleted({ status: "failed", exitCode: 9, error, message: "No luck." })]),
    ).toEqual([
      "demo · run r1",
      "No luck.",
      "✗ demo failed in 100ms (0 steps), exit 9",
      "",
      "  look:  troupe logs r1",
      "  rerun: troupe rerun r1",
      "",
    ]);
  });
});
