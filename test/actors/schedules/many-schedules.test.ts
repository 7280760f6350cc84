/** Many schedules in one process: they cost little, and one that fails holds up no other. */
import { expect, test } from "vitest";
import type { ScheduleNews } from "../../../actors/api/schedules.ts";
import type { RunAbout } from "../../../actors/host/reads.ts";
import { QUIET_MS } from "../../../actors/schedules/file-changes.ts";
import { LONGEST_SLEEP_MS, Scheduler } from "../../../actors/schedules/scheduler.ts";
import type { Schedule } from "../../../machines/schedule/schedule.ts";
import { EmbeddedStage, rest } from "../../support/host.ts";

const MINUTE = 60_000;

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

test("a change that could not be decided for one schedule is tried again with the next look, with what came since (I5)", async () => {
  const stage = new EmbeddedStage();
  const { host } = stage.enter();
  const now = stage.clock.now();
  for (const workflow of ["broken", "whole"]) {
    const one: Schedule = {
      ...{ cwd: "/repo", workflow, files: [], off: null, deeds: [], enabledAt: now, seen: now, heard: now },
      on: { times: [], files: { paths: ["*"], ignore: [] }, missed: "tell", overlap: "allow", inputs: {} },
    };
    await host.schedules.change(one, () => ({ schedule: one, answer: undefined }));
  }
  let isFull = false;
  let change = (_path: string): void => undefined;
  const faults: string[] = [];
  const begun: string[] = [];
  const scheduler = new Scheduler({
    schedules: {
      list: () => host.schedules.list(),
      change: async (place, act) => {
        if (isFull && place.workflow === "broken") throw new Error("the disk is full");
        return await host.schedules.change(place, act);
      },
    },
    runs: { find: () => ({ stands: "completed", end: { at: now + MINUTE / 60 }, of: null }) as unknown as RunAbout },
    clock: stage.clock,
    newRun: () => "r",
    whyOff: async () => null,
    begin: async ({ schedule: { workflow }, paths }) => {
      begun.push(`${workflow} ${paths.join(",")}`);
      return { ended: new Promise(() => undefined) };
    },
    listen: () => () => undefined,
    watchFiles: async (_cwd, _globs, heard) => {
      change = (path) => heard.changed(path);
      return async () => undefined;
    },
    tell: (one) => one.type === "fault" && faults.push(one.message),
  });
  await scheduler.start();
  const comes = async (...paths: string[]): Promise<void> => {
    stage.clock.advance(MINUTE / 12);
    for (const path of paths) change(path);
    stage.clock.advance(QUIET_MS);
    for (let n = 0; n < 5; n++) await rest();
  };
  isFull = true;
  await comes("a");
  await comes("b");
  expect([begun, faults]).toEqual([
    ["whole a", "whole b"],
    ["the disk is full", "the disk is full"],
  ]);
  isFull = false;
  stage.clock.advance(LONGEST_SLEEP_MS);
  for (let n = 0; n < 5; n++) await rest();
  expect(begun.slice(2)).toEqual(["broken a,b"]);
  stage.clock.advance(LONGEST_SLEEP_MS);
  await rest();
  expect(begun.length).toBe(3);
  await scheduler.stop();
  await stage.close();
});
