/** Which runs a history holds: what it is asked for is looked for in the store, not among the latest. */
import { cpSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { systemClock } from "../../../actors/base/clock.ts";
import { createTroupe, type HistoryQuery, type Troupe } from "../../../actors/troupe.ts";
import { type House, openHouse } from "../../support/house.ts";

let house: House;
let troupe: Troupe;
let now: number;
beforeEach(() => {
  house = openHouse(["acceptance/talk.yaml", "acceptance/hello.yaml"]);
  now = 1_000_000;
  const clock = { ...systemClock, now: () => now };
  troupe = createTroupe({ environment: { ...house.env, TROUPE_TRUST: "1" }, clock });
});
afterEach(async () => {
  await troupe.close();
  await house.leave();
});
/** Each begins a second after the one before it. */
async function ran(workflow: string, cwd = house.cwd): Promise<string> {
  now += 1_000;
  const run = await troupe.run({ cwd, workflow, inputs: {}, consent: "yes" });
  await run.done;
  return run.id;
}
const found = async (query: HistoryQuery): Promise<string[]> => (await troupe.history(query)).map(({ id }) => id);

test("an open run is found however many have begun after it, and is none of those that have ended", async () => {
  const parked = await ran("talk");
  const [first, second] = [await ran("hello"), await ran("hello")];
  expect(await found({ open: true, limit: 1 })).toEqual([parked]);
  expect(await found({ open: false, limit: 9 })).toEqual([second, first]);
  expect(await found({ open: false, status: "parked" })).toEqual([]);
  expect(await found({ open: true, status: "parked" })).toEqual([parked]);
});

test("runs of one directory are found behind those of others, without those below it", async () => {
  const here = await ran("hello");
  const below = join(house.cwd, "below");
  cpSync(join(house.cwd, ".troupe"), join(below, ".troupe"), { recursive: true });
  const there = await ran("hello", below);
  expect(await found({ cwd: house.cwd, limit: 1 })).toEqual([here]);
  expect(await found({ under: house.cwd })).toEqual([there, here]);
  expect(await found({ cwd: below })).toEqual([there]);
});

test("of a time are those that began from its beginning on and before its end", async () => {
  const [a, b, c] = [await ran("hello"), await ran("talk"), await ran("hello")];
  const [at = 0] = (await troupe.history({})).filter(({ id }) => id === b).map(({ startedAt }) => startedAt);
  expect(await found({ since: at })).toEqual([c, b]);
  expect(await found({ until: at })).toEqual([a]);
  expect(await found({ since: at, until: at + 1, limit: 1 })).toEqual([b]);
});
