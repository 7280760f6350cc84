/**
 * `kill -9` of a `troupe acp` in which something is just being ended, another one that takes its session over, and a resume.
 *
 * A1. What follows does not begin before the run is resumed, and then it does.
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type House, openHouse } from "../support/house.ts";
import { Walker } from "../support/walker.ts";

let house: House;
let trace: string;
beforeEach(() => {
  house = openHouse(
    ["limited", "fanned", "looped", "hooked", "calling"]
      .map((name) => `ending/${name}.yaml`)
      .concat("walked/frame.yaml"),
  );
  trace = join(house.root, "trace");
});
afterEach(() => house.leave());

const said = () => (existsSync(trace) ? readFileSync(trace, "utf8").trim().split("\n") : []);

test.each([
  ["step", "limited", "stopping", ["tried"], ["tried", "tried"]],
  ["parallel", "fanned", "stopping", ["tried"], ["tried", "after"]],
  ["loop", "looped", "stopping", ["tried"], ["tried", "after"]],
  ["run", "calling", "concluding.hooking", ["tried"], ["tried", "tried", "after"]],
] as const)("a %s (/%s) that is %s", async (machine, workflow, state, before, after) => {
  const walker = new Walker(house, machine);
  await walker.enter();
  walker.prompt(`/${workflow} trace=${trace}`);
  await walker.sees(state);
  await expect.poll(said).toEqual(before);
  await walker.die();

  await walker.takeOver();
  expect(said()).toEqual(before);
  walker.prompt("go on");
  expect(await walker.answered()).toMatchObject({ stopReason: "end_turn" });
  expect(said()).toEqual(after);
});
