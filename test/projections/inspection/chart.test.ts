import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { activeStates, machineChart } from "../../../projections/inspection/chart.ts";

const DOCS = new URL("../../../docs/machines/", import.meta.url);
const definition = JSON.stringify({
  id: "x",
  on: { stop: ".ended" },
  states: {
    idle: { on: { go: "busy", "xstate.done.actor.work": [{ guard: "is fine?", target: "#x.busy.late" }, "ended"] } },
    busy: {
      type: "parallel",
      on: { hurry: ".late", nothing: { actions: "note" } },
      states: { early: { always: "late" }, late: { after: { soon: "#x.ended" }, on: { go: "#x.ended" } } },
    },
    ended: { type: "final" },
  },
});

test("states by their paths, ways with their words, and apart those that lead within a state", () => {
  const state = (name: string, members: string[] = [], isParallel = false) => ({
    ...{ name, label: name.split(".").at(-1), isParallel, members },
  });
  expect(machineChart(definition)).toEqual({
    states: [
      state("idle"),
      state("busy", ["busy.early", "busy.late"], true),
      state("busy.early"),
      state("busy.late"),
      state("ended"),
    ],
    ways: [
      { from: "idle", to: "busy", label: "go" },
      { from: "idle", to: "busy.late", label: "work done is fine?" },
      { from: "idle", to: "ended", label: "work done" },
      { from: "busy.early", to: "busy.late", label: "" },
      { from: "busy.late", to: "ended", label: "go · after soon" },
    ],
    within: [
      { from: "", to: "ended", label: "stop" },
      { from: "busy", to: "busy.late", label: "hurry" },
    ],
  });
});

test.each(["session", "turn", "run", "step", "parallel", "loop", "permission", "input"])(
  "of %s every arrow leads from a state to a state",
  (kind) => {
    const { states, ways, within } = machineChart(readFileSync(new URL(`${kind}.json`, DOCS), "utf8"));
    const names = new Set(["", ...states.map(({ name }) => name)]);
    for (const { from, to } of [...ways, ...within])
      expect([names.has(from), names.has(to), to]).toEqual([true, true, to]);
    expect(ways.length).toBeGreaterThan(0);
  },
);

test("where a machine is, with all that is around it", () => {
  expect([...activeStates("ended")]).toEqual(["ended"]);
  expect([...activeStates({ a: { b: "c" }, d: "e" })]).toEqual(["a", "a.b", "a.b.c", "d", "d.e"]);
  expect([...activeStates(undefined)]).toEqual([]);
});
