/** Covers `names.ts`: what the steps of a run are called. */
import { expect, test } from "vitest";
import type { RowOf } from "../../../machines/exchange.ts";
import { Names } from "../../../machines/naming/names.ts";

const row = (step: string, item?: string, run = "r"): RowOf<"step.started"> => ({
  type: "step.started",
  run,
  step,
  payload: {
    ...{ name: "x", kind: "command", title: "x", parallel: false },
    ...(item === undefined ? {} : { round: { item, of: 9 } as never }),
  },
});
const above = (path: string, address: string, run = "r") => ({ run, path, address });

test("by the names on the way to it, those of rounds with their item or number", () => {
  const names = new Names();
  const begun = [
    names.begin(row("fan"), null),
    names.begin(row("fan/left"), above("fan", "fan")),
    names.begin(row("each"), null),
    names.begin(row("each/0.look", "src/a"), above("each", "each")),
    names.begin(row("each/1.look"), above("each", "each")),
    names.begin(row("fan@2/left"), above("fan", "fan")),
    names.begin(row("push", undefined, "r2"), above("fan/left", "fan/left")),
    names.begin(row("push", undefined, "r3"), above("nobody", "nobody")),
    names.begin(row("inner/a", undefined, "r4"), null),
  ];
  expect(begun).toEqual([
    ...["fan", "fan/left", "each", "each[src/a]/look", "each[2]/look", "fan@2/left"],
    ...["fan/left/push", "push", "inner/a"],
  ]);
  expect(names.all()).toEqual(begun);
  expect(names.of("each[src/a]/look")).toEqual({ names: ["each[src/a]", "look"], numbers: ["each[1]", "look"] });
});

test("of two rounds with one item the later one has its number besides, for all of its steps", () => {
  const names = new Names();
  names.begin(row("each"), null);
  const round = (step: string, item: string, run = "r") =>
    names.begin(row(step, item, run), above("each", "each", run));
  expect([
    round("each/0.a", "x"),
    round("each/1.a", "x"),
    round("each/1.b", "x"),
    round("each/0.b", "x"),
    round("each/2.a", "y"),
    round("each@2/5.a", "x"),
    round("each/3.a", "x", "r2"),
  ]).toEqual([
    ...["each[x]/a", "each[x (2)]/a", "each[x (2)]/b", "each[x]/b", "each[y]/a", "each@2[x]/a"],
    "each[x]/a",
  ]);
});

test("an item of a step that is no round names nothing", () => {
  expect(new Names().begin(row("plain", "x"), null)).toBe("plain");
});

test("what has ended is forgotten, with what stood for it", () => {
  const names = new Names();
  names.begin(row("each"), null);
  names.begin(row("each/0.look", "src/a"), above("each", "each"));
  const address = "each[src/a]/look";
  expect(["look", "each[1]/look", address, "other"].map((word) => names.isMeant(address, word))).toEqual([
    true,
    true,
    true,
    false,
  ]);
  names.end(address);
  expect([names.of(address), names.all(), names.isMeant(address, address)]).toEqual([undefined, ["each"], false]);
});
