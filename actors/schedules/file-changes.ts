/**
 * Changes of files as schedules hear of them: many at once are one.
 *
 * I1. They are told `QUIET_MS` after the last one, and `MOST_WAIT_MS` after the first one at the latest.
 * I2. A directory is watched while a schedule of it asks for that, by one watcher, which knows all its globs.
 * I3. One whose watch cannot begin is told, holds up no other one, and is tried again the next time. Of a watch that
 *     stands it is told alone what it cannot watch.
 * I4. What could not be decided is told again, when that is asked for, and with the next ones of its directory.
 */
import type { Schedule } from "../../machines/schedule/schedule.ts";
import type { Clock } from "../base/clock.ts";
import { type Globs, names, type WatchFiles } from "./file-watch.ts";

export const QUIET_MS = 1_000;
export const MOST_WAIT_MS = 10_000;
/** So many paths are remembered of one burst. */
const MOST_CHANGED = 1_000;

type Options = {
  clock: Pick<Clock, "now" | "elapsed" | "after">;
  watch: WatchFiles;
  /** Paths within the directory, when each was heard of last, and when they had been gathered. */
  changed: (cwd: string, paths: ReadonlyMap<string, number>, until: number) => void;
  failed: (cwd: string, why: string) => void;
};
type Watched = { globs: string; close: Promise<() => Promise<void>> };
type Gathered = { paths: ReadonlyMap<string, number>; until: number };
type Burst = { paths: Map<string, number>; first: number; unset: () => void };

export class FileChanges {
  readonly #options: Options;
  readonly #watched = new Map<string, Watched>();
  readonly #bursts = new Map<string, Burst>();
  /** By directory (I4). */
  readonly #undecided = new Map<string, Gathered>();
  #closed = false;
  constructor(options: Options) {
    this.#options = options;
  }

  /** Watches for these, and for no others. Resolves when it does. */
  async watch(schedules: readonly Schedule[]): Promise<void> {
    const wanted = new Map<string, Globs[]>();
    for (const { cwd, on, off } of schedules)
      if (off === null && on.files !== null) wanted.set(cwd, [...(wanted.get(cwd) ?? []), on.files]);
    for (const [cwd, { globs, close }] of this.#watched)
      if (JSON.stringify(wanted.get(cwd)) !== globs) {
        this.#watched.delete(cwd);
        void close.then((end) => end());
      }
    const { watch, failed } = this.#options;
    for (const [cwd, globs] of wanted) {
      if (this.#watched.has(cwd) || this.#closed) continue;
      const heard = {
        changed: (path: string) => this.#hear(cwd, path),
        failed: (why: string) => failed(cwd, `its files cannot be watched: ${why}`),
      };
      const close = watch(cwd, globs, heard).catch((error: unknown) => {
        if (this.#watched.get(cwd) === watched) this.#watched.delete(cwd); // I3
        heard.failed(error instanceof Error ? error.message : String(error));
        return async () => undefined;
      });
      const watched: Watched = { globs: JSON.stringify(globs), close };
      this.#watched.set(cwd, watched);
    }
    await Promise.all([...this.#watched.values()].map(({ close }) => close));
  }

  /** Those of some paths that a schedule asks for. */
  meant({ on: { files } }: Schedule, paths: readonly string[]): string[] {
    return files === null ? [] : paths.filter((path) => names(files, path));
  }

  /** What was told of a directory could not be decided (I4). */
  keep(cwd: string, paths: ReadonlyMap<string, number>, until: number): void {
    const kept = this.#undecided.get(cwd);
    const all = new Map([...(kept?.paths ?? []), ...paths]);
    this.#undecided.set(cwd, { paths: all, until: Math.max(kept?.until ?? until, until) });
  }
  /** I4. */
  again(): void {
    for (const [cwd, { until }] of [...this.#undecided]) this.#tell(cwd, { paths: new Map(), until });
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const { unset } of this.#bursts.values()) unset();
    this.#bursts.clear();
    await Promise.all([...this.#watched.values()].map(async ({ close }) => (await close)()));
    this.#watched.clear();
  }

  #hear(cwd: string, path: string): void {
    if (this.#closed) return;
    const { clock } = this.#options;
    const [now, elapsed] = [clock.now(), clock.elapsed()];
    const burst = this.#bursts.get(cwd) ?? { paths: new Map<string, number>(), first: elapsed, unset: () => undefined };
    if (burst.paths.size < MOST_CHANGED || burst.paths.has(path)) burst.paths.set(path, now);
    burst.unset();
    const left = burst.first + MOST_WAIT_MS - elapsed;
    burst.unset = clock.after(Math.max(0, Math.min(QUIET_MS, left)), () => {
      this.#bursts.delete(cwd);
      this.#tell(cwd, { paths: burst.paths, until: clock.now() });
    });
    this.#bursts.set(cwd, burst);
  }
  #tell(cwd: string, { paths, until }: Gathered): void {
    const kept = this.#undecided.get(cwd)?.paths ?? [];
    this.#undecided.delete(cwd);
    this.#options.changed(cwd, new Map([...kept, ...paths]), until);
  }
}
