/** Looking at workflows needs no store: none is made, and one that cannot be opened does not matter. */
import { existsSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type House, openHouse } from "../support/house.ts";

let house: House;
beforeEach(() => {
  house = openHouse(["acceptance/footprint.yaml"]);
});
afterEach(async () => {
  await house.leave();
});

const LOOKS = [
  ["list"],
  ["validate", "footprint"],
  ["diagram", "footprint"],
  ["schema"],
  ["run", "footprint", "--dry-run"],
];

test.each(LOOKS)("troupe %s %s makes no store, and works where there can be none", async (...args) => {
  const words = args.filter((word) => typeof word === "string");
  expect(await house.troupe(words).ended).toEqual({ code: 0, signal: null });
  expect(existsSync(dirname(house.store))).toBe(false);
  writeFileSync(dirname(house.store), "not a folder");
  expect(await house.troupe(words).ended).toEqual({ code: 0, signal: null });
});
