/** `actors/schedules/file-changes.ts`: bursts of changes, and one watcher a directory. */
import { expect, test } from "vitest";
import { FileChanges, MOST_WAIT_MS, QUIET_MS } from "../../../actors/schedules/file-changes.ts";
import type { FileHeard } from "../../../actors/schedules/file-watch.ts";
import type { Schedule } from "../../../machines/schedule/schedule.ts";
import { TestClock } from "../../support/host.ts";

function stage() {
  const clock = new TestClock();
  const told: string[][] = [];
  const opened: string[] = [];
  let heard: FileHeard | undefined;
  const changes = new FileChanges({
    clock,
    watch: async (cwd, globs, hear) => {
      opened.push(`open ${cwd} ${globs.map(({ paths }) => paths.join()).join(" ")}`);
      heard = hear;
      return async () => void opened.push(`close ${cwd}`);
    },
    changed: (_, paths) => told.push([...paths.keys()]),
    failed: () => undefined,
  });
  return { clock, told, opened, changes, hear: (path: string) => heard?.changed(path) };
}
const asks = (cwd: string, glob: string): Schedule =>
  ({ cwd, off: null, on: { files: { paths: [glob], ignore: [] } } }) as unknown as Schedule;

test("I1: told when it has been quiet, and in time where it is never quiet", async () => {
  const { clock, told, changes, hear } = stage();
  await changes.watch([asks("/repo", "a")]);
  for (let n = 0; n < 3; n++) {
    hear(`f${n}`);
    clock.advance(QUIET_MS - 1);
  }
  expect(told).toEqual([]);
  clock.advance(1);
  expect(told).toEqual([["f0", "f1", "f2"]]);
  for (let ms = 0; ms < MOST_WAIT_MS; ms += 500) {
    hear("g");
    clock.advance(500);
  }
  expect(told).toHaveLength(2);
});

test.each([-86_400_000, 86_400_000])("I1: so it is where the clock is set by %i ms meanwhile", async (ms) => {
  const { clock, told, changes, hear } = stage();
  await changes.watch([asks("/repo", "a")]);
  hear("a");
  clock.jump(ms);
  for (let passed = 0; passed < MOST_WAIT_MS; passed += 500) {
    expect(told).toEqual([]);
    hear("a");
    clock.advance(500);
  }
  expect(told).toEqual([["a"]]);
});

test("I2: one watcher a directory, made anew for other globs, and closed when nobody asks", async () => {
  const { opened, changes } = stage();
  await changes.watch([asks("/repo", "a"), asks("/repo", "b"), asks("/other", "c")]);
  await changes.watch([asks("/repo", "a"), asks("/repo", "b"), asks("/other", "c")]);
  expect(opened).toEqual(["open /repo a b", "open /other c"]);
  await changes.watch([asks("/repo", "a")]);
  expect(opened.slice(2).sort()).toEqual(["close /other", "close /repo", "open /repo a"]);
  await changes.close();
  expect(opened.at(-1)).toBe("close /repo");
});

test("closed, it tells nothing any more", async () => {
  const { clock, told, changes, hear } = stage();
  await changes.watch([asks("/repo", "a")]);
  hear("f");
  await changes.close();
  clock.advance(MOST_WAIT_MS);
  expect(told).toEqual([]);
});

test("I3: a directory that cannot be watched for a while is told, holds up no other one, and is tried again", async () => {
  const failed: string[] = [];
  const opened: string[] = [];
  let isFull = true;
  const changes = new FileChanges({
    clock: new TestClock(),
    watch: async (cwd) => {
      if (cwd === "/repo" && isFull) throw new Error("too many open files");
      opened.push(cwd);
      return async () => undefined;
    },
    changed: () => undefined,
    failed: (...told) => failed.push(told.join(": ")),
  });
  const all = [asks("/repo", "a"), asks("/other", "b")];
  await changes.watch(all);
  expect([opened, failed]).toEqual([["/other"], ["/repo: its files cannot be watched: too many open files"]]);
  isFull = false;
  await changes.watch(all);
  expect(opened).toEqual(["/other", "/repo"]);
  await changes.close();
});
