import { expect, test } from "vitest";
import { withOpen } from "../../../projections/runs/standing.ts";

const run = (id: string, status: string) => ({ id, status });

test("what has no end stands beside the latest, once, and as it was read last", () => {
  const latest = [run("new", "completed"), run("both", "completed")];
  const open = [run("both", "running"), run("old", "parked")];
  expect(withOpen(latest, open).map(({ id, status }) => [id, status])).toEqual([
    ["new", "completed"],
    ["both", "completed"],
    ["old", "parked"],
  ]);
});
