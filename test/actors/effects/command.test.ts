/** A command step: its output, its exit code, its environment, and its end. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { scanProcesses } from "../../../actors/process/table.ts";
import type { Row } from "../../../machines/exchange.ts";
import { recordingContext } from "../../support/recording-context.ts";
import { type Given, run } from "./command-run.ts";
import { commandNode, result, workspace } from "./support.ts";

const outputOf = async (command: string, cwd: string, given?: Given) =>
  (await run(commandNode(command), cwd, given)).result.state.Output;

const said = (stream: "stdout" | "stderr", text: string, attempt = 1): Row => ({
  type: "tool.update",
  run: "r1",
  step: "build",
  payload: { block: `build@${attempt}.${stream}`, offset: 0, text, stream },
});

describe("a command step", () => {
  it("says its output live and keeps it without the newlines at its end (I1)", async () => {
    const { rows, result: ended } = await run(commandNode("printf ' one\\ntwo \\n\\n'"), workspace(), { attempt: 2 });
    expect(rows).toEqual([said("stdout", " one\ntwo \n\n", 2)]);
    expect(ended).toEqual({
      outcome: { status: "completed", exitCode: 0 },
      state: result({ Output: " one\ntwo " }),
      draw: 0.25,
    });
  });

  it("keeps one picture of a run of NULs, which JSON would store six-fold (I1)", async () => {
    const zeros = "head -c 3000000 /dev/zero";
    const { rows, result: ended } = await run(commandNode(`printf a; ${zeros}; echo b; ${zeros} >&2`), workspace());
    const written = { stdout: "", stderr: "" };
    for (const { payload } of rows as ReturnType<typeof said>[]) {
      const { stream, text } = payload as { stream: "stdout" | "stderr"; text: string };
      written[stream] += text;
    }
    expect(written).toEqual({ stdout: "a␀b\n", stderr: "␀" });
    expect(ended.state).toEqual(result({ Output: "a␀b", Stderr: "␀" }));
  });

  it("keeps both streams and fails with the exit code", async () => {
    const { rows, result: ended } = await run(commandNode("echo out; exec >&2; echo err; exit 3"), workspace());
    expect(rows).toEqual([said("stdout", "out\n"), said("stderr", "err\n")]);
    expect(ended).toEqual({
      outcome: {
        status: "failed",
        exitCode: 3,
        error: { code: "EXECUTION.COMMAND.FAILED", message: "the command ended with exit code 3" },
      },
      state: result({ Output: "out", Stderr: "err", ExitCode: 3, Status: "failed" }),
      draw: 0.25,
    });
  });

  it("has the exit code 128 + n of a signal (I2)", async () => {
    const { result: ended } = await run(commandNode("kill -9 $$"), workspace());
    expect(ended.outcome).toEqual({
      status: "failed",
      exitCode: 137,
      error: { code: "EXECUTION.COMMAND.FAILED", message: "the command was ended by SIGKILL" },
    });
  });

  it("is not started in a folder that is not there (I2)", async () => {
    const cwd = workspace();
    const { rows, result: ended } = await run(commandNode("true", { dir: "{{.inputs.where}}" }), cwd, {
      scope: { inputs: { where: "sub" } },
    });
    expect(rows).toEqual([]);
    expect(ended.outcome.exitCode).toBe(127);
    expect(ended.outcome.error?.code).toBe("EXECUTION.COMMAND.NOT_STARTED");
    expect(ended.outcome.error?.message).toContain(`the working directory "${join(cwd, "sub")}" does not exist`);
  });

  it("runs in its rendered folder", async () => {
    const cwd = workspace({ "a b/x": "" });
    const { result: ended } = await run(commandNode("pwd", { dir: "{{.inputs.where}}" }), cwd, {
      scope: { inputs: { where: "a b" } },
    });
    expect(ended.state.Output).toBe(join(cwd, "a b"));
  });

  it("gets the user's environment less our own variables, and no value as part of its script", async () => {
    const evil = "'; touch marker; echo $(touch marker)`touch marker` \"";
    const cwd = workspace();
    const command = 'echo "$COLOR/$TROUPE_TOKEN"; printf %s "{{.inputs.x}}"; printf %s \'{{.inputs.x}}\'';
    expect(await outputOf(command, cwd, { scope: { inputs: { x: evil } } })).toBe(`red/\n${evil}${evil}`);
    expect(existsSync(join(cwd, "marker"))).toBe(false);
  });

  it("carries the attempt's marker", async () => {
    const recording = recordingContext();
    const output = await outputOf('echo "$TROUPE_SCOPE"', workspace(), { recording });
    expect(output).toBe(recording.context.attempt);
  });

  it("hands over a value of a megabyte, and leaves no file behind", async () => {
    const temporary = workspace();
    const environment = { PATH: process.env["PATH"] ?? "", TMPDIR: temporary };
    const options = { environment };
    const scope = { inputs: { x: "é".repeat(512 * 1024) } };
    expect(await outputOf('printf %s "{{.inputs.x}}" | wc -c', workspace(), { scope, options })).toBe(
      String(1024 * 1024),
    );
    expect(readdirSync(temporary)).toEqual([]);
  });

  it("runs a script that is too long for an argument", async () => {
    expect(await outputOf(`: ${"x".repeat(200_000)}\necho done`, workspace())).toBe("done");
  });

  it("runs in the user's bash where SHELL names one, else in sh", async () => {
    const shell = (SHELL: string) => ({ options: { environment: { PATH: process.env["PATH"] ?? "", SHELL } } });
    const command =
      'if [ -n "$BASH_VERSION" ]; then case $SHELLOPTS in *posix*) echo sh;; *) echo bash;; esac; else echo sh; fi';
    expect(await outputOf(command, workspace(), shell("/bin/bash"))).toBe("bash");
    expect(await outputOf(command, workspace(), shell("/usr/bin/fish"))).toBe("sh");
  });

  it("keeps the head of a long output, whole characters only, and says so once", async () => {
    const { rows, result: ended } = await run(
      commandNode("printf 'aéé'; printf 'err' >&2", { maxOutputBytes: 4 }),
      workspace(),
    );
    expect(ended.state).toEqual(result({ Output: "aé", Stderr: "err", Truncated: true }));
    expect(rows.filter(({ type }) => type === "notice")).toEqual([
      {
        type: "notice",
        run: "r1",
        step: "build",
        payload: {
          severity: "warning",
          message:
            "states.build: stdout came to more than 4 bytes; Output and Stderr hold the first part. " +
            "Set capture.max_size to keep more.",
        },
      },
    ]);
    expect(rows).toContainEqual(said("stdout", "aéé"));
  });

  it("ends a command that writes more than the limit", async () => {
    const { result: ended } = await run(commandNode("yes"), workspace(), {
      options: { limits: { maxOutputBytes: 5000 } },
    });
    expect(ended.outcome).toEqual({
      status: "failed",
      exitCode: 1,
      error: {
        code: "EXECUTION.COMMAND.OUTPUT_LIMIT",
        message: "the command wrote more than 5000 bytes and was ended; write large output to a file",
      },
    });
    expect(ended.state.Output.length).toBe(4999);
  });

  it("names field, line and column of a template that cannot be rendered, and starts nothing", async () => {
    const cwd = workspace();
    const { result: ended } = await run(commandNode("touch marker\necho {{.inputs.nmae}}"), cwd, {
      scope: { inputs: { name: "x" } },
    });
    expect(ended.outcome).toEqual({
      status: "failed",
      exitCode: 1,
      error: {
        code: "WORKFLOW.TEMPLATE.RENDERING",
        message: expect.stringMatching(/^states\.build\.command, line 2, column 8: .*"nmae".*did you mean "name"/),
      },
    });
    expect(existsSync(join(cwd, "marker"))).toBe(false);
  });
});

describe("a cancel", () => {
  it("ends the command and what it started before it settles", async () => {
    const recording = recordingContext();
    const running = run(commandNode("setsid sleep 1000 & echo ready; wait"), workspace(), { recording });
    await recording.until((rows) => rows.length > 0);
    recording.abort();
    expect((await running).result).toEqual({
      outcome: { status: "cancelled", exitCode: 130 },
      state: result({ Output: "ready", ExitCode: 130, Status: "cancelled" }),
      draw: 0.25,
    });
    expect(scanProcesses(null).filter(({ scope }) => scope === recording.context.attempt)).toEqual([]);
  });

  it("before the start starts nothing", async () => {
    const recording = recordingContext();
    recording.abort();
    const cwd = workspace();
    expect((await run(commandNode("touch marker"), cwd, { recording })).result.outcome.status).toBe("cancelled");
    expect(existsSync(join(cwd, "marker"))).toBe(false);
  });
});
