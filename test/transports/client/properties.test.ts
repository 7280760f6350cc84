/**
 * The client's scenarios as properties over real sockets: the far end is another process. 200 seeds in all, or as many
 * as `TROUPE_TEST_FULL=1` multiplies them to.
 */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isClientError } from "../../../transports/client/connect.ts";
import { until } from "../../actors/process/support.ts";
import { ManualClock } from "../../support/manual-clock.ts";
import { Far, type Met } from "./far.ts";

const NONE = { pending: 0, timers: 0, sending: 0, waiting: 0 };
const TIMES = process.env["TROUPE_TEST_FULL"] === "1" ? 10 : 1;
let far: Far;
let cwd: string;
beforeAll(async () => {
  far = await Far.start();
  cwd = realpathSync(mkdtempSync(join(tmpdir(), "troupe-properties-")));
  expect(far.pid).not.toBe(process.pid);
});
afterAll(async () => {
  await far.end();
  rmSync(cwd, { recursive: true, force: true });
});

const seed = fc.integer({ min: 1, max: 1_000_000 });
const holds = <T>(runs: number, what: fc.Arbitrary<T>, so: (one: T) => Promise<void>): Promise<void> =>
  fc.assert(fc.asyncProperty(what, so), { numRuns: runs * TIMES });
/** One call that says who it is, and what became of it: its own answer, or the type of its error. */
const asked = (met: Met, name: string): Promise<string> =>
  met.client.calls.request("session/list", { cursor: name }).then(
    ({ nextCursor }) => (nextCursor === name.slice(0, 32) ? "success" : `the answer of ${nextCursor}`),
    (error) => (isClientError(error) ? error.type : String(error)),
  );
const many = (met: Met, count: number): Promise<string>[] =>
  Array.from({ length: count }, (_, i) => asked(met, `call ${i}`));
const turns = async (count: number): Promise<void> => {
  for (let i = 0; i < count; i++) await new Promise(setImmediate);
};
const nothingIsLeft = async ({ client }: Met, clock?: ManualClock): Promise<void> => {
  expect(client.counts).toEqual(NONE);
  await client.close();
  expect([client.counts, clock?.timers ?? 0]).toEqual([NONE, 0]);
};
const LONG = 120_000;

test(
  "S8: answers are matched by their exact id, whatever comes between them; later calls work",
  async () => {
    await holds(40, fc.record({ seed, hold: fc.integer({ min: 1, max: 20 }) }), async ({ seed, hold }) => {
      const met = await far.meet({ seed, hold, noise: true });
      expect(new Set(await Promise.all(many(met, hold)))).toEqual(new Set(["success"]));
      expect(new Set(await Promise.all(many(met, hold)))).toEqual(new Set(["success"]));
      await nothingIsLeft(met);
    });
  },
  LONG,
);

test(
  "S9: 40 sessions at once, answered in any order",
  async () => {
    await holds(15, seed, async (seed) => {
      const met = await far.meet({ seed, hold: 40 });
      const opened = await Promise.all(Array.from({ length: 40 }, () => met.client.newSession({ cwd })));
      expect(new Set(opened.map(({ id }) => id)).size).toBe(40);
      await nothingIsLeft(met);
    });
  },
  LONG,
);

test(
  "S10, S12: a close fails what is in flight with eof, once; a second changes nothing; later calls: notConnected",
  async () => {
    await holds(20, fc.integer({ min: 1, max: 60 }), async (count) => {
      const clock = new ManualClock();
      const met = await far.meet({ silent: true }, { clock });
      const calls = many(met, count);
      await until(() => met.client.counts.pending === count);
      await Promise.all([met.client.close(), met.client.close()]);
      expect(new Set(await Promise.all(calls))).toEqual(new Set(["eof"]));
      await met.client.close();
      expect(await asked(met, "late")).toBe("notConnected");
      await nothingIsLeft(met, clock);
    });
  },
  LONG,
);

test(
  "S11: of a close and the time limit the first decides, for every call, and only it",
  async () => {
    await holds(25, fc.record({ count: fc.integer({ min: 1, max: 20 }), isCloseFirst: fc.boolean() }), async (one) => {
      const clock = new ManualClock();
      const met = await far.meet({ silent: true }, { clock });
      const calls = many(met, one.count);
      await until(() => clock.timers === one.count);
      const steps = [() => void met.client.close(), () => clock.advance(60_000)];
      for (const step of one.isCloseFirst ? steps : steps.reverse()) step();
      const type = one.isCloseFirst ? "eof" : "requestTimeout";
      expect(await Promise.all(calls)).toEqual(calls.map(() => type));
      await met.client.close();
      await nothingIsLeft(met, clock);
    });
  },
  LONG,
);

