/**
 * A store brought to its limits: what the limits ask for, on all inputs; and a real store, while another process runs, and
 * with a process that is killed in the middle.
 */
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { asked, oldestFirst } from "../../../../actors/facade/upkeep/collect.ts";
import { type House, openHouse } from "../../../support/house.ts";
import type { Started } from "../../../support/started.ts";

const ordered = fc
  .array(fc.record({ updated: fc.nat(100), runs: fc.nat(3), last: fc.nat(9) }))
  .map((all) => all.sort((a, b) => a.updated - b.updated));

describe("what the limits ask for", () => {
  it("is nothing without a limit", () => {
    fc.assert(fc.property(ordered, (all) => asked(all, {}, { listed: 1_000, now: 1_000 }) === 0));
  });

  it("is all that is too old, and of the rest the fewest that bring the number down", () => {
    fc.assert(
      fc.property(ordered, fc.nat(100), fc.nat(20), fc.nat(20), (all, maxAgeMs, maxRuns, open) => {
        const listed = open + all.reduce((sum, { runs }) => sum + runs, 0);
        const count = asked(all, { maxAgeMs, maxRuns }, { listed, now: 100 });
        const left = (from: number) => listed - all.slice(0, from).reduce((sum, { runs }) => sum + runs, 0);
        expect(all.slice(count).every(({ updated }) => updated >= 100 - maxAgeMs)).toBe(true);
        expect(left(count) <= maxRuns || count === all.length).toBe(true);
        const old = all.filter(({ updated }) => updated < 100 - maxAgeMs).length;
        if (count > old) expect(left(count - 1)).toBeGreaterThan(maxRuns);
        else expect(count).toBe(old);
      }),
    );
  });
});

describe("what was used before the clock was set back", () => {
  const NOW = 100_000;
  const one = (session: string, updated: number, last: number) => ({ session, updated, runs: 1, last });
  const order = (...all: ReturnType<typeof one>[]) =>
    oldestFirst(all, NOW).map(({ session, updated }) => `${session} ${updated}`);

  it("goes before the runs that began after its own, and is as old as they are", () => {
    const all = [one("old", 1_000, 1), one("new", 90_000, 4), one("far", 900_000, 2), one("farther", 950_000, 3)];
    expect(order(...all)).toEqual(["old 1000", "far 90000", "farther 90000", "new 90000"]);
  });

  it("is the newest where it began last, and goes first where it has no run", () => {
    expect(order(one("a", 1_000, 1), one("later", 900_000, 2))).toEqual(["a 1000", "later 100000"]);
    expect(order(one("a", 1_000, 1), one("none", 900_000, 0))).toEqual(["none 1000", "a 1000"]);
  });

  it("leaves the order of dates alone where none is later than now", () => {
    fc.assert(
      fc.property(ordered, (all) => {
        expect(oldestFirst(all, 100)).toEqual(all);
      }),
    );
  });
});

describe("troupe gc", () => {
  let house: House;
  beforeEach(() => {
    house = openHouse(["acceptance/hello.yaml", "acceptance/talk.yaml", "acceptance/asleep.yaml"]);
  });
  afterEach(() => house.leave());

  const troupe = async (args: string[], env: { [name: string]: string } = {}) => {
    const one = house.troupe(args, { TROUPE_TRUST: "1", ...env });
    await one.ended;
    return one;
  };
  const collected = async (...args: string[]) =>
    JSON.parse((await troupe(["gc", "--format", "json", ...args])).lines.join(""));
  const stored = (statement: string): unknown[] => {
    const db = new DatabaseSync(house.store);
    try {
      return db
        .prepare(statement)
        .all()
        .map((row) => Object.values(row)[0]);
    } finally {
      db.close();
    }
  };
  const runs = () => stored("select id from run where parent is null order by at");

  const asleep = async (one: Started): Promise<void> => {
    for (let n = 1; !(await one.line(n)).includes("asleep now"); n++);
  };

  it("removes nothing without a limit, tells what would go, and then takes the oldest", async () => {
    for (let i = 0; i < 4; i++) await troupe(["run", "hello"]);
    const before = runs();
    expect(await collected()).toMatchObject({ sessions: 0, runs: 0, kept: 4 });
    expect(await collected("--max-runs", "1", "--dry-run")).toMatchObject({ dryRun: true, runs: 3, kept: 1 });
    expect(runs()).toEqual(before);
    expect(await collected("--max-runs", "1")).toMatchObject({ sessions: 3, runs: 3, kept: 1, free: 0 });
    expect(runs()).toEqual(before.slice(3));
    // Nothing of them is left in any table.
    for (const table of ["log", "actor"]) expect(stored(`select distinct session from ${table}`)).toHaveLength(1);
    expect(stored("pragma integrity_check")).toEqual(["ok"]);
  }, 60_000);

  it("keeps the run that began last where an earlier one is dated tomorrow", async () => {
    for (let i = 0; i < 3; i++) await troupe(["run", "hello"]);
    const before = stored("select id from run where parent is null order by rowid");
    const db = new DatabaseSync(house.store);
    db.exec("update session set updated=updated+86400000 where id in (select session from run order by rowid limit 1)");
    db.close();
    expect(await collected("--max-runs", "1")).toMatchObject({ runs: 2, kept: 1 });
    expect(runs()).toEqual(before.slice(2));
  }, 60_000);

  it("keeps what waits for an answer, whatever the limits say, and it can still be answered", async () => {
    await troupe(["run", "hello"]);
    await troupe(["run", "talk"]);
    expect(runs()).toHaveLength(2);
    expect(await collected("--max-age", "0h", "--max-runs", "1", "--max-size", "1KB")).toMatchObject({
      runs: 1,
      kept: 1,
    });
    expect(stored("select phase from run")).toEqual(["parked"]);
    expect((await troupe(["resume", String(runs()[0]), "--answer", "Ada"])).lines.join("")).toContain("Ada");
  }, 60_000);

  it("leaves what another process runs, and what a crash has cut off", async () => {
    const crashed = house.troupe(["run", "asleep", "--format", "json"], { TROUPE_TRUST: "1" });
    await asleep(crashed);
    crashed.kill();
    await crashed.ended;
    const busy = house.troupe(["run", "asleep", "--format", "json"], { TROUPE_TRUST: "1" });
    await asleep(busy);
    await troupe(["run", "hello"]);
    expect(runs()).toHaveLength(3);
    expect(await collected("--max-age", "0h", "--max-runs", "1")).toMatchObject({ runs: 1, kept: 2 });
    expect(stored("select phase from run")).toEqual(["open", "open"]);
  }, 60_000);

  it("is whole after kill -9 in the middle of a commit, and between two", async () => {
    for (let i = 0; i < 3; i++) await troupe(["run", "hello"]);
    for (const point of ["collect.inside:2", "collect.after"]) {
      await troupe(["gc", "--max-age", "0h"], { TROUPE_FAILPOINT: point });
      expect(stored("pragma integrity_check")).toEqual(["ok"]);
      const sessions = stored("select id from session order by id");
      for (const table of ["log join session on n=session", "actor", "run"]) {
        const session = table.startsWith("log") ? "id" : "session";
        expect(stored(`select distinct ${session} from ${table} order by ${session}`)).toEqual(sessions);
      }
    }
    await collected("--max-age", "0h");
    expect(runs()).toEqual([]);
  }, 60_000);
});
