/** Words that are looked for: steps of a run, and lines of what a step wrote. */
import { of } from "rxjs";
import { expect, it } from "vitest";
import type { RunLog } from "../../../actors/troupe.ts";
import { Screen } from "../../../projections/screen/screen.ts";
import { uncoloured } from "../../../projections/terminal/width.ts";
import type { Deeds } from "../../../transports/ui/deeds.ts";
import type { Runs } from "../../../transports/ui/runs.ts";
import type { UiStage, UiView } from "../../../transports/ui/view.ts";
import { RunView } from "../../../transports/ui/views/run-view.ts";
import { StepView } from "../../../transports/ui/views/step-view.ts";
import { Log, runStarted, said, stepStarted } from "../../projections/terminal/rows.ts";

const PLACE = { width: 60, height: 3, now: 0 };
const heard: string[] = [];
const stage = { say: (text: string) => heard.push(text), redraw: () => undefined } as unknown as UiStage;
const keys = (view: UiView, ...pressed: string[]): void => {
  for (const key of pressed) view.press(key);
};

it("the next step that is so called is found each time, and the one before, around the end", () => {
  const log = new Log();
  const screen = new Screen("r1");
  for (const row of [runStarted(), ...["unit a", "lint", "unit b", "unit c"].map((name) => stepStarted(name))])
    screen.see(log.row(row));
  const runs = { look: () => undefined, screenOf: () => screen, find: () => undefined } as unknown as Runs;
  const view = new RunView("r1", runs, stage, { press: () => false } as unknown as Deeds);
  const chosen = () => view.lines({ ...PLACE, height: 9, colours: false }).find((line) => line.startsWith("❯"));
  const found = (...pressed: string[]): string => {
    keys(view, ...pressed);
    return /unit \w|lint/.exec(chosen() ?? "")?.[0] ?? "";
  };
  expect(found("/", ..."UNIT", "enter")).toBe("unit a");
  expect([found("/", "enter"), found("n"), found("n")]).toEqual(["unit b", "unit c", "unit a"]);
  expect([found("N"), found("N")]).toEqual(["unit c", "unit b"]);
  keys(view, "/", ..."unix b", "left", "left", "left");
  expect(view.title()).toContain("/uni▏x b");
  expect(found("delete", "t", "enter")).toBe("unit b");
  expect([found("/", ..."none", "enter"), heard.splice(0)]).toEqual(["unit b", ['no step is called "none"']]);
});

it("a run of one step is said to have one", () => {
  const screen = Object.defineProperty(new Screen("r1"), "progress", { value: { ended: 0, of: 1 } });
  const runs = { look: () => undefined, screenOf: () => screen, find: () => undefined } as unknown as Runs;
  expect(new RunView("r1", runs, stage, {} as Deeds).right()[0]).toBe("0 of 1 step");
});

it("what is seen of a step's words is found, down and up, and none of its colours", () => {
  const log = new Log();
  const text = `one\n\n**strong** words 7\n\n${"x\n\n".repeat(9)}two words 7\n\nend\n`;
  const rows = [log.row(runStarted()), log.row(stepStarted("a")), log.row(said("a", 0, text))];
  const of1 = { record: { id: "r1", firstSeq: 1 }, log$: () => of(rows) } as unknown as RunLog;
  const view = new StepView(of1, "a", stage);
  const top = (...pressed: string[]): string => {
    keys(view, ...pressed);
    return uncoloured(view.lines({ ...PLACE, colours: true })[0] ?? "").trim();
  };
  top();
  expect(top("/", ..."strong words", "enter")).toContain("strong words 7");
  keys(view, "/", ..."two words 7", "home", "delete", "ctrl-right");
  expect(view.title()).toBe("a /wo▏ words 7");
  expect([top("ctrl-w", "enter"), view.title()]).toEqual([expect.stringContaining("strong words"), "a / words 7"]);
  expect([top("/", ..."words 7", "enter"), top("n"), top("N")]).toEqual([
    expect.stringContaining("strong words"),
    expect.stringContaining("two words"),
    expect.stringContaining("strong words"),
  ]);
  top("N");
  top("/", ..."22m", "enter");
  expect(heard.splice(0)).toEqual(['"words 7" is not further up', 'no line has "22m"']);
});

it("what is found is shown inverse wherever it is seen, beside its colours, and not where none are wanted", () => {
  const log = new Log();
  const text = "one **strong** word\n\nStrong Words\n\nend\n";
  const rows = [log.row(runStarted()), log.row(stepStarted("a")), log.row(said("a", 0, text))];
  const of1 = { record: { id: "r1", firstSeq: 1 }, log$: () => of(rows) } as unknown as RunLog;
  const view = new StepView(of1, "a", stage);
  const shown = (colours: boolean): string => view.lines({ ...PLACE, height: 9, colours }).join("\n");
  const before = shown(true);
  keys(view, "/", ..."strong wor");
  // Two parts of one place: a colour ends in its midst.
  expect(shown(true)).toContain("\u001b[1m\u001b[7mstrong\u001b[27m\u001b[22m\u001b[7m wor\u001b[27md");
  expect(shown(true)).toContain("\u001b[7mStrong Wor\u001b[27mds");
  expect(uncoloured(shown(true))).toBe(uncoloured(before));
  expect(new StepView(of1, "a", stage).lines({ ...PLACE, height: 9, colours: false }).join("")).not.toContain("\u001b");
  keys(view, "escape");
  expect(shown(true)).toBe(before);
});
