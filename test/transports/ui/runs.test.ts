/** What the UI reads: the runs that are looked at, and records when there is news. */
import { of, throwError } from "rxjs";
import { expect, it } from "vitest";
import type { Troupe } from "../../../actors/troupe.ts";
import { Runs } from "../../../transports/ui/runs.ts";
import type { UiStage } from "../../../transports/ui/view.ts";
import { RunsView } from "../../../transports/ui/views/runs-view.ts";
import { Log, output, runCompleted, runStarted, stepStarted } from "../../projections/terminal/rows.ts";
import { record, stage } from "./runs-stage.ts";

it("I1 follows of a thousand runs what is looked at, and no more", async () => {
  const { runs, counts, pass } = stage(Array.from({ length: 1_000 }, (_, index) => record(`r${index}`)));
  await runs.load(1_000);
  const looked = (from: number) => runs.look(runs.records.slice(from, from + 20).map(({ id }) => id));
  looked(0);
  await pass();
  expect(counts.open).toBe(20);
  looked(500);
  looked(500);
  await pass();
  expect([counts.open, counts.opened]).toEqual([20, 40]);
  runs.close();
  expect(counts.open).toBe(0);
});

it("lists a run that waits however many have ended after it", async () => {
  const ended = Array.from({ length: 300 }, (_, index) => record(`r${index}`, { status: "completed", endedAt: 1 }));
  const { runs } = stage([...ended, record("old", { status: "parked" })]);
  await runs.load();
  expect([runs.records.length, runs.records.some(({ id }) => id === "old")]).toEqual([51, true]);
  runs.close();
});

it("I2 reads records anew when there is news, once for all that come together", async () => {
  const { runs, counts, news, pass } = stage([record("a")]);
  await runs.load();
  for (let n = 0; n < 1_000; n++) news();
  expect(counts.history.length).toBe(1);
  await pass();
  expect(counts.history.length).toBe(2);
  await pass();
  expect(counts.history.length).toBe(2);
});

it("I2 looks once a second for what others write, and at once after a key", async () => {
  const { runs, counts, news, pass } = stage([record("a")]);
  news();
  await pass(250);
  expect(counts.history.length).toBe(1);
  for (let n = 0; n < 40; n++) news();
  await pass(250);
  expect(counts.history.length).toBe(1);
  runs.soon();
  await pass(250);
  expect(counts.history.length).toBe(2);
  news();
  await pass(250);
  expect(counts.history.length).toBe(2);
  await pass(1_000);
  await pass(250);
  expect(counts.history.length).toBe(3);
});

it("rings once for each question", async () => {
  const { runs, counts, records } = stage([record("a")]);
  await runs.load();
  expect(counts.rings).toBe(0);
  const question = { input: "i", run: "a", step: "x", prompt: "", said: "" };
  records[0] = record("a", { status: "parked", questions: [question] });
  await runs.load();
  await runs.load();
  expect(counts.rings).toBe(1);
  records[0] = record("a", { status: "parked", questions: [{ ...question, input: "j" }] });
  await runs.load();
  expect(counts.rings).toBe(2);
});

it("keeps the end of a run that is over, and reads no further", async () => {
  const log = new Log();
  const rows = [log.row(runStarted()), log.row(runCompleted())];
  let subscribed = 0;
  const troupe = {
    history: async () => [],
    watchRuns: () => () => undefined,
    log: async () => ({
      record: record("r1", { lastSeq: 2 }),
      log$: () => {
        subscribed += 1;
        return of(rows);
      },
    }),
  } as unknown as Troupe;
  const options = { canvas: { later: () => () => undefined }, changed: () => undefined, rings: () => undefined };
  const runs = new Runs({ troupe, ...options, failed: () => undefined });
  runs.look(["r1"]);
  await new Promise((resolve) => setImmediate(resolve));
  runs.look([]);
  runs.look(["r1"]);
  await new Promise((resolve) => setImmediate(resolve));
  expect([runs.screenOf("r1")?.end?.status, subscribed]).toEqual(["completed", 1]);
});

it("I3 a log that failed is followed again with the next reading, not before", async () => {
  const log = new Log();
  let tries = 0;
  const troupe = {
    history: async () => [record("r1")],
    watchRuns: () => () => undefined,
    log: async () => {
      tries += 1;
      if (tries === 1) throw new Error("no log");
      return {
        record: record("r1"),
        log$: () =>
          tries === 2 ? throwError(() => new Error("gap")) : of([log.row(runStarted()), log.row(stepStarted("a"))]),
      };
    },
  } as unknown as Troupe;
  const said: string[] = [];
  const options = { canvas: { later: () => () => undefined }, changed: () => undefined, rings: () => undefined };
  const runs = new Runs({ troupe, ...options, failed: (error) => said.push((error as Error).message) });
  const look = async () => {
    runs.look(["r1"]);
    runs.look(["r1"]);
    await new Promise((resolve) => setImmediate(resolve));
    return [tries, runs.screenOf("r1")?.fold.roots.length];
  };
  await look();
  expect([await look(), said]).toEqual([[1, 0], ["no log"]]);
  await runs.load();
  await look();
  expect([await look(), said]).toEqual([
    [2, 0],
    ["no log", "gap"],
  ]);
  await runs.load();
  expect(await look()).toEqual([3, 1]);
});

