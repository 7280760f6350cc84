/**
 * Helpers for tests with real processes: they wait for what a process says or is, never for a time.
 */
import { afterAll, beforeAll, describe } from "vitest";
import { systemClock, type Timers } from "../../../actors/base/clock.ts";
import { type Launch, launchHere } from "../../../actors/process/child.ts";
import { type Identity, identityOf, ownIdentity } from "../../../actors/process/identity.ts";
import { markerFor, SCOPE_VARIABLE } from "../../../actors/process/marker.ts";
import type { ProcessRow } from "../../../actors/process/process-row.ts";
import { type Running, type SpawnOptions, spawnProcess } from "../../../actors/process/spawn.ts";
import { spawnerProgram } from "../../../actors/process/spawner/launch.ts";
import { Spawner } from "../../../actors/process/spawner/spawner.ts";
import { scanProcesses } from "../../../actors/process/table.ts";

let scopes = 0;
let launch: Launch = launchHere;

/** The same tests for both ways to start a child. */
export function eachWay(tests: () => void): void {
  describe("started by ourselves:", () => {
    beforeAll(() => {
      launch = launchHere;
    });
    tests();
  });
  describe("started by the spawner:", () => {
    let spawner: Spawner;
    beforeAll(() => {
      spawner = newSpawner();
      launch = async (o) => (await spawner.launch(o)) ?? { type: "lost" };
    });
    afterAll(() => spawner.close());
    tests();
  });
}

/** A spawner of a test's own. */
export function newSpawner(): Spawner {
  return new Spawner(spawnerProgram()!);
}

/** Settles when the child has a pid. */
export async function born(child: Running): Promise<number> {
  await until(() => child.pid !== null);
  return child.pid!;
}

/** Real time that a test may jump ahead in. */
export function jumpingClock(): Timers & { advance: (ms: number) => void; timers: () => number } {
  let skipped = 0;
  const waiting = new Map<object, { at: number; fire: () => void }>();
  const elapsed = () => systemClock.elapsed() + skipped;
  return {
    elapsed,
    after: (ms, act) => {
      const key = {};
      const fire = () => {
        stop();
        if (waiting.delete(key)) act();
      };
      const stop = systemClock.after(ms, fire);
      waiting.set(key, { at: elapsed() + ms, fire });
      return () => {
        waiting.delete(key);
        stop();
      };
    },
    advance: (ms) => {
      skipped += ms;
      for (const { at, fire } of [...waiting.values()]) if (at <= elapsed()) fire();
    },
    timers: () => waiting.size,
  };
}

export type Started = Running & {
  /** All output so far, in order. */
  chunks: ["stdout" | "stderr", string][];
  /** Settles when stdout matches. */
  says: (pattern: RegExp) => Promise<RegExpExecArray>;
  /** The processes that carry this child's scope. */
  left: () => ProcessRow[];
};

/** Starts a child with a scope of its own. */
export function start(argv: [string, ...string[]], more: Partial<SpawnOptions> = {}): Started {
  const marker = more.marker ?? markerFor(ownIdentity(), `test/${process.pid}/${++scopes}`);
  const chunks: ["stdout" | "stderr", string][] = [];
  const waiting = new Set<() => void>();
  const running = spawnProcess({
    argv,
    cwd: "/",
    env: { PATH: process.env.PATH ?? "/usr/bin:/bin" },
    launch,
    ...more,
    marker,
    onOutput: (stream, text) => {
      chunks.push([stream, text]);
      for (const look of [...waiting]) look();
    },
  });
  const stdout = () => chunks.flatMap(([stream, text]) => (stream === "stdout" ? [text] : [])).join("");
  const says = (pattern: RegExp) =>
    new Promise<RegExpExecArray>((resolve) => {
      const look = () => {
        const match = pattern.exec(stdout());
        if (match === null) return;
        waiting.delete(look);
        resolve(match);
      };
      waiting.add(look);
      look();
    });
  const left = () => scanProcesses(null).filter((row) => row.scope === marker[SCOPE_VARIABLE]);
  const { ended, terminate } = running;
  return {
    get pid() {
      return running.pid;
    },
    get stdin() {
      return running.stdin;
    },
    ...{ ended, terminate, chunks, says, left },
  };
}

/** Starts a shell script. */
export function shell(script: string, more: Partial<SpawnOptions> = {}): Started {
  return start(["sh", "-c", script], more);
}

/** Settles when `condition` holds. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise<void>((resolve) => setImmediate(resolve));
}

/** The identity of a process that has ended. */
export async function deadIdentity(): Promise<Identity> {
  const child = start(["cat"], { stdin: "pipe" });
  const identity = identityOf(await born(child))!;
  child.stdin!.end();
  await child.ended;
  return identity;
}

/** A row as a scan would give it, for tests without processes. */
export function row(fields: Partial<ProcessRow> & { pid: number }): ProcessRow {
  return { ppid: 1, pgid: fields.pid, startedAt: "1.test", owner: null, scope: null, blank: false, ...fields };
}
