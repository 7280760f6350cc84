/** Covers `title.ts`: what the browser's tab says. */
import { expect, test } from "vitest";
import { placeOf } from "../../../projections/page/place.ts";
import { tabTitle } from "../../../projections/page/title.ts";

const runs = (...statuses: string[]) => statuses.map((status) => ({ status }));
const none = { run: null, runs: [] };

test.each([
  ["running", "▶ ship · Troupe"],
  ["waiting", "? ship · Troupe"],
  ["parked", "? ship · Troupe"],
  ["interrupted", "! ship · Troupe"],
  ["completed", "✓ ship · Troupe"],
  ["failed", "✗ ship · Troupe"],
  ["cancelled", "– ship · Troupe"],
  ["skipped", "– ship · Troupe"],
  ["of a later version", "ship · Troupe"],
])("a run that is %s", (status, title) => {
  expect(tabTitle(placeOf("/run/r"), { run: { workflow: "ship", status }, runs: runs("waiting") })).toBe(title);
});

test("the list of all runs says how many wait for a person", () => {
  expect(tabTitle(placeOf("/"), none)).toBe("Troupe");
  expect(tabTitle(placeOf("/"), { run: null, runs: runs("running", "failed") })).toBe("Troupe");
  expect(tabTitle(placeOf("/"), { run: null, runs: runs("waiting", "running", "parked") })).toBe("(2) Troupe");
});

test.each([
  ["/run/r", "Troupe"],
  ["/workflow/ship", "ship · Troupe"],
  ["/workflow/a%E2%80%AEb", "a\\u202eb · Troupe"],
  ["/workflows", "Workflows · Troupe"],
  ["/machines", "Machines · Troupe"],
])("%s, where no run is shown", (place, title) => expect(tabTitle(placeOf(place), none)).toBe(title));
