/** The list of runs while words are typed that filter it. */
import { expect, it } from "vitest";
import type { RunRecord } from "../../../actors/troupe.ts";
import type { Deeds } from "../../../transports/ui/deeds.ts";
import type { Runs } from "../../../transports/ui/runs.ts";
import type { UiStage, UiView } from "../../../transports/ui/view.ts";
import { RunsView } from "../../../transports/ui/views/runs-view.ts";

const PLACE = { width: 80, height: 9, now: 0, colours: false };
const record = (id: string, workflow: string) =>
  ({
    id,
    workflow,
    status: "completed",
    startedAt: 0,
    endedAt: 1,
    permissions: [],
    questions: [],
  }) as never as RunRecord;

function stage() {
  const records = [record("r1", "jog"), record("r2", "other"), record("r3", "jog"), record("r4", "jog")];
  const find = (id: string) => records.find((one) => one.id === id);
  const runs = { records, isCut: false, look: () => undefined, screenOf: () => null, find, fewer: () => undefined };
  const opened: UiView[] = [];
  const stage = {
    open: (view: UiView) => opened.push(view),
    doing: () => undefined,
    redraw: () => undefined,
  } as unknown as UiStage;
  const view = new RunsView(runs as unknown as Runs, stage, { press: () => false } as unknown as Deeds);
  const lines = () => view.lines(PLACE);
  const press = (...keys: string[]) => {
    for (const key of keys) view.press(key);
    return lines().find((line) => line.startsWith("❯")) ?? "";
  };
  return { view, press, lines, opened };
}

it("arrows choose among the runs that are left while words are typed; letters are words", () => {
  const { view, press, lines } = stage();
  expect(press("/", ..."jog", "down")).toContain("r3");
  expect([view.title(), lines().length]).toEqual(["troupe /jog▏", 3]);
  expect(press("end")).toContain("r4");
  expect(press("up")).toContain("r3");
  expect(press("home")).toContain("r1");
  expect([press("enter", "j").includes("r3"), press("G").includes("r4")]).toEqual([true, true]);
});

it("the words that filter are mended where they are, while home and end choose among the runs", () => {
  const { view, press } = stage();
  press("/", ..."jgg", "left", "backspace", "o");
  expect(view.title()).toBe("troupe /jo▏g");
  expect([press("end").includes("r4"), view.title()]).toEqual([true, "troupe /jo▏g"]);
  expect([press("enter").includes("r4"), view.title()]).toEqual([true, "troupe /jog"]);
  press("/", "ctrl-u", "delete", "backspace");
  expect(view.title()).toBe("troupe");
});

it("a click on the chosen run opens it, also while words are typed", () => {
  const { view, press, opened } = stage();
  press("/", ..."jog");
  view.point(2);
  expect([press().includes("r4"), opened.length]).toEqual([true, 0]);
  view.point(2);
  expect(opened.length).toBe(1);
});