test(
  "S14: 200 at once over a connection that reorders: ids are unique and consecutive",
  async () => {
    await holds(15, seed, async (seed) => {
      const met = await far.meet({ seed, hold: 200 });
      expect(new Set(await Promise.all(many(met, 200)))).toEqual(new Set(["success"]));
      const [ids] = (await met.heard()).ids;
      expect(ids).toEqual(Array.from({ length: 201 }, (_, i) => i));
      await nothingIsLeft(met);
    });
  },
  LONG,
);

test(
  "S15: 1,000 calls in a row leave nothing behind",
  async () => {
    const clock = new ManualClock();
    const met = await far.meet({}, { clock });
    for (let i = 0; i < 1_000; i++) expect(await asked(met, `${i}`)).toBe("success");
    await nothingIsLeft(met, clock);
  },
  LONG,
);

test(
  "S5, S16: with the gate full, those that are cancelled before their turn take no place; the others continue",
  async () => {
    const room = fc.record({
      gate: fc.integer({ min: 1, max: 2 }),
      leave: fc.array(fc.boolean(), { minLength: 1, maxLength: 12 }),
    });
    await holds(5, room, async ({ gate, leave }) => {
      const met = await far.meet({ pauseAfter: 1 }, { maxInFlightSends: gate });
      // More than the sockets of a system hold: these stay on their way out.
      const full = Array.from({ length: gate }, (_, i) => asked(met, `${i}`.padEnd(12 * 1024 * 1024, "x")));
      await until(() => met.client.counts.sending === gate);
      const off = new AbortController();
      const waiting = leave.map((leaves, i) => {
        if (!leaves) return asked(met, `waiting ${i}`);
        const call = met.client.calls.request("session/list", {}, { signal: off.signal });
        return call.then(
          () => "success",
          (error) => error.type as string,
        );
      });
      await until(() => met.client.counts.waiting === leave.length);
      off.abort();
      await until(() => met.client.counts.waiting === leave.filter((leaves) => !leaves).length);
      expect(met.client.counts.sending).toBe(gate);
      met.goOn();
      expect(await Promise.all(full)).toEqual(full.map(() => "success"));
      expect(await Promise.all(waiting)).toEqual(leave.map((leaves) => (leaves ? "cancelled" : "success")));
      await nothingIsLeft(met);
    });
  },
  LONG,
);

test(
  "S4, S17: connections that end anywhere: what is safe succeeds, and a prompt goes out once at most",
  async () => {
    const cuts = fc.array(fc.integer({ min: 0, max: 8 }), { minLength: 1, maxLength: 4 });
    await holds(30, fc.record({ cuts, count: fc.integer({ min: 1, max: 6 }) }), async ({ cuts, count }) => {
      const met = await far.meet({ cuts }, { reconnect: { attempts: 8, baseMs: 1, maxMs: 4 } });
      const session = await met.client.newSession({ cwd }).catch((error) => error.type as string);
      const prompts = Array.from({ length: typeof session === "string" ? 0 : count }, (_, i) =>
        met.client.calls
          .request("session/prompt", { sessionId: "s", prompt: [{ type: "text", text: `prompt ${i}` }] })
          .then(
            ({ stopReason }) => stopReason as string,
            (error) => error.type as string,
          ),
      );
      expect(new Set(await Promise.all(many(met, count)))).toEqual(new Set(["success"]));
      const ends = await Promise.all(prompts);
      const heard = (await met.heard()).prompts;
      expect(new Set(heard).size).toBe(heard.length);
      for (const [i, end] of ends.entries()) {
        expect(["end_turn", "outcomeUnknown"]).toContain(end);
        if (end === "end_turn") expect(heard).toContain(`prompt ${i}`);
      }
      if (typeof session === "string") expect(session).toBe("outcomeUnknown");
      expect(await asked(met, "later")).toBe("success");
      await nothingIsLeft(met);
    });
  },
  LONG,
);

test(
  "S18: 200 at once and a close at any moment: each has one of four ends, and nothing is left",
  async () => {
    const moment = fc.record({ seed, hold: fc.integer({ min: 1, max: 50 }), after: fc.integer({ min: 0, max: 60 }) });
    const seen = new Set<string>();
    await holds(40, moment, async ({ seed, hold, after }) => {
      const clock = new ManualClock();
      const met = await far.meet({ seed, hold }, { clock });
      const calls = many(met, 200);
      await turns(after);
      if (seed % 3 === 0) clock.advance(60_000);
      await met.client.close();
      calls.push(asked(met, "late"));
      for (const end of await Promise.all(calls)) {
        expect(["success", "eof", "notConnected", "requestTimeout"]).toContain(end);
        seen.add(end);
      }
      await nothingIsLeft(met, clock);
    });
    expect(seen).toEqual(new Set(["success", "eof", "notConnected", "requestTimeout"]));
  },
  LONG,
);
