import { describe, expect, it } from "vitest";
import { hooks } from "../../../actors/effects/hooks.ts";
import type { EffectOptions } from "../../../actors/effects/options.ts";
import { scanProcesses } from "../../../actors/process/table.ts";
import type { Row } from "../../../machines/exchange.ts";
import type { Scope } from "../../../machines/scope.ts";
import type { Hook } from "../../../machines/workflow/document.ts";
import { type Recording, recordingContext } from "../../support/recording-context.ts";
import { NOW, ORIGIN, optionsFor, scopeIn, workspace } from "./support.ts";

type Given = {
  stop?: boolean;
  scope?: Partial<Scope>;
  options?: Partial<EffectOptions>;
  step?: string;
  recording?: Recording;
};

async function run(list: Hook[], given: Given = {}) {
  const recording = given.recording ?? recordingContext();
  const input = {
    origin: { ...ORIGIN, step: given.step ?? "" },
    hooks: list,
    stopAtFailure: given.stop ?? false,
    scope: scopeIn(workspace(), given.scope),
  };
  const answer = await hooks(optionsFor(given.options))(input, recording.context);
  return { answer, rows: recording.rows, attempt: recording.context.attempt };
}
const notice = (message: string, more: object = {}): Row => ({
  type: "notice",
  run: "r1",
  payload: { severity: "info", message, ...more },
});

describe("hooks", () => {
  it("log and run in order", async () => {
    const list: Hook[] = [
      { log: "begin {{.workflow.Name}} {{.workflow.Duration}}" },
      { command: 'echo "{{.error.Message}}"' },
      { log: "end" },
    ];
    const error = { Message: "$(id)", State: "build", ExitCode: 1, Type: "EXECUTION" };
    const { answer, rows, attempt } = await run(list, { scope: { error } });
    expect(answer).toEqual({ fault: null });
    expect(rows).toEqual([
      notice("begin demo 1.5s"),
      {
        type: "tool.update",
        run: "r1",
        payload: { block: `${attempt}.1.stdout`, offset: 0, text: "$(id)\n", stream: "stdout" },
      },
      notice("end"),
    ]);
  });

  it("of a step name it in their rows", async () => {
    expect((await run([{ log: "x" }], { step: "build" })).rows).toEqual([{ ...notice("x"), step: "build" }]);
  });

  it("that fail warn, let the others run, and answer with the first fault (I1)", async () => {
    const { answer, rows } = await run([{ command: "exit 4" }, { log: "{{.inputs.none}}" }, { log: "after" }]);
    const message = "hooks[0].command: the command ended with exit code 4";
    const code = "EXECUTION.HOOK.FAILED";
    expect(answer).toEqual({ fault: { code, message } });
    expect(rows).toEqual([
      notice(message, { severity: "warning", code }),
      notice(expect.stringContaining("hooks[1].log, line 1, column"), {
        severity: "warning",
        code: "WORKFLOW.TEMPLATE.RENDERING",
      }),
      notice("after"),
    ]);
  });

  it("stop at the first failure where nothing may be built on it (I1)", async () => {
    const { answer, rows } = await run([{ log: "before" }, { command: "exit 4" }, { log: "after" }], { stop: true });
    const fault = { code: "EXECUTION.HOOK.FAILED", message: "hooks[1].command: the command ended with exit code 4" };
    expect(answer).toEqual({ fault });
    expect(rows).toEqual([notice("before"), notice(fault.message, { severity: "warning", code: fault.code })]);
  });

  it("are ended when they take too long (I2)", async () => {
    const recording = recordingContext();
    let wake: (() => void) | null = null;
    const clock = {
      now: () => NOW,
      elapsed: () => NOW,
      sleep: () =>
        new Promise<void>((resolve) => {
          wake = resolve;
        }),
      after: () => () => undefined,
    };
    const running = run([{ command: "echo ready; sleep 1000" }], { options: { clock }, recording });
    await recording.until((rows) => rows.length > 0);
    wake!();
    const { answer, attempt } = await running;
    expect(answer).toEqual({
      fault: { code: "EXECUTION.HOOK.FAILED", message: "hooks[0].command: did not end within 60 seconds" },
    });
    expect(scanProcesses(null).filter(({ scope }) => scope === attempt)).toEqual([]);
  });

  it("stop on an abort", async () => {
    const recording = recordingContext();
    const running = run([{ command: "echo ready; sleep 1000" }, { log: "never" }], { recording });
    await recording.until((rows) => rows.length > 0);
    recording.abort();
    const { answer, rows } = await running;
    expect([answer, rows.length]).toEqual([{ fault: null }, 1]);
  });
});
