/**
 * Runs a script in a process of its own.
 *
 * I1. Values that are too large for the environment, and scripts that are too long for an argument, are files (0600,
 *     0700) in a folder that only the user can open; it is gone before this settles.
 * I2. It settles after everything that was started has gone, a cancel included.
 * I3. Its output holds no NUL.
 * I4. Why a script's copy cannot be started is said of the file that its author knows.
 */
import { access, constants, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Marker } from "../process/marker.ts";
import { Nuls } from "../process/nuls.ts";
import type { OutputStream } from "../process/output.ts";
import { type End, spawnProcess } from "../process/spawn.ts";
import { type ScriptCommand, shellOf } from "./script.ts";

/** Linux takes 128 KiB for one argument. */
const MAX_ARGUMENT_BYTES = 96 * 1024;

export type ScriptRun = {
  script: ScriptCommand;
  cwd: string;
  /** The environment of commands, see `commandEnvironment`. */
  env: { readonly [name: string]: string };
  marker: Marker;
  signal: AbortSignal;
  maxOutputBytes: number;
  onOutput: (stream: OutputStream, text: string) => void;
};

/** Runs it to its end, or ends it on abort. Rejects when a file of its own cannot be written. */
export async function runScript(o: ScriptRun): Promise<End> {
  const { script, env, large, program } = o.script;
  const shell = shellOf(o.env);
  const file = program || Buffer.byteLength(script) > MAX_ARGUMENT_BYTES;
  if (!file && Object.keys(large).length === 0) return started(o, [shell, "-c", script], env);
  const folder = await mkdtemp(join(o.env["TMPDIR"] || tmpdir(), "troupe-"));
  try {
    for (const [name, value] of Object.entries(large)) await writeFile(join(folder, name), value, { mode: 0o600 });
    const path = join(folder, "script");
    if (file) await writeFile(path, script, { mode: 0o700 });
    const argv: [string, ...string[]] = program ? [path] : file ? [shell, path] : [shell, "-c", script];
    const end = await started(o, argv, { ...env, TROUPE_VALUES: folder });
    if (end.type !== "not started" || o.script.file === undefined) return end;
    if (program && (await isClosed(path))) return { ...end, message: noExecution(o.script.file, dirname(folder)) };
    return { ...end, message: end.message.replaceAll(path, o.script.file) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Its rights let us execute it: where the system says otherwise, its file system lets nothing be. */
const isClosed = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => false,
    () => true,
  );
const noExecution = (file: string, temporary: string): string =>
  `cannot start "${file}": a copy of it is started among the temporary files, and nothing in ${temporary} may be executed (noexec). Set TMPDIR to a folder where that is allowed, or call the file by its program in a command`;

async function started(o: ScriptRun, argv: [string, ...string[]], values: { [name: string]: string }): Promise<End> {
  const { cwd, env, marker, signal, maxOutputBytes, onOutput } = o;
  const nuls = { stdout: new Nuls(), stderr: new Nuls() };
  const running = spawnProcess({
    ...{ argv, cwd, env: { ...env, ...values }, marker, maxOutputBytes },
    onOutput: (stream, written) => {
      const text = nuls[stream].shown(written);
      if (text !== "") onOutput(stream, text);
    },
  });
  const stop = () => void running.terminate();
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await running.ended;
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
