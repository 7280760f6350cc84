/** `actors/host/work-result.ts`: which results of work can be kept. */
import { expect, test } from "vitest";
import { MOST_DEEP } from "../../../actors/base/limits.ts";
import { whyNotKept } from "../../../actors/host/work-result.ts";
import { Masking } from "../../../actors/masking/masking.ts";

const nested = (deep: number): unknown => JSON.parse(`${"[".repeat(deep)}"ab1"${"]".repeat(deep)}`);

test("JSON can be kept, and nothing at all; what is none cannot (I1)", () => {
  for (const output of [undefined, null, "[[[", 1, { a: [{ b: "]" }] }]) expect(whyNotKept(output)).toBeNull();
  expect(whyNotKept(1n)).toContain("is no JSON: ");
});

test("what is nested as deep as may be is masked; what is deeper cannot be kept (I2)", () => {
  const state = { output: nested(MOST_DEEP) };
  expect(whyNotKept(state.output)).toBeNull();
  expect(new Masking([["env/PIN", "ab1"]]).hide(state)).not.toContain("ab1");
  expect(whyNotKept(nested(MOST_DEEP + 1))).toContain(`nested more than ${MOST_DEEP} deep`);
  // Some versions of Node cannot write this down at all.
  expect(whyNotKept(nested(100_000))).toContain(`nested more than ${MOST_DEEP} deep`);
});
