/** A new run in the terminal UI: keys that come before the workflows were read. */
import { expect, it } from "vitest";
import type { Troupe, WorkflowSummary } from "../../../actors/troupe.ts";
import type { UiStage, UiView } from "../../../transports/ui/view.ts";
import { PickView } from "../../../transports/ui/views/pick-view.ts";

const PLACE = { width: 60, height: 10, now: 0, colours: false };
const input = { name: "who", type: "string", description: "", required: true, validation: {} };
const fault = { code: "WORKFLOW.SCHEMA.INVALID", message: "steps are missing" };
const workflow = (id: string) =>
  ({ id, description: "", fault: id === "broken" ? fault : null, inputs: [input] }) as unknown as WorkflowSummary;

function stage() {
  const read = Promise.withResolvers<readonly WorkflowSummary[]>();
  const views: UiView[] = [];
  const done: Promise<unknown>[] = [];
  const told: string[] = [];
  const stage: UiStage = {
    open: (view) => void views.push(view),
    back: () => views.pop()?.close?.(),
    say: (words) => void told.push(words),
    confirm: () => undefined,
    doing: (work) => void done.push(work),
    carrying: () => undefined,
    redraw: () => undefined,
    copy: () => undefined,
    choose: () => undefined,
  };
  const pick = new PickView({ list: () => read.promise } as unknown as Troupe, stage, "/w");
  views.push(pick);
  const come = async (...ids: string[]) => {
    read.resolve(ids.map(workflow));
    await Promise.all(done);
  };
  const text = () => views.at(-1)?.lines(PLACE).join("\n") ?? "";
  return { pick, views, told, come, text, title: () => views.at(-1)?.title() };
}

it("I1 takes the workflow by an Enter that came before the workflows", async () => {
  const { pick, come, text, title, views } = stage();
  expect(text()).toBe("  reading the workflows");
  for (const key of ["down", "enter", "B", "o"]) expect(pick.press(key)).toBe(true);
  await come("first", "second");
  expect([views.length, title()]).toEqual([1, expect.stringContaining("second")]);
  expect(text()).toContain("Bo");
});

it("I1 finds by words that were typed before, and keeps Enter for what they find", async () => {
  const { pick, come, title } = stage();
  for (const key of ["s", "e", "enter"]) pick.press(key);
  expect(title()).toContain("se");
  await come("first", "second");
  expect(title()).toContain("second");
});

it("says so where no workflow is called as is typed", async () => {
  const { pick, come, text } = stage();
  await come("first", "second");
  for (const key of "sx") pick.press(key);
  expect(text()).toBe("  No workflow is so called.");
});

it("mends the words that find a workflow where they are", async () => {
  const { pick, come, text, title } = stage();
  await come("first", "second");
  for (const key of ["f", "i", "s", "t", "left", "left", "right"]) pick.press(key);
  expect([title(), text()]).toEqual(["new run: fis▏t", "  No workflow is so called."]);
  for (const key of ["backspace", "r", "s"]) pick.press(key);
  expect([title(), text()]).toEqual(["new run: firs▏t", "❯ first  "]);
});

it("I2 a workflow that cannot run is listed last with its fault, which is said where it is taken", async () => {
  const { pick, come, text, told, views } = stage();
  await come("broken", "second");
  expect(text()).toBe("❯ second  \n  broken  broken: steps are missing");
  for (const key of ["down", "enter"]) pick.press(key);
  expect([views, told]).toEqual([[pick], ["steps are missing [WORKFLOW.SCHEMA.INVALID]"]]);
});

it("I1 what was typed early for a workflow that cannot run is typed nowhere", async () => {
  const { pick, come, title, told } = stage();
  for (const key of ["enter", "B", "o"]) pick.press(key);
  await come("broken");
  expect([title(), told.length]).toEqual(["new run: ▏", 1]);
});

it("opens nothing once it was left", async () => {
  const { pick, come, views } = stage();
  pick.press("enter");
  pick.press("escape");
  expect(views).toEqual([]);
  await come("first");
  expect(views).toEqual([]);
});

it("says that there is no workflow", async () => {
  const { pick, come, text } = stage();
  pick.press("enter");
  await come();
  expect(text()).toBe("  This directory has no workflow.");
});

it("takes back a whole character", () => {
  const { pick, title } = stage();
  for (const key of ["a", "\u{1f3ad}", "backspace"]) pick.press(key);
  expect(title()).toBe("new run: a▏");
});
