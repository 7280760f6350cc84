/** Schedules and the processes that serve them, over one store that is made anew for each test. */
import { afterEach, beforeEach } from "vitest";
import type { ScheduleNews } from "../../../actors/api/schedules.ts";
import type { RunAbout } from "../../../actors/host/reads.ts";
import type { FileHeard, Globs } from "../../../actors/schedules/file-watch.ts";
import { LONGEST_SLEEP_MS, Scheduler, type ToStart } from "../../../actors/schedules/scheduler.ts";
import type { Schedule } from "../../../machines/schedule/schedule.ts";
import { type Actor, rest, type Stage } from "../../support/host.ts";

type Off = { why: "changed" | "not there"; files: string[] };
export type Process = {
  actor: Actor;
  scheduler: Scheduler;
  begun: ToStart[];
  news: ScheduleNews[];
  /** As the file system would say it. */
  change(cwd: string, ...paths: string[]): void;
  /** Another process has written. */
  hear(): void;
  watched: { cwd: string; globs: readonly Globs[] }[];
  why: { off: Off | null; fails: Error | null; dies: boolean; looked?: Promise<void> };
};

/** To be called where tests are declared: what it makes is good within a test. */
export function scheduling(stageOf: () => Stage) {
  let stage: Stage;
  /** How runs are that were begun, in whatever process. */
  let runs: Map<string, Pick<RunAbout, "stands" | "end" | "of"> & { begun: boolean }>;
  let ids: number;
  beforeEach(() => {
    stage = stageOf();
    runs = new Map();
    ids = 0;
  });
  afterEach(() => stage.close());

  async function serve(off: Off | null = null): Promise<Process> {
    const actor = stage.enter();
    const watchers = new Map<string, FileHeard>();
    let hear = (): void => undefined;
    const one: Omit<Process, "scheduler"> = {
      ...{ actor, begun: [], news: [], watched: [], why: { off, fails: null, dies: false } },
      change: (cwd, ...paths) => {
        for (const path of paths) watchers.get(cwd)?.changed(path);
      },
      hear: () => hear(),
    };
    const scheduler = new Scheduler({
      schedules: actor.host.schedules,
      runs: { find: (run) => runs.get(run) as RunAbout | undefined },
      clock: stage.clock,
      newRun: () => `r${++ids}`,
      whyOff: async () => {
        await one.why.looked;
        return one.why.off;
      },
      begin: async (start) => {
        if (one.why.fails !== null) throw one.why.fails;
        if (one.why.dies) await new Promise(() => undefined);
        one.begun.push(start);
        runs.set(start.run, { stands: "running", end: null, of: null, begun: true });
        return { ended: new Promise(() => undefined) };
      },
      listen: (changed) => {
        hear = changed;
        return () => undefined;
      },
      watchFiles: async (cwd, globs, heard) => {
        watchers.set(cwd, heard);
        one.watched.push({ cwd, globs });
        return async () => void watchers.delete(cwd);
      },
      tell: (news) => one.news.push(news),
    });
    await scheduler.start();
    return { ...one, scheduler };
  }
  const end = (run: string): void => {
    const at = stage.clock.now();
    runs.set(run, { stands: "completed", end: { at } as RunAbout["end"], of: null, begun: true });
  };
  const schedule = (workflow: string, on: Partial<Schedule["on"]> = {}): Schedule => ({
    ...{ cwd: "/repo", workflow, files: [{ path: `/repo/${workflow}.yaml`, digest: "d" }], off: null, deeds: [] },
    on: {
      times: [{ cron: "* * * * *", zone: "UTC" }],
      files: null,
      missed: "tell",
      overlap: "skip",
      inputs: {},
      ...on,
    },
    ...{ enabledAt: stage.clock.now(), seen: stage.clock.now(), heard: stage.clock.now() },
  });
  const keep = (actor: Actor, one: Schedule): Promise<void> =>
    actor.host.schedules.change(one, () => ({ schedule: one, answer: undefined }));
  async function enabled(...all: Schedule[]): Promise<Actor> {
    const actor = stage.enter();
    for (const one of all) await keep(actor, one);
    return actor;
  }
  const pass = async (ms: number): Promise<void> => {
    for (let left = ms; left > 0; left -= Math.min(left, LONGEST_SLEEP_MS)) {
      stage.clock.advance(Math.min(left, LONGEST_SLEEP_MS));
      await rest();
      await rest();
    }
  };
  const started = ({ begun }: Process): string[] => begun.map(({ schedule: { workflow } }) => workflow);
  const said = ({ news }: Process): string[] =>
    news.map((one) => (one.type === "deed" ? one.deed.type : one.type === "off" ? `off: ${one.off.why}` : one.type));
  const files = { paths: ["src/**"], ignore: [] };

  return {
    get stage(): Stage {
      return stage;
    },
    get runs(): typeof runs {
      return runs;
    },
    ...{ serve, end, schedule, keep, enabled, pass, started, said, files },
  };
}
