/** Covers `places.ts`: what the steps of a whole log are called. */
import { expect, test } from "vitest";
import type { Exchange } from "../../../machines/exchange.ts";
import { textOf } from "../../../machines/naming/address.ts";
import { Places } from "../../../machines/naming/places.ts";

const step = (run: string, path: string, item?: string) =>
  ({
    ...{ type: "step.started", run, step: path, seq: 1, at: 0 },
    payload: {
      name: "x",
      kind: "agent",
      title: "x",
      parallel: false,
      ...(item === undefined ? {} : { round: { item } }),
    },
  }) as unknown as Exchange;
const run = (id: string, parentRun?: string, parentStep?: string) =>
  ({ type: "run.started", run: id, seq: 1, at: 0, payload: {}, parentRun, parentStep }) as unknown as Exchange;

test("steps of called runs are named below the step that called, in each round of a loop", () => {
  const places = new Places();
  const log = [
    ...[run("r1"), step("r1", "each"), step("r1", "each/0.call", "a"), step("r1", "each/1.call", "b")],
    ...[run("r2", "r1", "each/0.call"), step("r2", "look"), run("r3", "r1", "each/1.call"), step("r3", "look")],
    ...[step("r1", "each/0.call", "a"), run("r4"), step("r4", "look"), run("r5", "r9", "gone"), step("r5", "look")],
  ];
  for (const row of log) places.see(row);
  const of = (id: string, path: string): string => textOf(places.of(id, path));
  expect([of("r1", "each/1.call"), of("r2", "look"), of("r3", "look"), of("r4", "look"), of("r5", "look")]).toEqual([
    ...["each[b]/call", "each[a]/call/look", "each[b]/call/look", "look", "look"],
  ]);
  expect(of("r1", "never")).toBe("");
  expect(["r1", "r2", "r4"].map((id) => [places.isOf(id, "r1"), places.isOf("r1", id)])).toEqual([
    ...[
      [true, true],
      [true, false],
      [false, false],
    ],
  ]);
});
