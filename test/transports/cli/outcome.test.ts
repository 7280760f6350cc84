import { expect, it } from "vitest";
import type { RunResult } from "../../../actors/troupe.ts";
import { exitCodeOf } from "../../../transports/cli/outcome.ts";

type Outcome = RunResult["outcome"];
it.each<[string, Outcome, number]>([
  ["completed", { status: "completed", exitCode: 0 }, 0],
  ["cancelled", { status: "cancelled", exitCode: 130 }, 130],
  ["the author's own code", { status: "failed", exitCode: 9, error: { code: "EXECUTION.RUN.FAILED", message: "" } }, 9],
  [
    "the author's failure is never success",
    { status: "failed", exitCode: 0, error: { code: "EXECUTION.RUN.FAILED", message: "" } },
    3,
  ],
  [
    "the author's failure does not overflow",
    { status: "failed", exitCode: 256, error: { code: "EXECUTION.RUN.FAILED", message: "" } },
    3,
  ],
  ["a failure without an error", { status: "failed", exitCode: 5 }, 5],
  ["a command", { status: "failed", exitCode: 7, error: { code: "EXECUTION.COMMAND.FAILED", message: "" } }, 3],
  ["a template", { status: "failed", exitCode: 1, error: { code: "WORKFLOW.TEMPLATE.RENDERING", message: "" } }, 2],
  ["the store", { status: "failed", exitCode: 1, error: { code: "SYSTEM.IO.WRITE_FAILED", message: "" } }, 4],
  ["an unknown code fails closed", { status: "failed", exitCode: 1, error: { code: "NEWS", message: "" } }, 4],
])("exit code of %s", (_, outcome, code) => {
  expect(exitCodeOf({ run: "r", outcome, outputs: {}, message: null })).toBe(code);
});
