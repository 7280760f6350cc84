/**
 * A command step: a shell's script, its output live in the log, its end as the step's result.
 *
 * I1. `Output` and `Stderr` hold the head of what was written, without the newlines at its end, as `$(…)` gives it; the
 *     log holds it as it was written; a run of NULs is one `␀` in both. What is cut from them is reported in one
 *     notice.
 * I2. A process that died of a signal has the exit code 128 + n, one that was not started 127 or 126, as shells say.
 */
import { constants } from "node:os";
import { resolve } from "node:path";
import type { WorkInput } from "../../machines/contracts.ts";
import type { StateResult } from "../../machines/model.ts";
import type { CommandNode, OutputSchema } from "../../machines/workflow/document.ts";
import { limitsOf } from "../base/limits.ts";
import { readAllowed } from "../catalogue/files.ts";
import { readingOf } from "../catalogue/workflow-paths.ts";
import type { Code } from "../errors/codes.ts";
import type { WorkContext } from "../host/host.ts";
import { markerFor } from "../process/marker.ts";
import type { End } from "../process/spawn.ts";
import { cancelled, completed, type Ended, failed } from "./ended.ts";
import { missingProgram } from "./missing-program.ts";
import type { EffectOptions } from "./options.ts";
import { OutputHead } from "./output-head.ts";
import { Rendering } from "./rendering.ts";
import { dataOf } from "./response.ts";
import { runScript } from "./run-script.ts";
import { commandScript, fileScript, type ScriptCommand, withheldNotice } from "./script.ts";
import { type Fit, fitOf } from "./shape.ts";
import { traceEnvironment } from "./trace-environment.ts";
import { placedEnvironment } from "./tree-environment.ts";
import { warningsOf } from "./warnings.ts";

type CommandWork = WorkInput & { node: CommandNode };

export async function command(input: CommandWork, context: WorkContext, options: EffectOptions): Promise<Ended> {
  const { node, scope, origin, attempt } = input;
  const limits = limitsOf(options.limits);
  const where = `states.${node.name}`;
  const warn = warningsOf(context, origin);
  const rendering = new Rendering(scope, options, warn);
  const cwd = resolve(scope.context.WorkingDir, node.dir === null ? "" : rendering.text(node.dir, `${where}.dir`));
  const script = scriptOf(node, where, rendering, limits.fileBytes);
  const { run, step } = origin;
  const withheld = withheldNotice(where, script);
  if (withheld !== null) warn(withheld);
  const max = node.maxOutputBytes ?? limits.keptOutputBytes;
  const kept = { stdout: new OutputHead(max), stderr: new OutputHead(max) };
  const block = (stream: "stdout" | "stderr") =>
    context.text({ type: "tool.update", run, step, block: `${step}@${attempt}.${stream}`, stream });
  const blocks = { stdout: block("stdout"), stderr: block("stderr") };

  const end = await runScript({
    script,
    cwd,
    env: { ...placedEnvironment(options.environment, scope), ...traceEnvironment(input, options) },
    marker: markerFor(options.owner, context.attempt),
    signal: context.signal,
    maxOutputBytes: limits.maxOutputBytes,
    onOutput: (stream, text) => {
      blocks[stream].say(text);
      kept[stream].add(text);
    },
  });

  const cut = (["stdout", "stderr"] as const).filter((stream) => kept[stream].cut);
  if (cut.length > 0) {
    warn(
      `${where}: ${cut.join(" and ")} came to more than ${max} bytes; ` +
        "Output and Stderr hold the first part. Set capture.max_size to keep more.",
    );
  }
  const left = {
    Output: trimmed(kept.stdout.text),
    Stderr: trimmed(kept.stderr.text),
    ...(cut.length > 0 ? { Truncated: true } : {}),
  };
  if (context.signal.aborted) return cancelled(left);
  const failure = failureOf(end, limits.maxOutputBytes);
  if (failure === null) return node.outputSchema === undefined ? completed(left) : shaped(left, node.outputSchema);
  const { code, message, exitCode } = { ...failure, ...missingProgram(failure.exitCode, left.Stderr) };
  const Stderr = end.type === "not started" ? message : left.Stderr;
  return failed({ code, message }, exitCode, { ...left, Stderr });
}

/** The end of a command whose output must fit a schema. */
async function shaped(left: Partial<StateResult> & { Output: string }, schema: OutputSchema): Promise<Ended> {
  const fit: Fit =
    left.Truncated === true
      ? { ok: false, reason: "it was cut; set capture.max_size to keep more" }
      : await fitOf(left.Output, schema);
  if (fit.ok) return completed({ ...left, ...dataOf(left.Output, fit.value) });
  const message = `the output does not fit output_schema: ${fit.reason}`;
  return failed({ code: "EXECUTION.STEP.INVALID_SHAPE", message }, 1, { ...left, Stderr: left.Stderr || message });
}

function scriptOf(node: CommandNode, where: string, rendering: Rendering, maxBytes: number): ScriptCommand {
  if ("command" in node.run) return commandScript(node.run.command, `${where}.command`, rendering);
  const field = `${where}.script_file`;
  const path = rendering.text(node.run.scriptFile, field);
  const { path: file, text } = readAllowed({
    where: field,
    ...readingOf(path, rendering.site, node.run.scriptFile),
    maxBytes,
  });
  return { ...fileScript(text, field, rendering), file };
}

export type CommandFailure = { code: Code; message: string; exitCode: number };

/** Why a process's end is a failure, or null (I2). `maxBytes`: what it may write. */
export function failureOf(end: End, maxBytes: number): CommandFailure | null {
  switch (end.type) {
    case "exited":
      if (end.code === 0) return null;
      return {
        code: "EXECUTION.COMMAND.FAILED",
        message: `the command ended with exit code ${end.code}`,
        exitCode: end.code,
      };
    case "signalled": {
      const number = Object.entries(constants.signals).find(([name]) => name === end.signal)?.[1] ?? 0;
      return {
        code: "EXECUTION.COMMAND.FAILED",
        message: `the command was ended by ${end.signal}`,
        exitCode: 128 + number,
      };
    }
    case "not started":
      return {
        code: "EXECUTION.COMMAND.NOT_STARTED",
        message: end.message,
        exitCode: end.code === "ENOENT" ? 127 : 126,
      };
    case "output limit":
      return {
        code: "EXECUTION.COMMAND.OUTPUT_LIMIT",
        message: `the command wrote more than ${maxBytes} bytes and was ended; write large output to a file`,
        exitCode: 1,
      };
    default:
      return end satisfies never;
  }
}

const trimmed = (output: string): string => output.replace(/(?:\r?\n)+$/, "");
