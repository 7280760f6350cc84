/**
 * Covers `services.ts`, `taking.ts`, `outcomes.ts`, `handing-back.ts`: what workers do for an engine, tried again wherever a try
 * ends. The engine is one in memory; `test/cluster/` has the real one.
 */
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { inputSecret } from "../../../../actors/masking/given.ts";
import { Masking } from "../../../../actors/masking/masking.ts";
import { type Came, DEED, type Deed, onCells } from "../../../support/deeds.ts";
import { EngineStage, type Entered } from "../../../support/engine-stage.ts";
import { type Job, log, until, words } from "../../../support/host.ts";
import { BIRTH, sessionKey } from "../../../support/host-machines.ts";
import type { MemoryEngine } from "../../../support/memory-engine/engine.ts";
import { engineRest, memoryEngine } from "../../../support/memory-engine/stage.ts";

const S = sessionKey("s");
let stage: EngineStage;
let engine: MemoryEngine;
let workers: Entered[];
const open = (): void => {
  stage = new EngineStage(
    memoryEngine((made) => {
      engine = made;
    }),
  );
  workers = [stage.enter(), stage.enter()];
};
beforeEach(open);
afterEach(async () => {
  expect(engine.failed).toEqual([]);
  await stage.close();
});

async function onEngine(deeds: readonly Deed[]): Promise<Came> {
  const [{ host }] = workers as [Entered];
  const ended = new Set<unknown>();
  const jobs: Job[] = [];
  const answers: unknown[] = [];
  const ends: number[] = [];
  await host.create(S, BIRTH);
  for (const deed of deeds) {
    if (deed.do === "send") answers.push(await host.send(S, deed.event));
    else if (deed.do === "wait") await stage.passes(deed.ms);
    else {
      const running = jobs.filter((job) => !ended.has(job) && !job.context.signal.aborted);
      const job = running[deed.n % Math.max(1, running.length)];
      if (job !== undefined) ended.add(job);
      if (deed.code === null) job?.done("ok");
      else job?.fail(deed.code);
    }
    await engineRest();
    const started = workers.flatMap((worker) => worker.jobs.all.filter((job) => !jobs.includes(job)));
    jobs.push(...started.sort((a, b) => (a.label < b.label ? -1 : 1)));
    ends.push(host.head(S));
  }
  return { rows: log(host, S), answers, ends };
}

/** What works that run at once come to has no order, nor is told how many machines were named in vain. */
function ordered({ rows, answers, ends }: Came): unknown {
  const saidOf = ({ seq: _, ...row }: object & { seq: number }): string =>
    JSON.stringify(row).replaceAll(/(step|permission)-\d+/g, "$1");
  const parts = ends.map((end, i) => rows.slice(ends[i - 1] ?? 0, end).map(saidOf));
  return [parts.map((part) => part.sort()), rows.map(({ seq }) => seq), answers];
}

test("any script gives what cells give, wherever tries of its events end, and whoever goes on (I1, I2)", async () => {
  const breaking = fc.infiniteStream(fc.integer({ min: 0, max: 9 }));
  await fc.assert(
    fc.asyncProperty(fc.array(DEED, { maxLength: 25 }), breaking, async (deeds, chance) => {
      open();
      // Work that another worker goes on with was cut off; that is another test's.
      engine.breaks = ({ handler }) => handler !== "carry" && chance.next().value === 0;
      expect(ordered(await onEngine(deeds))).toEqual(ordered(onCells(deeds)));
      expect(engine.failed).toEqual([]);
      await stage.close();
    }),
    { numRuns: Number(process.env["TROUPE_PROPERTY_RUNS"] ?? 100), seed: 22 },
  );
});

test("work is heard of once, wherever its call ends: what it came to, or that it was cut off (I4)", async () => {
  const heard = new Set<string>();
  for (let at = 0; ; at++) {
    open();
    let entries = 0;
    engine.breaks = ({ handler }) => handler === "carry" && entries++ === at;
    const [{ host }] = workers as [Entered];
    await host.create(S, BIRTH);
    await host.send(S, { type: "work.asked", label: "a" } as never);
    await engineRest();
    for (const { jobs } of workers) for (const job of jobs.all) job.done("ok");
    await engineRest();
    // A call that was let go may be joined for a while: only then its work ends (work-side.ts).
    await stage.passes(5_000);
    expect(words(host, S)).toHaveLength(2);
    heard.add(words(host, S)[1] ?? "");
    expect([workers.flatMap(({ jobs }) => jobs.all).length, engine.failed]).toEqual([expect.toBeOneOf([0, 1]), []]);
    await stage.close();
    if (entries <= at) break;
  }
  expect([...heard].sort()).toEqual(["job done: ok", "job failed: INTERRUPTED"]);
});

test("work with a tag is done by a worker that has it, as soon as one comes; its session is told that it waits", async () => {
  const { host } = stage.enter({ tag: "shop" });
  await host.create(S, BIRTH);
  await host.send(S, { type: "work.asked", label: "a" } as never);
  await engineRest();
  const waits = 'no worker with the tag "shop" answers: this goes on when one comes (troupe worker --tag shop)';
  expect(words(host, S)).toEqual(["born", waits]);
  const { jobs } = stage.enter({ tags: ["mill", "shop"] });
  (await jobs.started(0)).done("ok");
  await until(() => words(host, S).length === 3);
  expect(words(host, S)).toEqual(["born", waits, "job done: ok"]);
  expect(workers.flatMap((worker) => worker.jobs.all)).toEqual([]);
});

test("work that lacks a secret is asked for anew, ever later, until a worker knows it; that is said once", async () => {
  await stage.close();
  stage = new EngineStage(memoryEngine());
  const typed = new Masking();
  const VALUE = "a-value-nobody-says";
  typed.learn(inputSecret("turn-1", "api_token"), VALUE);
  const lacking = stage.enter({ mask: new Masking() });
  const { host, leave } = stage.enter({ mask: typed });
  await leave();
  await host.create(S, BIRTH);
  await host.send(S, { type: "work.asked", label: VALUE } as never);
  const fails = async (n: number): Promise<void> =>
    (await lacking.jobs.started(n)).fail("USER.INPUT.MISSING", "the value of api_token is secret");
  await fails(0);
  await engineRest();
  const asked: number[] = [];
  for (let seconds = 0; seconds < 134; seconds++) {
    await stage.passes(1_000);
    if (lacking.jobs.all.length === asked.length + 1) continue;
    asked.push(seconds + 1);
    await fails(asked.length);
    await engineRest();
  }
  expect(asked).toEqual([2, 6, 14, 30, 62, 122]); // each time twice as long, a minute at most
  const waits =
    "a worker does not know the secret api_token: this goes on when one comes that has TROUPE_INPUT_API_TOKEN in its environment";
  expect(words(host, S)).toEqual(["born", waits]);
  await lacking.leave();
  const knowing = stage.enter({ mask: typed });
  await stage.passes(60_000);
  const job = await knowing.jobs.started(0);
  expect(job.label).toBe(VALUE);
  job.done("ok");
  await until(() => words(host, S).includes("job done: ok"));
});
