/**
 * The durable machines along their shortest paths, each in a new session of a real `troupe acp`. A client does what
 * leads along the path, and the state in the store equals that of the model.
 *
 * W1. Every shortest path is walked, or there is a reason why no client can. A new or changed path fails the test.
 * W2. On its way a machine is seen only in states of the path, in their order.
 */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { DRIVES, ENDS } from "../support/drives.ts";
import { type House, openHouse } from "../support/house.ts";
import { shortest } from "../support/paths.ts";
import { MACHINES } from "../support/stage.ts";
import { Walker } from "../support/walker.ts";
import { WALKS } from "../support/walks.ts";

const WORKFLOWS = [
  ...["frame", "around", "tried", "limited", "fan", "rounds", "apart", "whole", "thrifty", "sparing", "crowded"].map(
    (name) => `walked/${name}.yaml`,
  ),
  ...["hello", "asleep", "gate", "stubborn", "talk", "asks"].map((name) => `acceptance/${name}.yaml`),
  "interleaved/chat.yaml",
];
const KINDS = Object.keys(MACHINES) as (keyof typeof MACHINES)[];
const pathsOf = (kind: keyof typeof MACHINES) =>
  [...shortest(MACHINES[kind], WALKS[kind])].map(([state, { events, states }]) => ({
    path: `${events.join(", ")} → ${state}`.trim(),
    state,
    states,
  }));

let house: House;
beforeEach(() => {
  house = openHouse(WORKFLOWS);
});
afterEach(() => house.leave());

describe.each(KINDS)("%s", (kind) => {
  const drives = DRIVES[kind] ?? {};
  test("has these paths and no others (W1)", () => {
    expect(Object.keys(drives)).toEqual(pathsOf(kind).map(({ path }) => path));
  });

  const walkable = pathsOf(kind).filter(({ path }) => typeof drives[path] === "function");
  test.each(walkable)("$path", async ({ path, state, states }) => {
    const walker = new Walker(house, kind);
    const drive = drives[path];
    if (typeof drive !== "function") throw new Error(`${path} is not driven`);
    await drive(walker);
    if (MACHINES[kind].root.states[state]?.type === "final") await ended(walker, kind);
    else await walker.sees(state);
    let place = 0;
    for (const each of walker.seen) {
      place = states.indexOf(each, place);
      expect(place, `${walker.seen.join(" > ")} is not on ${states.join(" > ")}`).toBeGreaterThanOrEqual(0);
    }
    expect(walker.faults()).toEqual([]);
  });
});

/** The machine is gone, and the log says how: each start row has its end row. */
async function ended(walker: Walker, kind: string): Promise<void> {
  await walker.seesNone();
  const [begins, ends] = ENDS[kind] ?? [];
  const types = walker.rows().map(({ type }) => type);
  const count = (wanted: string | undefined): number => types.filter((type) => type === wanted).length;
  expect(count(ends)).toBeGreaterThan(0);
  expect(count(begins)).toBe(count(ends));
}
