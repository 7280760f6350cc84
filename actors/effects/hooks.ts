/**
 * The effect `hooks`: log lines and commands around a step or run, in order.
 *
 * I1. A hook that fails is reported in a warning, and the others still run unless the input says `stopAtFailure`. The
 *     first failure is the answer's fault: the owner decides whether it counts.
 * I2. A hook's command is a step's command in all but its limit of time.
 */
import type { HooksInput, HooksResult } from "../../machines/contracts.ts";
import type { Fault } from "../../machines/model.ts";
import { limitsOf } from "../base/limits.ts";
import { TroupeError } from "../errors/troupe-error.ts";
import type { WorkContext } from "../host/host.ts";
import { commandEnvironment } from "../process/environment.ts";
import { markerFor } from "../process/marker.ts";
import { failureOf } from "./command.ts";
import type { EffectOptions } from "./options.ts";
import { Rendering } from "./rendering.ts";
import { runScript } from "./run-script.ts";
import { commandScript, withheldNotice } from "./script.ts";
import { warningsOf } from "./warnings.ts";

export function hooks(options: EffectOptions): (input: HooksInput, context: WorkContext) => Promise<HooksResult> {
  return async (input, context) => {
    const { run, step } = input.origin;
    const place = step === "" ? { run } : { run, step };
    const rendering = new Rendering(input.scope, options, warningsOf(context, input.origin));
    let fault: Fault | null = null;
    for (const [index, hook] of input.hooks.entries()) {
      if (context.signal.aborted || (fault !== null && input.stopAtFailure)) break;
      const where = `hooks[${index}]`;
      try {
        if ("log" in hook) {
          const message = rendering.text(hook.log, `${where}.log`);
          context.record({ type: "notice", ...place, payload: { severity: "info", message } });
        } else await runHook(hook.command, where, index, { place, rendering, input, context, options });
      } catch (error) {
        if (!(error instanceof TroupeError)) throw error;
        if (context.signal.aborted) break;
        const { code, message } = error;
        context.record({ type: "notice", ...place, payload: { severity: "warning", message, code } });
        fault ??= { code, message };
      }
    }
    return { fault };
  };
}

type Around = {
  place: { run: string; step?: string };
  rendering: Rendering;
  input: HooksInput;
  context: WorkContext;
  options: EffectOptions;
};

async function runHook(command: string, where: string, index: number, around: Around): Promise<void> {
  const { place, rendering, input, context, options } = around;
  const { maxOutputBytes, hookMs } = limitsOf(options.limits);
  const script = commandScript(command, `${where}.command`, rendering);
  const withheld = withheldNotice(`${where}.command`, script);
  if (withheld !== null)
    context.record({ type: "notice", ...place, payload: { severity: "warning", message: withheld } });
  const block = (stream: "stdout" | "stderr") =>
    context.text({ type: "tool.update", ...place, block: `${context.attempt}.${index}.${stream}`, stream });
  const blocks = { stdout: block("stdout"), stderr: block("stderr") };
  const limit = new AbortController();
  const timer = new AbortController();
  void options.clock.sleep(hookMs, timer.signal).then(
    () => timer.signal.aborted || limit.abort(),
    () => undefined,
  );
  const end = await runScript({
    script,
    cwd: input.scope.context.WorkingDir,
    env: commandEnvironment(options.environment),
    marker: markerFor(options.owner, context.attempt),
    signal: AbortSignal.any([context.signal, limit.signal]),
    maxOutputBytes,
    onOutput: (stream, text) => blocks[stream].say(text),
  }).finally(() => timer.abort());
  if (context.signal.aborted) return;
  if (limit.signal.aborted) {
    throw new TroupeError("EXECUTION.HOOK.FAILED", `${where}.command: did not end within ${hookMs / 1000} seconds`);
  }
  const failure = failureOf(end, maxOutputBytes);
  if (failure !== null) throw new TroupeError("EXECUTION.HOOK.FAILED", `${where}.command: ${failure.message}`);
}
