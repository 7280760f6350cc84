import { expect, it } from "vitest";
import { trial } from "./world.ts";

/** `npm run fuzz:trees` continues from here. */
const SEEDS = Array.from({ length: 20 }, (_, seed) => seed + 1);

it.each(SEEDS)("no byte of the user's is lost or changed: seed %i", async (seed) => {
  await trial(seed, (what, is, was) => expect(is, what).toEqual(was));
});
