/**
 * The one place that starts a child process, and ends it with all it started.
 *
 * A child leads a process group of its own and carries a marker, because neither is enough: one `kill` of the group
 * takes a fork bomb at once but misses what called setsid; the marker finds that too.
 *
 * I1. `ended` settles once, when the child has gone and its output is read, and never waits longer than
 *     PIPE_GRACE_MS for somebody else who holds the pipes open.
 * I2. Nothing of the attempt runs after `ended`, unless `leaveBackground` is set or the kernel does not obey.
 * I3. Nothing is passed to `onOutput` after `ended`.
 * I4. A start that fails is an end like others, never a throw.
 */
import { type ChildProcess, spawn } from "node:child_process";
import type { Writable } from "node:stream";
import { type Clock, realClock } from "./clock.ts";
import { type Family, familyOf } from "./family.ts";
import { hasLeftovers } from "./leftovers.ts";
import { type Output, type OutputStream, readOutput } from "./output.ts";
import type { ScanProcesses } from "./process-row.ts";
import { type StartFault, startFault } from "./start-fault.ts";
import { scanProcesses } from "./table.ts";
import { endLeftovers, runLadder, withLimit } from "./terminate.ts";

/** A child that writes more than this, in bytes, is ended. */
export const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;
/** How long, in milliseconds, a cancelled child may take to end by itself. */
export const TERMINATE_GRACE_MS = 5000;
/** How long, in milliseconds, pipes may stay open after the child has gone. */
export const PIPE_GRACE_MS = 200;

export type SpawnOptions = {
  argv: readonly [string, ...string[]];
  cwd: string;
  /** The whole environment, see `environment.ts`; nothing is added but the marker. */
  env: { readonly [name: string]: string };
  /** See `markerFor`. */
  marker: { readonly [name: string]: string };
  stdin?: "ignore" | "pipe";
  /** Text as it arrives, see `output.ts`. */
  onOutput?: (stream: OutputStream, text: string) => void;
  maxOutputBytes?: number;
  /** Lets processes that the child leaves behind run on. */
  leaveBackground?: boolean;
  clock?: Clock;
  scan?: ScanProcesses;
};

export type End =
  | { type: "exited"; code: number }
  | { type: "signalled"; signal: string }
  | ({ type: "not started" } & StartFault)
  | { type: "output limit" };

export type TerminateOptions = { first?: "SIGTERM" | "SIGINT"; graceMs?: number };

export type Running = {
  /** Null if the child could not be started. */
  readonly pid: number | null;
  readonly stdin: Writable | null;
  readonly ended: Promise<End>;
  /** Ends the child and all it started, see `terminate.ts`; a second call waits for the first. */
  terminate: (how?: TerminateOptions) => Promise<void>;
};

/** Starts a child process. No shell is involved. */
export function spawnProcess(o: SpawnOptions): Running {
  const clock = o.clock ?? realClock;
  const [file, ...args] = o.argv;
  let child: ChildProcess;
  try {
    child = spawn(file, args, {
      cwd: o.cwd,
      env: { ...o.env, ...o.marker },
      stdio: [o.stdin ?? "ignore", "pipe", "pipe"],
      detached: true,
      shell: false,
    });
  } catch (error) {
    return notStarted(Promise.resolve(startFault(error, o)));
  }
  if (child.pid === undefined) {
    return notStarted(new Promise((resolve) => child.once("error", (error) => resolve(startFault(error, o)))));
  }
  return started(o, child, familyOf(child.pid, o.marker, o.scan ?? scanProcesses), clock);
}

function started(o: SpawnOptions, child: ChildProcess, family: Family, clock: Clock): Running {
  const { stdout, stderr } = child;
  if (stdout === null || stderr === null) throw new Error("a child without pipes");
  const startedAt = clock.now();
  let limited = false;
  let terminating: Promise<void> | null = null;

  const exited = new Promise<End>((resolve) => {
    child.once("exit", (code, signal) => {
      family.childGone = true;
      resolve(signal === null ? { type: "exited", code: code ?? 0 } : { type: "signalled", signal });
    });
  });
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  // Writing to a child that has gone fails; its end is told by `ended`.
  child.stdin?.on("error", () => undefined);
  // After its start a child emits this for a signal that did not reach it.
  child.on("error", () => undefined);

  function terminate(how: TerminateOptions = {}): Promise<void> {
    const { first = "SIGTERM", graceMs = TERMINATE_GRACE_MS } = how;
    terminating ??= runLadder({ family, first, graceMs, gone: exited, clock });
    return terminating;
  }

  async function end(output: Output): Promise<End> {
    const result = await exited;
    const pipes = pipesRead(closed, clock);
    if (terminating !== null) await terminating;
    else if (o.leaveBackground !== true && (await hasLeftovers(family, clock.now() - startedAt, clock))) {
      terminating = endLeftovers(family, clock);
      await terminating;
    }
    await pipes;
    output.finish();
    if (o.leaveBackground !== true) terminating ??= Promise.resolve();
    letGo(child, o.leaveBackground === true);
    return limited ? { type: "output limit" } : result;
  }

  const output = readOutput({
    streams: { stdout, stderr },
    onOutput: o.onOutput ?? (() => undefined),
    maxBytes: o.maxOutputBytes ?? MAX_OUTPUT_BYTES,
    onLimit: () => {
      limited = true;
      void terminate({ graceMs: 0 });
    },
  });
  return { pid: family.childPid, stdin: child.stdin, ended: end(output), terminate };
}

// After a stall the timer is due before the bytes that wait in the pipe were read; two turns of the loop read them.
async function pipesRead(closed: Promise<void>, clock: Clock): Promise<void> {
  await withLimit(closed, PIPE_GRACE_MS, clock);
  const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
  await Promise.race([closed, turn().then(turn)]);
}

// A process that runs on with our pipes would die of a closed one: we go on reading, but do not live on for it.
function letGo(child: ChildProcess, background: boolean): void {
  child.stdin?.destroy();
  for (const stream of [child.stdout, child.stderr]) {
    if (!background) stream?.destroy();
    else if (stream !== null && "unref" in stream && typeof stream.unref === "function") stream.unref();
  }
}

function notStarted(fault: Promise<StartFault>): Running {
  const ended = fault.then((why): End => ({ type: "not started", ...why }));
  return { pid: null, stdin: null, ended, terminate: () => Promise.resolve() };
}
