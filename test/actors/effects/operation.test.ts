import { expect, it } from "vitest";
import { work } from "../../../actors/effects/work.ts";
import type { OperationNode } from "../../../machines/workflow/document.ts";
import { recordingContext } from "../../support/recording-context.ts";
import { commandNode, ORIGIN, optionsFor, result, scopeIn } from "./support.ts";

it("an operation fails with a stable code that says what to do", async () => {
  const { run: _, dir: __, maxOutputBytes: ___, ...common } = commandNode("");
  const node: OperationNode = { ...common, type: "operation", operation: "http.request", inputs: {} };
  const recording = recordingContext();
  const input = { origin: ORIGIN, node, scope: scopeIn("/repo"), attempt: 1, conversation: null, said: null };
  const message =
    'states.build.operation: "http.request" is not available: no operation is built in. ' +
    "Use a command step that does the same.";
  expect(await work(optionsFor())(input, recording.context)).toEqual({
    outcome: { status: "failed", exitCode: 1, error: { code: "EXECUTION.OPERATION.UNSUPPORTED", message } },
    state: result({ Stderr: message, ExitCode: 1, Status: "failed" }),
    draw: 0.25,
  });
  expect(recording.rows).toEqual([]);
});