it("says whether there is more than text, once for what comes together", async () => {
  const log = new Log();
  const batches = [
    [log.row(runStarted()), log.row(stepStarted("a")), log.row(output("a", 0, "x"))],
    [log.row(output("a", 1, "y")), log.live(output("a", 2, "z"))],
  ];
  const troupe = {
    watchRuns: () => () => undefined,
    log: async () => ({ record: record("r1"), log$: () => of(...batches) }),
  } as unknown as Troupe;
  const said: string[] = [];
  const options = { canvas: { later: () => () => undefined }, rings: () => undefined, failed: () => undefined };
  const runs = new Runs({ troupe, ...options, changed: (what) => said.push(what) });
  runs.look(["r1"]);
  await new Promise((resolve) => setImmediate(resolve));
  expect(said).toEqual(["news", "text"]);
});

it("words are looked for in runs that are not listed yet, and where none is found it says how far was looked", async () => {
  const ended = (name: string, id: string) => record(id, { workflow: name, status: "completed", endedAt: 1 });
  const many = Array.from({ length: 2_000 }, (_, index) => ended(index === 600 ? "rare" : "demo", `r${index}`));
  const { runs } = stage(many);
  await runs.load();
  const work: Promise<unknown>[] = [];
  const view = new RunsView(
    runs,
    { doing: (one: Promise<unknown>) => work.push(one) } as unknown as UiStage,
    {} as never,
  );
  const shown = async (words: string): Promise<string> => {
    for (const key of ["escape", "/", ...words]) view.press(key);
    await Promise.all(work);
    return view.lines({ width: 80, height: 20, now: 0, colours: false }).join("\n");
  };
  expect(await shown("rare")).toContain("❯ ✓ rare");
  expect(await shown("none")).toContain("None of the last 1000 runs is so called.");
  many.length = 900;
  await runs.load();
  expect(await shown("none")).toContain("No run is so called.");
  runs.close();
});

it("the last of all runs is gone to, also where the list has not been read so far", async () => {
  const many = Array.from({ length: 1_230 }, (_, index) => record(`r${index}`, { status: "completed", endedAt: 1 }));
  const { runs } = stage(many);
  await runs.load();
  const work: Promise<unknown>[] = [];
  const view = new RunsView(
    runs,
    { doing: (one: Promise<unknown>) => work.push(one), redraw: () => undefined } as unknown as UiStage,
    {} as never,
  );
  const place = { width: 80, height: 20, now: 0, colours: false };
  view.lines(place);
  view.press("G");
  await Promise.all(work);
  expect(view.lines(place).findIndex((line) => line.startsWith("❯"))).toBe(19);
  expect([runs.records.length, view.right().at(-1)]).toEqual([1_230, "1230 runs"]);
  view.press("g");
  expect(view.lines(place)[0]).toMatch(/^❯/);
  // What was read to its end is not read so far with all news to come.
  await runs.load();
  expect([runs.records.length, view.lines(place)[0]]).toEqual([50, expect.stringMatching(/^❯/)]);
  runs.close();
});

it("a key that comes while the list is read decides where one is", async () => {
  const many = Array.from({ length: 300 }, (_, index) => record(`r${index}`, { status: "completed", endedAt: 1 }));
  const { runs } = stage(many);
  await runs.load();
  const work: Promise<unknown>[] = [];
  const view = new RunsView(
    runs,
    { doing: (one: Promise<unknown>) => work.push(one), redraw: () => undefined } as unknown as UiStage,
    {} as never,
  );
  const place = { width: 80, height: 20, now: 0, colours: false };
  view.lines(place);
  view.press("end");
  view.press("g");
  await Promise.all(work);
  expect(view.lines(place)[0]).toMatch(/^❯/);
  runs.close();
});

it("a run that was just begun is the chosen one as soon as it is read, unless another one is chosen meanwhile", async () => {
  const { runs, records } = stage([record("old", { workflow: "old" })]);
  await runs.load();
  const view = new RunsView(runs, { redraw: () => undefined } as unknown as UiStage, {} as never);
  const chosen = () =>
    view.lines({ width: 80, height: 20, now: 0, colours: false }).find((line) => line.startsWith("❯"));
  const begin = (workflow: string) => {
    chosen();
    view.choose(workflow);
    records.unshift(record(workflow, { workflow }));
  };
  begin("new");
  expect(chosen()).toContain("old");
  await runs.load();
  expect(chosen()).toContain("new");
  begin("newer");
  view.press("down");
  await runs.load();
  expect(chosen()).toContain("old");
  runs.close();
});
