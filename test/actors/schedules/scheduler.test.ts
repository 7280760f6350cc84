/** `actors/schedules/scheduler.ts`: several processes over one store, clocks that jump, crashes, many schedules. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ScheduleNews } from "../../../actors/api/schedules.ts";
import type { RunAbout } from "../../../actors/host/reads.ts";
import type { FileHeard, Globs } from "../../../actors/schedules/file-watch.ts";
import { LONGEST_SLEEP_MS, MOST_RUNS, Scheduler, type ToStart } from "../../../actors/schedules/scheduler.ts";
import type { Schedule } from "../../../machines/schedule/schedule.ts";
import { type Actor, EmbeddedStage, OWNING_STAGES, rest, type Stage } from "../../support/host.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe.each(OWNING_STAGES)("%s", (_, stageOf) => {
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

  type Off = { why: "changed" | "not there"; files: string[] };
  type Process = {
    actor: Actor;
    scheduler: Scheduler;
    begun: ToStart[];
    news: ScheduleNews[];
    /** As the file system would say it. */
    change(cwd: string, ...paths: string[]): void;
    /** Another process has written. */
    hear(): void;
    watched: { cwd: string; globs: readonly Globs[] }[];
    why: { off: Off | null; fails: Error | null; dies: boolean };
  };
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
      whyOff: async () => one.why.off,
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

  test("a time comes, and its run is begun, once a minute", async () => {
    await enabled(schedule("a"));
    const one = await serve();
    await pass(MINUTE);
    expect(started(one)).toEqual(["a"]);
    end("r1");
    for (const run of runs.keys()) end(run);
    await pass(MINUTE);
    expect(started(one)).toEqual(["a", "a"]);
    await one.scheduler.stop();
  });

  test("I1: of two processes one starts each of fifty, and all are started", async () => {
    await enabled(...Array.from({ length: 50 }, (__, n) => schedule(`w${n}`)));
    const [one, two] = [await serve(), await serve()];
    await pass(MINUTE);
    expect([...started(one), ...started(two)].sort()).toEqual(Array.from({ length: 50 }, (__, n) => `w${n}`).sort());
    await Promise.all([one.scheduler.stop(), two.scheduler.stop()]);
  });

  test("I2: what has changed is turned off and told, and starts nothing any more", async () => {
    const actor = await enabled(schedule("a"));
    const one = await serve();
    one.why.off = { why: "changed", files: ["/repo/a.sh"] };
    await pass(MINUTE);
    one.why.off = null;
    await pass(3 * MINUTE);
    expect({ begun: started(one), said: said(one) }).toEqual({ begun: [], said: ["off: changed"] });
    expect(actor.host.schedules.list()[0]?.off).toMatchObject({ why: "changed", files: ["/repo/a.sh"] });
    await one.scheduler.stop();
  });

  test("I2: what has changed while nothing served is told when serving begins, before its time", async () => {
    const actor = await enabled(schedule("a", { times: [{ cron: "0 6 * * *", zone: "UTC" }] }));
    const one = await serve({ why: "changed", files: ["/repo/roles/a.md"] });
    expect(said(one)).toEqual(["off: changed"]);
    expect(actor.host.schedules.list()[0]?.off).toMatchObject({ files: ["/repo/roles/a.md"] });
    await one.scheduler.stop();
  });

  test("I2: a directory that is not there when serving begins may come before its time", async () => {
    await enabled(schedule("a"));
    const one = await serve({ why: "not there", files: [] });
    expect(said(one)).toEqual([]);
    one.why.off = null;
    await pass(MINUTE);
    expect(started(one)).toEqual(["a"]);
    await one.scheduler.stop();
  });

  test("I3: a clock set forward misses times, which are told once; set back it repeats none, which is told too", async () => {
    await enabled(schedule("a", { times: [{ cron: "0 * * * *", zone: "UTC" }] }));
    const one = await serve();
    stage.clock.jump(5 * HOUR + 10 * MINUTE);
    await pass(LONGEST_SLEEP_MS);
    expect({ begun: started(one), said: said(one) }).toEqual({ begun: [], said: ["missed"] });
    expect(one.news).toMatchObject([{ deed: { type: "missed", served: true } }]);
    stage.clock.jump(-3 * HOUR);
    await pass(3 * HOUR - MINUTE);
    expect({ begun: started(one), said: said(one) }).toEqual({ begun: [], said: ["missed", "clock set back"] });
    await pass(HOUR);
    expect(started(one)).toEqual(["a"]);
    await one.scheduler.stop();
  });

  test("while nobody served, times are missed: told once by the first that serves", async () => {
    await enabled(schedule("a"), schedule("b", { missed: "run" }));
    stage.clock.advance(10 * MINUTE + 1_000);
    const one = await serve();
    await rest();
    const [two] = [await serve()];
    // One that is due within the last minute is run.
    expect(said(one).sort()).toEqual(["missed", "started", "started"]);
    expect(one.news.flatMap((news) => (news.type === "deed" && "served" in news.deed ? [news] : []))).toEqual([]);
    expect(one.begun.map(({ schedule: { workflow }, cause }) => `${workflow} ${cause.type}`).sort()).toEqual([
      "a time",
      "b missed",
    ]);
    expect(said(two)).toEqual([]);
    await Promise.all([one.scheduler.stop(), two.scheduler.stop()]);
  });

  test("killed between its decision and the run: told by the next process, and not run", async () => {
    await enabled(schedule("a"));
    const one = await serve();
    one.why.dies = true;
    await pass(MINUTE);
    expect({ begun: started(one), said: said(one) }).toEqual({ begun: [], said: ["started"] });
    one.actor.crash();
    const two = await serve();
    await rest();
    expect({ begun: started(two), said: said(two) }).toEqual({ begun: [], said: ["cut off"] });
    const three = await serve();
    expect(said(three)).toEqual([]);
    await Promise.all([two.scheduler.stop(), three.scheduler.stop()]);
  });

  test("a run that could not begin says why, and the next time comes", async () => {
    const actor = await enabled(schedule("a"));
    const one = await serve();
    one.why.fails = new Error("no program");
    await pass(MINUTE);
    one.why.fails = null;
    await pass(MINUTE);
    expect(said(one)).toEqual(["started", "not begun", "started"]);
    expect(actor.host.schedules.list()[0]?.deeds.map(({ type }) => type)).toEqual(["started", "not begun"]);
    await one.scheduler.stop();
  });

  test("what another process enables or disables counts from then on", async () => {
    const actor = await enabled();
    const one = await serve();
    await keep(actor, schedule("a"));
    one.hear();
    await pass(MINUTE);
    expect(started(one)).toEqual(["a"]);
    for (const run of runs.keys()) end(run);
    await keep(actor, { ...schedule("a"), off: { at: 0, why: "disabled", files: [] } });
    await pass(5 * MINUTE); // not even heard of: the decision is made on what is kept
    expect(started(one)).toEqual(["a"]);
    await one.scheduler.stop();
  });

  test("changed files are gathered, and start one run with their paths", async () => {
    await enabled(
      schedule("a", { times: [], files }),
      schedule("b", { times: [], files: { ...files, paths: ["docs/**"] } }),
    );
    const one = await serve();
    expect(one.watched).toEqual([{ cwd: "/repo", globs: [files, { paths: ["docs/**"], ignore: [] }] }]);
    stage.clock.advance(1);
    one.change("/repo", "src/x", "src/y");
    stage.clock.advance(500);
    one.change("/repo", "src/x", "other");
    stage.clock.advance(999);
    await rest();
    expect(one.begun).toEqual([]);
    stage.clock.advance(1);
    await rest();
    expect(one.begun.map(({ schedule: { workflow }, paths }) => ({ workflow, paths }))).toEqual([
      { workflow: "a", paths: ["src/x", "src/y"] },
    ]);
    await one.scheduler.stop();
  });

  test("what a run changes itself starts nothing, also nothing of another schedule, nor in another process", async () => {
    await enabled(schedule("a", { times: [], files, overlap: "allow" }), schedule("b", { times: [], files }));
    const [one, two] = [await serve(), await serve()];
    stage.clock.advance(10);
    one.change("/repo", "src/x");
    await pass(1_000);
    expect(started(one).sort()).toEqual(["a", "b"]);
    for (const each of [one, two]) each.change("/repo", "src/made");
    await pass(1_000);
    for (const run of runs.keys()) end(run);
    stage.clock.advance(1_000);
    for (const each of [one, two]) each.change("/repo", "src/late");
    await pass(5_000);
    expect([started(one).length, started(two).length]).toEqual([2, 0]);
    stage.clock.advance(MINUTE);
    one.change("/repo", "src/x");
    await pass(1_000);
    expect(started(one)).toHaveLength(4);
    await Promise.all([one.scheduler.stop(), two.scheduler.stop()]);
  });

  test("a process has so many runs at a time, and says what it leaves out", async () => {
    await enabled(...Array.from({ length: MOST_RUNS + 3 }, (__, n) => schedule(`w${n}`)));
    const one = await serve();
    await pass(MINUTE);
    expect(started(one)).toHaveLength(MOST_RUNS);
    expect(said(one).filter((word) => word === "skipped")).toHaveLength(3);
    await one.scheduler.stop();
  });

  test("I4: stopped, it starts nothing", async () => {
    await enabled(schedule("a"));
    const one = await serve();
    await one.scheduler.stop();
    await pass(5 * MINUTE);
    expect(one.begun).toEqual([]);
  });
});

