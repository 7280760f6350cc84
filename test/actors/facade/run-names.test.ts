/** What a person calls a run: its id, the beginning of it, or `@last`; of several that are meant, all are named. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, sep } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { systemClock } from "../../../actors/base/clock.ts";
import { createTroupe, type Troupe } from "../../../actors/troupe.ts";

const WORKFLOW = "name: ok\nstates:\n  initial: done\n  done: {type: terminal}\n";
let folder: string;
let troupe: Troupe;
let ids: string[];
/** How far the machine's clock is set forward. */
let setTo: number;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "troupe-names-")));
  for (const place of ["a", "b"]) {
    mkdirSync(join(folder, place, ".troupe", "workflows"), { recursive: true });
    writeFileSync(join(folder, place, ".troupe", "workflows", "ok.yaml"), WORKFLOW);
  }
  mkdirSync(join(folder, "a", "deep"));
  mkdirSync(join(folder, "home"), { mode: 0o700 });
  ids = [];
  setTo = 0;
  let other = 0;
  troupe = createTroupe({
    environment: { TROUPE_HOME: join(folder, "home"), HOME: folder },
    clock: { ...systemClock, now: () => systemClock.now() + setTo },
    ids: (kind) => (kind === "run" ? (ids.shift() ?? "run") : `${kind}-${other++}`),
  });
});
afterEach(async () => {
  await troupe.close();
  rmSync(folder, { recursive: true, force: true });
});

async function ran(id: string, place: string): Promise<void> {
  ids.push(id);
  const run = await troupe.run({ workflow: "ok", inputs: {}, consent: "yes", cwd: join(folder, place) });
  await run.done;
}

test("an id, a beginning that one run has, and @last name a run", async () => {
  await ran("abc1", "a");
  await ran("abd2", "b");
  expect(await troupe.find("abc1")).toBe("abc1");
  expect(await troupe.find("abd")).toBe("abd2");
  expect(await troupe.find("@last")).toBe("abd2");
  expect(await troupe.find("@last", { cwd: join(folder, "a", "deep") })).toBe("abc1");
  await expect(troupe.find("@last", { cwd: folder })).rejects.toMatchObject({
    code: "USER.RUN.NOT_FOUND",
    message: expect.stringContaining("in this directory or above it"), // `troupe history` also has those below
  });
  await expect(troupe.find("ab")).rejects.toMatchObject({
    code: "USER.RUN.AMBIGUOUS",
    message: 'several runs begin with "ab": abc1, abd2',
    details: { runs: ["abc1", "abd2"] },
  });
});

test("an id that others begin with is that run; an unknown one is itself", async () => {
  await ran("abc", "a");
  await ran("abcd", "a");
  expect(await troupe.find("abc")).toBe("abc");
  expect(await troupe.find("nope")).toBe("nope");
});

test("a run that began before the clock was set back is found, and is the last one until there is another", async () => {
  setTo = 86_400_000;
  await ran("tomorrow", "a");
  setTo = 0;
  expect(await troupe.find("@last")).toBe("tomorrow");
  await ran("today", "a");
  expect(await troupe.find("@last")).toBe("today");
  expect((await troupe.history()).map(({ id }) => id)).toEqual(["tomorrow", "today"]);
});

test("the last one of a directory or above it is found behind later ones elsewhere", async () => {
  await ran("mine", "a");
  for (const id of ["other1", "other2"]) await ran(id, "b");
  for (const cwd of ["a", join("a", "deep"), `a${sep}`])
    expect(await troupe.find("@last", { cwd: join(folder, cwd) })).toBe("mine");
});

test("another user sees only their own runs", async () => {
  await ran("abc1", "a");
  expect(await troupe.as("other").find("abc")).toBe("abc");
  await expect(troupe.as("other").log("abc1")).rejects.toMatchObject({ code: "USER.RUN.NOT_FOUND" });
  const { record, rows } = await troupe.log("abc1");
  expect([record.status, rows(record.firstSeq - 1, 9).some(({ type }) => type === "run.completed")]).toEqual([
    "completed",
    true,
  ]);
});
