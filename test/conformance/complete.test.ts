/** No scenario is without a test, and none is without a place in the table. */
import { expect, test } from "vitest";
import { NOT_YET, SCENARIOS } from "./demand.ts";
import { played } from "./scenario.ts";
import "./scenarios/all.ts";

const numbers = Array.from({ length: 75 }, (_, index) => `S${index + 1}`);

test("every scenario from 1 to 75 has a place and a test", () => {
  expect(SCENARIOS.map(([id]) => id)).toEqual(numbers);
  expect([...played(), ...NOT_YET].toSorted()).toEqual(numbers.toSorted());
});
