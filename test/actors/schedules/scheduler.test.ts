/** `actors/schedules/scheduler.ts`: several processes over one store, clocks that jump, crashes. */
import { describe, expect, test } from "vitest";
import { LONGEST_SLEEP_MS, MOST_RUNS } from "../../../actors/schedules/scheduler.ts";
import { OWNING_STAGES, rest } from "../../support/host.ts";
import { scheduling } from "./scheduling.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe.each(OWNING_STAGES)("%s", (_, stageOf) => {
  const scene = scheduling(stageOf);
  const { serve, end, schedule, keep, enabled, pass, started, said, files } = scene;

  test("a time comes, and its run is begun, once a minute", async () => {
    await enabled(schedule("a"));
    const one = await serve();
    await pass(MINUTE);
    expect(started(one)).toEqual(["a"]);
    end("r1");
    for (const run of scene.runs.keys()) end(run);
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
    scene.stage.clock.jump(5 * HOUR + 10 * MINUTE);
    await pass(LONGEST_SLEEP_MS);
    expect({ begun: started(one), said: said(one) }).toEqual({ begun: [], said: ["missed"] });
    expect(one.news).toMatchObject([{ deed: { type: "missed", served: true } }]);
    scene.stage.clock.jump(-3 * HOUR);
    await pass(3 * HOUR - MINUTE);
    expect({ begun: started(one), said: said(one) }).toEqual({ begun: [], said: ["missed", "clock set back"] });
    await pass(HOUR);
    expect(started(one)).toEqual(["a"]);
    await one.scheduler.stop();
  });

  test("while nobody served, times are missed: told once by the first that serves", async () => {
    await enabled(schedule("a"), schedule("b", { missed: "run" }));
    scene.stage.clock.advance(10 * MINUTE + 1_000);
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
    for (const run of scene.runs.keys()) end(run);
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
    scene.stage.clock.advance(1);
    one.change("/repo", "src/x", "src/y");
    scene.stage.clock.advance(500);
    one.change("/repo", "src/x", "other");
    scene.stage.clock.advance(999);
    await rest();
    expect(one.begun).toEqual([]);
    scene.stage.clock.advance(1);
    await rest();
    expect(one.begun.map(({ schedule: { workflow }, paths }) => ({ workflow, paths }))).toEqual([
      { workflow: "a", paths: ["src/x", "src/y"] },
    ]);
    await one.scheduler.stop();
  });

  test("a file that changes while those before it are looked at starts a run as well", async () => {
    await enabled(schedule("a", { times: [], files, overlap: "allow" }));
    const one = await serve();
    const look = Promise.withResolvers<void>();
    one.why.looked = look.promise;
    scene.stage.clock.advance(1);
    one.change("/repo", "src/x");
    scene.stage.clock.advance(1_000);
    await rest();
    scene.stage.clock.advance(10);
    one.change("/repo", "src/y");
    scene.stage.clock.advance(10);
    look.resolve();
    await pass(1_000);
    expect(one.begun.map(({ paths }) => paths)).toEqual([["src/x"], ["src/y"]]);
    await one.scheduler.stop();
  });

  test("what a run changes itself starts nothing, also nothing of another schedule, nor in another process", async () => {
    await enabled(schedule("a", { times: [], files, overlap: "allow" }), schedule("b", { times: [], files }));
    const [one, two] = [await serve(), await serve()];
    scene.stage.clock.advance(10);
    one.change("/repo", "src/x");
    await pass(1_000);
    expect(started(one).sort()).toEqual(["a", "b"]);
    for (const each of [one, two]) each.change("/repo", "src/made");
    await pass(1_000);
    for (const run of scene.runs.keys()) end(run);
    scene.stage.clock.advance(1_000);
    for (const each of [one, two]) each.change("/repo", "src/late");
    await pass(5_000);
    expect([started(one).length, started(two).length]).toEqual([2, 0]);
    scene.stage.clock.advance(MINUTE);
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
