/**
 * Serves the schedules of a user: waits for their times and for changed files, and starts what is due.
 *
 * I1. What is decided is decided by `machines/schedule/decide.ts` inside a transaction of the store: of several
 *     processes that serve, one starts a run.
 * I2. Before anything is started, the directory must be trusted, and the files must be what they were when the schedule
 *     was enabled. Otherwise it is turned off, and that is told: when it is due, and when serving begins, so that it is
 *     known before. Only a directory that is not there is waited for until then: it may be mounted later.
 * I3. It looks at the clock at least every `LONGEST_SLEEP_MS`: a machine that slept, or whose clock was set, is noticed.
 * I4. When it has stopped it starts nothing any more; what it has started goes on.
 * I5. What fails for one schedule is told, and holds up no other one. It is tried again `LONGEST_SLEEP_MS` later, at the
 *     latest, with what has changed until then.
 */
import { nextTime } from "../../machines/schedule/cron.ts";
import {
  type Decision,
  decide,
  type Facts,
  type FileHeard,
  type ScheduleEvent,
} from "../../machines/schedule/decide.ts";
import type { Cause, Off, Schedule } from "../../machines/schedule/schedule.ts";
import type { ScheduleNews } from "../api/schedules.ts";
import type { Clock } from "../base/clock.ts";
import { troupeError } from "../errors/troupe-error.ts";
import type { Changing, KeptSchedules, RunReads, SchedulePlace } from "../host/reads.ts";
import { FileChanges } from "./file-changes.ts";
import type { WatchFiles } from "./file-watch.ts";
import { standOf } from "./stand.ts";
import { workingAt } from "./windows.ts";

/** A run that is to be started. `paths`: the files whose change starts it. */
export type ToStart = { schedule: Schedule; run: string; cause: Cause; paths: readonly string[] };
export type SchedulerHost = {
  schedules: KeptSchedules;
  runs: Pick<RunReads, "find">;
  clock: Pick<Clock, "now" | "elapsed" | "after">;
  newRun: () => string;
  /** Why a schedule may not start anything any more; null where it may. */
  whyOff: (schedule: Schedule) => Promise<Pick<Off, "why" | "files"> | null>;
  /** Begins a run; resolves with how it ends. Rejects with what kept it from beginning. */
  begin: (start: ToStart) => Promise<{ ended: Promise<string> }>;
  /** Calls back when another process may have changed the schedules, until the answer is called. */
  listen: (changed: () => void) => () => void;
  watchFiles: WatchFiles;
  tell: (news: ScheduleNews) => void;
};

export const LONGEST_SLEEP_MS = 30_000;
/** How long changes of the store are gathered before the schedules are read again. */
const GATHER_MS = 500;
/** How many runs one process has at a time that schedules have started. */
export const MOST_RUNS = 64;

type Known = { schedule: Schedule; next: number | null };
const nameOf = ({ cwd, workflow }: SchedulePlace): string => `${cwd}\0${workflow}`;

export class Scheduler {
  readonly #host: SchedulerHost;
  readonly #files: FileChanges;
  #known = new Map<string, Known>();
  /** Runs that this process has started and that have not ended. */
  readonly #live = new Set<string>();
  readonly #doing = new Set<Promise<unknown>>();
  #unset: (() => void) | undefined;
  #unlisten: (() => void) | undefined;
  #gathering: (() => void) | undefined;
  #before = Number.NEGATIVE_INFINITY;
  /** Since when it serves, by the clock as it is set now. */
  #since = Number.POSITIVE_INFINITY;
  #stopped = false;

