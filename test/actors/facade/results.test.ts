import { expect, test } from "vitest";
import type { RunRecord } from "../../../actors/api/records.ts";
import { notResumable } from "../../../actors/facade/results.ts";

test.each([
  ["failed", "has failed"],
  ["cancelled", "has been cancelled"],
  ["running", "is running"],
] as const)("a run that %s cannot be resumed, and the error says how it stands", (status, stands) => {
  expect(notResumable({ id: "r1", status } as RunRecord).message).toBe(
    `run "r1" ${stands}: only an interrupted or a parked run can be resumed`,
  );
});
