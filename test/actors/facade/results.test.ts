import { expect, test } from "vitest";
import type { RunRecord } from "../../../actors/api/records.ts";
import { resumable } from "../../../actors/facade/results.ts";

test.each([
  ["failed", "has failed", ""],
  ["cancelled", "has been cancelled", ""],
  ["running", "is running", "; troupe logs r1 -f shows what it does"],
] as const)("a run that %s cannot be resumed, and the error says how it stands", (status, stands, instead) => {
  const message = `run "r1" ${stands}: only an interrupted or a parked run can be resumed${instead}`;
  expect(() => resumable({ id: "r1", status, resumable: false } as RunRecord)).toThrow(
    expect.objectContaining({ message }),
  );
});
