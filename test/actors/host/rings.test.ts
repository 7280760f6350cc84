/** Covers `rings.ts`: when this process looks whether another one has committed. */
import { expect, test } from "vitest";
import { AFTER_OURS_MS, Rings } from "../../../actors/host/rings.ts";
import { ManualClock } from "../../support/manual-clock.ts";

function begun() {
  const clock = new ManualClock();
  const looks: number[] = [];
  const rings = new Rings(clock, () => void looks.push(clock.elapsed()));
  return { clock, rings, looks };
}

test("a ring without a commit of ours is looked into at once, each of them", () => {
  const { rings, looks } = begun();
  rings.hear();
  rings.hear();
  expect(looks).toEqual([0, 0]);
});

test("one after a commit of ours is looked into later, once with all that ring until then (I1)", () => {
  const { clock, rings, looks } = begun();
  rings.ours();
  rings.hear();
  rings.ours();
  rings.hear();
  rings.hear();
  clock.advance(AFTER_OURS_MS - 1);
  expect(looks).toEqual([]);
  clock.advance(1);
  expect(looks).toEqual([AFTER_OURS_MS]);
});

test("who has committed since waits again; then every ring is another's, and looked into at once", () => {
  const { clock, rings, looks } = begun();
  rings.ours();
  rings.hear();
  rings.ours();
  clock.advance(AFTER_OURS_MS);
  rings.hear();
  expect(looks).toEqual([AFTER_OURS_MS]);
  clock.advance(AFTER_OURS_MS);
  rings.hear();
  expect(looks).toEqual([AFTER_OURS_MS, 2 * AFTER_OURS_MS, 2 * AFTER_OURS_MS]);
});