test("a thousand schedules cost no more while nothing is due", async () => {
  const stage = new EmbeddedStage();
  const { host } = stage.enter();
  const now = stage.clock.now();
  for (let n = 0; n < 1_000; n++) {
    const one: Schedule = {
      ...{ cwd: `/repo${n}`, workflow: "w", files: [], off: null, deeds: [], enabledAt: now, seen: now, heard: now },
      on: { times: [{ cron: "0 6 * * *", zone: "UTC" }], files: null, missed: "tell", overlap: "skip", inputs: {} },
    };
    await host.schedules.change(one, () => ({ schedule: one, answer: undefined }));
  }
  let changes = 0;
  const scheduler = new Scheduler({
    schedules: {
      list: () => host.schedules.list(),
      change: (...asked) => {
        changes++;
        return host.schedules.change(...asked);
      },
    },
    runs: { find: () => undefined },
    clock: stage.clock,
    newRun: () => "r",
    whyOff: async () => null,
    begin: async () => ({ ended: new Promise(() => undefined) }),
    listen: () => () => undefined,
    watchFiles: async () => async () => undefined,
    tell: () => undefined,
  });
  await scheduler.start();
  const looked = changes;
  for (let n = 0; n < 20; n++) {
    stage.clock.advance(LONGEST_SLEEP_MS);
    await rest();
  }
  expect([looked, changes - looked]).toEqual([1_000, 0]);
  await scheduler.stop();
  await stage.close();
});

