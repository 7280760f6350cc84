/** The whole of the UI: how it is left, and what the wheel of the mouse moves. */
import { expect, it } from "vitest";
import type { Troupe } from "../../../actors/troupe.ts";
import type { Canvas } from "../../../transports/cli/io.ts";
import { Ui } from "../../../transports/ui/ui.ts";
import type { UiView } from "../../../transports/ui/view.ts";

const nothing = () => () => undefined;

function stage() {
  const troupe = { history: async () => [], watchRuns: nothing } as unknown as Troupe;
  const canvas = { write: () => undefined, later: nothing } as unknown as Canvas;
  let shown: () => string = () => "";
  const ui = new Ui(troupe, { colours: false, now: () => 0, cwd: "/w", env: {} }, canvas, {
    show: (view) => {
      shown = () => view({ width: 60, height: 20, now: 0 }).join("\n");
    },
    ...{ now: () => undefined, anew: () => undefined, end: () => undefined },
  });
  let isLeft = false;
  void ui.live().then(() => {
    isLeft = true;
  });
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const press = async (...keys: string[]) => {
    for (const key of keys) ui.press(key);
    await settled();
    return isLeft;
  };
  return { ui, press, shown: () => shown() };
}

it("I3 a run of its own keeps it from being left once, by ctrl-c not twice", async () => {
  const { ui, press, shown } = stage();
  ui.carrying(new Promise(() => undefined));
  expect(await press("ctrl-c")).toBe(false);
  expect(shown()).toContain("1 run of this window would be cancelled: leave? y/n");
  expect(await press("n")).toBe(false);
  expect(await press("ctrl-c", "ctrl-c")).toBe(true);
});

it("a second ctrl-c is no answer to another question", async () => {
  const { ui, press } = stage();
  let did = 0;
  ui.confirm("cancel?", () => void did++);
  expect([await press("ctrl-c"), did]).toEqual([false, 0]);
});

it("the wheel that leaves a view does not move the one below it", async () => {
  const { ui, press, shown } = stage();
  const heard: string[] = [];
  const below: UiView = {
    title: () => "below",
    right: () => [],
    keys: [],
    lines: () => [],
    press: (key: string) => key !== "?" && heard.push(key) > 0,
  };
  ui.open(below);
  await press("?");
  expect(shown()).toContain("pgup pgdn");
  await press("wheelup");
  expect([shown().split("\n")[0], heard]).toEqual(["below", []]);
});
