/** Covers `store-watch.ts`, `commit-signal.ts`: how one process hears that another has committed. */
import {
  existsSync,
  type FSWatcher,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  watch as watchFile,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { CommitSignal } from "../../../../actors/host/sqlite/commit-signal.ts";
import { StoreWatch } from "../../../../actors/host/sqlite/store-watch.ts";
import { until } from "../../../support/host.ts";

let folder: string;
let store: string;
let bell: CommitSignal;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "troupe-watch-"));
  store = join(folder, "troupe.db");
  bell = new CommitSignal(store);
});
afterEach(() => {
  bell.close();
  rmSync(folder, { recursive: true });
});

/** A listener, and how often it was called. */
function listener() {
  const of = { calls: 0 };
  return Object.assign(of, { heard: () => void of.calls++ });
}

test("who listens hears each ring of any process, twice where it listens twice, and nothing once it has ended", async () => {
  const watch = new StoreWatch(store);
  const [one, other] = [listener(), listener()];
  const ends = [watch.listen(one.heard), watch.listen(one.heard), watch.listen(other.heard)];
  bell.ring();
  await until(() => other.calls > 0);
  expect(one.calls).toBe(2 * other.calls);
  ends[0]?.();
  ends[0]?.(); // it has ended already: the others go on
  const before = [one.calls, other.calls] as const;
  bell.ring();
  await until(() => other.calls > before[1]);
  expect(one.calls - before[0]).toBe(other.calls - before[1]);
  ends[1]?.();
  ends[2]?.();
  const last = listener();
  const end = watch.listen(last.heard); // it watches anew
  bell.ring();
  await until(() => last.calls > 0);
  const calls = [one.calls, other.calls];
  bell.ring();
  await until(() => last.calls > 1);
  expect([one.calls, other.calls]).toEqual(calls);
  end();
});

test("only the bell is heard: other files of the folder are nobody's news", async () => {
  const watch = new StoreWatch(store);
  const of = listener();
  const end = watch.listen(of.heard);
  const others = ["troupe.db", "troupe.db-wal", "other-bell", "troupe.db-bell2"];
  for (const name of others) writeFileSync(join(folder, name), "x");
  bell.ring();
  await until(() => of.calls > 0);
  expect(of.calls).toBeLessThan(others.length); // what was written before it would have been heard before it
  end();
});

/** What this process watches: inodes, as Linux shows them. */
const watched = (): string[] =>
  readdirSync("/proc/self/fdinfo").flatMap((fd) => {
    try {
      return [...readFileSync(`/proc/self/fdinfo/${fd}`, "utf8").matchAll(/^inotify .*\bino:([0-9a-f]+)/gm)].map(
        ([, ino = ""]) => ino,
      );
    } catch {
      return []; // that which was open to read the folder
    }
  });

test.runIf(process.platform === "linux")("the bell alone is watched, and not the folder (I1)", () => {
  const inode = (path: string): string => statSync(path).ino.toString(16);
  const end = new StoreWatch(store).listen(() => undefined);
  expect(watched()).toContain(inode(`${store}-bell`));
  expect(watched()).not.toContain(inode(folder));
  end();
  expect(watched()).not.toContain(inode(`${store}-bell`));
});

test("a folder that is not there is an error at once", () => {
  const watch = new StoreWatch(join(folder, "no", "troupe.db"));
  expect(() => watch.listen(() => undefined)).toThrow("ENOENT");
});

test("the bell is a file of the user's own, as long as one byte, however often it rings", () => {
  bell.ring();
  bell.ring();
  const { mode, size } = statSync(`${store}-bell`);
  expect([mode & 0o777, size, readFileSync(`${store}-bell`, "utf8")]).toEqual([0o600, 1, "."]);
});

test("what stands in the bell's place is neither written to nor waited for, and a ring after the end is none (I2)", () => {
  const target = join(folder, "target");
  writeFileSync(target, "stays");
  symlinkSync(target, join(folder, "linked.db-bell"));
  expect(() => new CommitSignal(join(folder, "linked.db"))).toThrow("ELOOP");
  mkdirSync(join(folder, "folder.db-bell"));
  expect(() => new CommitSignal(join(folder, "folder.db"))).toThrow("EISDIR");
  expect(readFileSync(target, "utf8")).toBe("stays");
  const ended = new CommitSignal(join(folder, "ended.db"));
  ended.close();
  ended.ring();
  expect(existsSync(join(folder, "ended.db-bell"))).toBe(true);
});

test("who listens after a watcher has failed hears, and so does who listened before (I2)", async () => {
  const watchers: FSWatcher[] = [];
  const watching = ((...given: Parameters<typeof watchFile>) => {
    const watcher = watchFile(...given);
    watchers.push(watcher);
    return watcher;
  }) as typeof watchFile;
  const watch = new StoreWatch(store, watching);
  const [one, other] = [listener(), listener()];
  const end = watch.listen(one.heard);
  watchers[0]?.close(); // as the system does with one that fails
  watchers[0]?.emit("error", new Error("no watch left"));
  const ends = [end, watch.listen(other.heard)];
  bell.ring();
  await until(() => one.calls > 0 && other.calls > 0);
  for (const each of ends) each();
});