  constructor(host: SchedulerHost) {
    this.#host = host;
    this.#files = new FileChanges({
      clock: host.clock,
      watch: host.watchFiles,
      changed: (cwd, paths, until) => this.#do(() => this.#filesChanged(cwd, paths, until)),
      failed: (cwd, message) => host.tell({ type: "fault", cwd, message }),
    });
  }

  /** Resolves when what was missed is told, and files are watched. */
  async start(): Promise<void> {
    this.#unlisten = this.#host.listen(() => {
      this.#gathering ??= this.#host.clock.after(GATHER_MS, () => {
        this.#gathering = undefined;
        this.#do(async () => {
          this.#read();
          await this.#look(false);
        });
      });
    });
    this.#since = this.#host.clock.now();
    this.#read();
    await this.#look(true);
  }

  /** Idempotent. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#unset?.();
    this.#gathering?.();
    this.#unlisten?.();
    await this.#files.close();
    await Promise.allSettled(this.#doing);
  }

  /** The schedules as they are kept now. */
  #read(): void {
    const before = this.#known;
    this.#known = new Map();
    for (const schedule of this.#host.schedules.list()) {
      const known = before.get(nameOf(schedule));
      const isSame = known !== undefined && JSON.stringify(known.schedule) === JSON.stringify(schedule);
      this.#note(schedule, isSame ? known : undefined);
    }
  }
  #note(schedule: Schedule, known?: Known): void {
    const next = schedule.off === null ? nextTime(schedule.on.times, schedule.seen) : null;
    this.#known.set(nameOf(schedule), known ?? { schedule, next });
  }

  /** Whatever is due is decided, one after the other. `all`: also what only a look can tell. */
  async #look(all: boolean): Promise<void> {
    const now = this.#host.clock.now();
    const wasSetBack = now < this.#before - LONGEST_SLEEP_MS;
    this.#before = now;
    if (wasSetBack) this.#since = now;
    for (const { schedule, next } of [...this.#known.values()]) {
      if (this.#stopped) return;
      const isDue = next !== null && next <= now;
      if (schedule.off === null && (all || wasSetBack || isDue))
        await this.#tryToDecide(schedule, { type: "time came" }, isDue || schedule.on.missed === "run" || "not yet");
    }
    this.#files.again();
    await this.#files.watch([...this.#known.values()].map(({ schedule }) => schedule));
    this.#arm();
  }

  #arm(): void {
    this.#unset?.();
    if (this.#stopped) return;
    const { clock } = this.#host;
    let first = clock.now() + LONGEST_SLEEP_MS;
    // What is still due after a look could not be decided (I5).
    for (const { next } of this.#known.values()) if (next !== null && next > this.#before && next < first) first = next;
    this.#unset = clock.after(Math.max(0, first - clock.now()), () => this.#do(() => this.#look(false)));
  }

  #fault(cwd: string, error: unknown): false {
    this.#host.tell({ type: "fault", cwd, message: troupeError(error).message });
    return false;
  }
  /** Of what it does nothing is lost: a fault is told, and the next look comes. */
  #do(act: () => Promise<void>): void {
    if (this.#stopped) return;
    const doing = act().catch((error: unknown) => {
      this.#fault("", error);
      this.#arm();
    });
    this.#doing.add(doing);
    void doing.finally(() => this.#doing.delete(doing));
  }

  async #filesChanged(cwd: string, changed: ReadonlyMap<string, number>, until: number): Promise<void> {
    const all = this.#host.schedules.list();
    let isDecided = true;
    for (const schedule of all) {
      if (this.#stopped || schedule.cwd !== cwd || schedule.off !== null) continue;
      const files = this.#files.meant(schedule, [...changed.keys()]).map((path): FileHeard => {
        const at = changed.get(path) ?? 0;
        return { path, at, run: workingAt(all, { cwd, at }, this.#host.runs) };
      });
      const event = { type: "files changed", files, until } as const;
      if (files.length > 0) isDecided = (await this.#tryToDecide(schedule, event, true)) && isDecided;
    }
    if (!isDecided) this.#files.keep(cwd, changed, until);
  }

  #tryToDecide(place: Schedule, event: ScheduleEvent, starts: true | "not yet"): Promise<boolean> {
    const failed = (error: unknown): boolean => this.#fault(place.cwd, error);
    return this.#decide(place, event, starts).then(() => true, failed);
  }
  /** What it rests on is looked at first (I2). `starts`: whether it may start a run. */
  async #decide(place: Schedule, event: ScheduleEvent, starts: true | "not yet"): Promise<void> {
    const { whyOff, schedules, newRun } = this.#host;
    const found = await whyOff(place);
    const off = starts === "not yet" && found?.why === "not there" ? null : found;
    const run = newRun();
    const decision = await schedules.change(place, (kept, who) => {
      // Enabled anew, or disabled, by another process meanwhile: that one was looked at by nobody yet.
      if (kept === null || kept.enabledAt !== place.enabledAt) return { schedule: kept, answer: null };
      const made = decide(kept, off === null ? event : { type: "turned off", ...off }, this.#facts(run, who));
      return { schedule: made.schedule, answer: made };
    });
    if (decision === null) return;
    this.#take(decision);
    if (decision.start !== null) this.#begin({ ...decision.start, schedule: decision.schedule });
  }
  #take({ schedule, news }: Decision): void {
    const { cwd, workflow } = schedule;
    this.#note(schedule);
    for (const one of news)
      this.#host.tell(
        "why" in one ? { type: "off", cwd, workflow, off: one } : { type: "deed", cwd, workflow, deed: one },
      );
  }
  #facts(run: string, { self, isAlive }: Changing): Facts {
    const { runs, clock } = this.#host;
    const isFull = this.#live.size >= MOST_RUNS;
    return { now: clock.now(), since: this.#since, self, isAlive, run, isFull, stand: (of) => standOf(runs, of) };
  }

  /** Not waited for: the next time may be due. */
  #begin(start: ToStart): void {
    const { run, schedule } = start;
    const { cwd, workflow } = schedule;
    this.#live.add(run);
    const begun = async (): Promise<void> => {
      let event: ScheduleEvent = { type: "begun", run };
      try {
        const { ended } = await this.#host.begin(start);
        void ended
          .then((status) => this.#host.tell({ type: "ended", cwd, workflow, run, status }))
          .finally(() => this.#live.delete(run));
      } catch (error) {
        this.#live.delete(run);
        const { code, message, details } = troupeError(error);
        event = { type: "not begun", run, fault: { code, message } };
        if (code === "USER.SCHEDULE.CHANGED") {
          const { files = [] } = details as { files?: string[] };
          await this.#record(schedule, { type: "turned off", why: "changed", files });
        }
      }
      await this.#record(schedule, event);
    };
    const doing = begun().catch((error: unknown) => this.#fault(cwd, error));
    this.#doing.add(doing);
    void doing.finally(() => this.#doing.delete(doing));
  }
  async #record(place: SchedulePlace, event: ScheduleEvent): Promise<void> {
    const decision = await this.#host.schedules.change(place, (kept, who) => {
      if (kept === null) return { schedule: null, answer: null };
      const made = decide(kept, event, this.#facts("", who));
      return { schedule: made.schedule, answer: made };
    });
    if (decision !== null) this.#take(decision);
  }
}
