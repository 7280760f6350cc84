/** Covers the simulation: real cells give what they ask for, and one seed has one course. */
import { expect, test } from "vitest";
import { chance } from "../support/chance.ts";
import { type Costs, SimulatedCluster } from "./cluster.ts";
import { costsOf } from "./costs.ts";
import { Machine, Timeline } from "./machine.ts";
import { answerDeeds, chainDeeds, goOn, type Load, parkedBytes, together } from "./runs.ts";
import type { Deed } from "./session.ts";

const same = (ms: number) => ({ alone: ms, crowded: ms });
const COSTS: Costs = { node: same(8), worker: same(4), gateway: same(2), waitMs: 1, replicated: 2 };
const LOAD: Load = {
  active: 60,
  speech: { workMs: 3_000, speaksMs: 1_000, lettersPerS: 100 },
  parked: 1_000,
  answerHours: 0.1,
  seconds: 10,
  samples: 3,
};
const rounded = (given: object): object =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => [name, Math.round(Number(value) * 100) / 100]));
const shown = ({ by, after, notes }: Deed): string => `${by} +${after} ${notes}`;

test("a prompt of four steps is ten commits, as an engine counts them; lists hear of its beginning and its end", () => {
  expect(chainDeeds().map(shown)).toEqual(["gateway +0 4", ...Array(8).fill("worker +0 0"), "worker +0 3"]);
  expect(answerDeeds().map(shown)).toEqual(["gateway +0 3"]);
  expect(parkedBytes(2)).toBe(parkedBytes(1));
});

test("processes take turns on the cores, each one after the other where it has one thread", () => {
  const time = new Timeline();
  const machine = new Machine(time, { cores: 2 });
  const ends: string[] = [];
  for (const name of ["worker 1", "worker 2", "node 1", "node 2", "gateway 1"]) {
    const [process = ""] = name.split(" ");
    machine.give(process as "worker", 10, () => ends.push(`${name} ${time.now}`));
  }
  time.run();
  expect(ends).toEqual(["worker 1 10", "node 1 10", "worker 2 20", "gateway 1 20", "node 2 30"]);
});

test("a session takes one event after the other, and a commit on several machines waits for the second one", () => {
  const cluster = new SimulatedCluster({ machines: 2, cores: 2, costs: COSTS, below: chance(1) });
  const deed: Deed = { after: 5, by: "gateway", bytes: 1, notes: 0 };
  cluster.session([deed, { ...deed, by: "worker" }], () => undefined);
  cluster.time.run();
  expect(cluster.taken).toEqual([
    { at: 5, ms: 15 },
    { at: 25, ms: 13 },
  ]);
  expect(cluster.machines.map(({ used }) => used).sort()).toEqual([16, 28]);
});

test("what was measured alone and beside others is about what is predicted of it", () => {
  const processor = { node: 25, worker: 15, gateway: 5 };
  const rounds = [
    { sessions: 1, stepsPerS: 20, processor, refused: 0 },
    { sessions: 8, stepsPerS: 50, processor: { node: 20, worker: 10, gateway: 2 }, refused: 0 },
  ];
  const measured = { rounds, replicated: 2, bytesPerPrompt: 1, bytesPerParked: 1 };
  const one = { machines: 1, cores: 2, below: chance(1), costs: costsOf(measured, 2.5, true) };
  const predicted = [1, 8, 64].map((sessions) => rounded(together(one, sessions)));
  expect(predicted).toEqual([
    { stepsPerS: 21.74, processorMs: 45 }, // the gateway's part is beside
    { stepsPerS: 49.77, processorMs: 40.03 },
    { stepsPerS: 49.97, processorMs: 40 },
  ]);
});

test("one seed has one course, and more machines make a commit quicker", () => {
  const on = (machines: number, seed = 7) =>
    rounded(goOn({ machines, cores: 2, costs: COSTS, below: chance(seed) }, LOAD));
  expect(on(1)).toEqual({ machines: 1, asked: 119, done: 118.9, p50: 22, p95: 57, used: 0.83, busiest: 0.83 });
  expect(on(3)).toEqual({ machines: 3, asked: 122.1, done: 121.9, p50: 14.46, p95: 26, used: 0.45, busiest: 0.51 });
  expect(on(3)).toEqual(on(3));
  expect(on(3, 8)).not.toEqual(on(3));
});
