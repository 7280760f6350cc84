/**
 * The one place that has a child process started, and ends it with all it started.
 *
 * A child leads a process group of its own and carries a marker, because neither is enough: one `kill` of the group
 * takes a fork bomb at once but misses what called setsid; the marker finds that too.
 *
 * I1. `ended` settles once, when the child has gone and its output is read, and never waits longer than
 *     PIPE_GRACE_MS for another process that holds the pipes open.
 * I2. Nothing of the attempt runs after `ended`, unless `leaveBackground` is set or the kernel does not obey.
 * I3. Nothing is passed to `onOutput` or `onOutputEnd` after `ended`.
 * I4. A start that fails is an end like others, never a throw.
 */

import { systemClock, type Timers } from "../base/clock.ts";
import type { Child, Launch, Launched } from "./child.ts";
import { guardAgainst } from "./guard.ts";
import { later } from "./later.ts";
import { hasLeftovers } from "./leftovers.ts";
import { type Output, type OutputStream, readOutput } from "./output.ts";
import type { ScanProcesses } from "./process-row.ts";
import { familyOf, type ProcessTree } from "./process-tree.ts";
import type { End, Running, TerminateOptions } from "./running.ts";
import { launch } from "./spawner/launch.ts";
import { startFault } from "./start-fault.ts";
import { startedPids } from "./started-pids.ts";
import { scanProcesses } from "./table.ts";
import { endLeftovers, runLadder, withLimit } from "./terminate.ts";

export type { End, Running, TerminateOptions };

/** A child that writes more than this, in bytes, is ended. */
export const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;
/** How long, in milliseconds, a cancelled child may take to end by itself. */
export const TERMINATE_GRACE_MS = 5000;
/** How long, in milliseconds, pipes may stay open after the child has gone. */
export const PIPE_GRACE_MS = 200;
const NO_PID = -1;

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
  /** A stream has ended; the child need not have. */
  onOutputEnd?: (stream: OutputStream) => void;
  maxOutputBytes?: number;
  /** Lets processes that the child leaves behind run on. */
  leaveBackground?: boolean;
  clock?: Timers;
  scan?: ScanProcesses;
  launch?: Launch;
};

/** Starts a child process. No shell is involved. */
export function spawnProcess(o: SpawnOptions): Running {
  const clock = o.clock ?? systemClock;
  const askedAt = clock.elapsed();
  const { argv, cwd, stdin = "ignore" } = o;
  guardAgainst(o.marker);
  const launched = (o.launch ?? launch)({ argv, cwd, env: { ...o.env, ...o.marker }, stdin });
  const running = (one: Launched): Running => {
    switch (one.type) {
      case "started":
        startedPids.note(one.child.pid, clock.elapsed());
        return started(o, one.child, familyOf(one.child.pid, o.marker, o.scan ?? scanProcesses), clock, askedAt);
      case "fault":
        return notStarted(Promise.resolve({ type: "not started", ...startFault(one.error, o) }));
      case "lost":
        return notStarted(endLost(o, clock));
      default:
        return one satisfies never;
    }
  };
  return launched instanceof Promise ? later(launched.then(running), stdin) : running(launched);
}

// It has no pid that we know, so only its scope finds it; no process has the number -1, and none is in such a group.
async function endLost(o: SpawnOptions, clock: Timers): Promise<End> {
  const family = familyOf(NO_PID, o.marker, o.scan ?? scanProcesses);
  family.childGone = true;
  await endLeftovers(family, clock);
  return { type: "signalled", signal: "SIGKILL" };
}

function started(o: SpawnOptions, child: Child, family: ProcessTree, clock: Timers, startedAt: number): Running {
  const { stdout, stderr, closed } = child;
  let limited = false;
  let terminating: Promise<void> | null = null;

  const exited = child.exited.then((exit): End => {
    family.childGone = true;
    return exit.signal === null ? { type: "exited", code: exit.code } : { type: "signalled", signal: exit.signal };
  });
  // Writing to a child that has gone fails; `ended` reports its end.
  child.stdin?.on("error", () => undefined);

  function terminate(how: TerminateOptions = {}): Promise<void> {
    const { first = "SIGTERM", graceMs = TERMINATE_GRACE_MS } = how;
    terminating ??= runLadder({ family, first, graceMs, gone: exited, clock });
    return terminating;
  }

  async function end(output: Output): Promise<End> {
    const result = await exited;
    const pipes = pipesRead(closed, clock);
    if (terminating !== null) await terminating;
    else if (o.leaveBackground !== true && (await hasLeftovers(family, clock.elapsed() - startedAt, clock))) {
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
    onEnd: o.onOutputEnd ?? (() => undefined),
    maxBytes: o.maxOutputBytes ?? MAX_OUTPUT_BYTES,
    onLimit: () => {
      limited = true;
      void terminate({ graceMs: 0 });
    },
  });
  return { pid: family.childPid, stdin: child.stdin, ended: end(output), terminate };
}

// After a stall the timer is due before the bytes that wait in the pipe were read; two turns of the loop read them.
async function pipesRead(closed: Promise<unknown>, clock: Timers): Promise<void> {
  await withLimit(closed, PIPE_GRACE_MS, clock);
  const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
  await Promise.race([closed, turn().then(turn)]);
}

// A process that runs on with our pipes would die of a closed one: we keep reading, but do not stay alive for it.
function letGo(child: Child, background: boolean): void {
  child.stdin?.destroy();
  for (const stream of [child.stdout, child.stderr]) {
    if (!background) stream.destroy();
    else if ("unref" in stream && typeof stream.unref === "function") stream.unref();
  }
}

function notStarted(ended: Promise<End>): Running {
  return { pid: null, stdin: null, ended, terminate: () => ended.then(() => undefined) };
}