test("what fails for one schedule is told, holds up no other one, and is tried again with the next look", async () => {
  const stage = new EmbeddedStage();
  const { host } = stage.enter();
  const now = stage.clock.now();
  for (const cwd of ["/broken", "/whole"]) {
    const one: Schedule = {
      ...{ cwd, workflow: "w", files: [], off: null, deeds: [], enabledAt: now, seen: now, heard: now },
      on: { times: [{ cron: "* * * * *", zone: "UTC" }], files: null, missed: "tell", overlap: "skip", inputs: {} },
    };
    await host.schedules.change(one, () => ({ schedule: one, answer: undefined }));
  }
  let isFull = false;
  const news: ScheduleNews[] = [];
  const begun: string[] = [];
  const scheduler = new Scheduler({
    schedules: {
      list: () => host.schedules.list(),
      change: async (place, act) => {
        if (isFull && place.cwd === "/broken") throw new Error("the disk is full");
        return await host.schedules.change(place, act);
      },
    },
    runs: { find: () => undefined },
    clock: stage.clock,
    newRun: () => "r",
    whyOff: async () => null,
    begin: async ({ schedule }) => {
      begun.push(schedule.cwd);
      return { ended: new Promise(() => undefined) };
    },
    listen: () => () => undefined,
    watchFiles: async () => async () => undefined,
    tell: (one) => news.push(one),
  });
  await scheduler.start();
  isFull = true;
  stage.clock.advance(MINUTE);
  for (let n = 0; n < 20; n++) {
    await rest();
    stage.clock.advance(0);
  }
  const faults = () => news.filter(({ type }) => type === "fault");
  expect([begun, faults()]).toEqual([["/whole"], [{ type: "fault", cwd: "/broken", message: "the disk is full" }]]);
  isFull = false;
  stage.clock.advance(LONGEST_SLEEP_MS);
  for (let n = 0; n < 3; n++) await rest();
  expect([begun.includes("/broken"), faults().length]).toEqual([true, 1]);
  await scheduler.stop();
  await stage.close();
});
