/** I5 of `machines/schedule/decide.ts`: a file that changes while the changes before it are decided. */
import { expect, test } from "vitest";
import { type Decision, decide } from "../../../machines/schedule/decide.ts";
import type { Schedule } from "../../../machines/schedule/schedule.ts";

const GATHERED = Date.UTC(2026, 0, 1, 6);
const watched: Schedule = {
  ...{ cwd: "/repo", workflow: "w", files: [], enabledAt: 0, off: null, seen: 0, heard: 0, deeds: [] },
  on: { times: [], files: { paths: ["**"], ignore: [] }, missed: "tell", overlap: "allow", inputs: {} },
};
/** A file that was heard of at one moment, gathered at a later one, and decided at the last. */
const changed = (kept: Schedule, path: string, [at, until, now]: readonly [number, number, number]): Decision =>
  decide(
    kept,
    { type: "files changed", files: [{ path, at, run: null }], until },
    { now, since: 0, self: "me", isAlive: () => true, stand: () => "none", isFull: false, run: "r" },
  );

test("is not done with, and comes with the next ones", () => {
  const first = changed(watched, "a", [GATHERED - 1_000, GATHERED, GATHERED + 400]);
  expect(first.start).toMatchObject({ paths: ["a"] });
  const next = changed(first.schedule, "b", [GATHERED + 200, GATHERED + 1_200, GATHERED + 1_300]);
  expect(next.start).toMatchObject({ paths: ["b"] });
  expect(changed(next.schedule, "b", [GATHERED + 220, GATHERED + 1_220, GATHERED + 1_400]).start).toBeNull();
});
