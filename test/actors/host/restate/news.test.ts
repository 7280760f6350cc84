/** Covers `news.ts`: who waits for the next commit of a session. */
import { expect, test } from "vitest";
import { withWaiting } from "../../../../actors/host/restate/news.ts";

test("who waits again is kept once, others stay, also those of earlier versions, which have no name (I2)", () => {
  const asked = [
    { id: "1", after: 3, by: "a" },
    { id: "2", after: 3, by: "b" },
    { id: "3", after: 3 },
    { id: "4", after: 3 },
    { id: "5", after: 3, by: "a" },
  ];
  expect(asked.reduce(withWaiting, [] as { id: string; after: number; by?: string }[])).toEqual([
    { id: "2", after: 3, by: "b" },
    { id: "3", after: 3 },
    { id: "4", after: 3 },
    { id: "5", after: 3, by: "a" },
  ]);
});
