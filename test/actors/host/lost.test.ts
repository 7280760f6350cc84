/** Covers I4 of `embedded.ts`, I5 of `ownership.ts`, I1 and I2 of `loss.ts`: a living owner is taken for dead. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { ACCEPTED, EmbeddedStage, log, refusal, rest, speech, until, words, wordsOf } from "../../support/host.ts";
import { BIRTH, sessionKey } from "../../support/host-machines.ts";
import { databaseOf } from "../../support/sql.ts";

const S = sessionKey("s");
const T = sessionKey("t");
const note = (text: string) => ({ type: "note.taken", text }) as never;
const work = (label: string) => ({ type: "work.asked", label }) as never;
const row = (message: string) => ({ type: "notice", payload: { severity: "info", message } }) as const;
const GAVE_UP = "another process took this session over while one still ran it: that one gave its work up";

let stage: EmbeddedStage;
beforeEach(() => {
  stage = new EmbeddedStage();
});
afterEach(() => stage.close());

/** One that runs S and T, and another one that takes everybody for dead and has S. */
const robbed = async () => {
  const lost: string[] = [];
  const first = stage.enter({ onLost: (session) => lost.push(session) });
  for (const key of [S, T]) {
    await first.host.create(key, BIRTH);
    await first.host.send(key, work(key));
  }
  const jobs = [await first.jobs.started(0), await first.jobs.started(1)] as const;
  const blind = { self: "blind", prove: () => undefined, isAlive: () => false };
  const second = stage.enter({ owner: blind });
  expect(await second.host.send(S, note("mine"))).toEqual(ACCEPTED);
  await rest();
  expect(words(second.host, S)).toEqual(["born", "owner lost", "job failed: INTERRUPTED", "mine"]);
  await second.host.send(S, work("second")); // it keeps it
  return { first, second, lost, job: jobs[0], other: jobs[1] };
};
const inOrder = (host: Parameters<typeof log>[0]): void =>
  expect(log(host, S).map(({ seq }) => seq)).toEqual(log(host, S).map((_, i) => i + 1));

test("a row of work that was lost is not written: the work is given up, and a row says so", async () => {
  const { first, second, lost, job, other } = await robbed();
  job.context.text(speech("b")).say("never");
  job.context.record(row("never"));
  await until(() => lost.length > 0);
  expect(lost).toEqual([S]);
  expect(job.context.signal.aborted).toBe(true);
  expect(other.context.signal.aborted).toBe(false);
  await rest();
  expect(words(first.host, S).slice(3)).toEqual(["mine", GAVE_UP]);
  await second.host.send(S, note("on"));
  other.context.record(row("T goes on"));
  await until(() => words(first.host, T).includes("T goes on"));
  expect(words(second.host, S).slice(4)).toEqual([GAVE_UP, "on"]);
  inOrder(second.host);
});

test("a result of work that was lost reaches no one, and an event is refused", async () => {
  const { first, second, lost, job } = await robbed();
  job.done("late");
  expect(await first.host.send(S, note("no"))).toEqual(refusal("owned"));
  expect(lost).toEqual([S]);
  await rest();
  expect(words(second.host, S).slice(3)).toEqual(["mine", GAVE_UP]);
  (await second.jobs.started(0)).done("x");
  await until(() => words(second.host, S).includes("job done: x"));
  expect(words(second.host, S).slice(4)).toEqual([GAVE_UP, "job done: x"]);
  inOrder(second.host);
});

test("a session that came and went meanwhile is given up before it is taken anew", async () => {
  const { first, second, lost } = await robbed();
  (await second.jobs.started(0)).done("x");
  await until(() => words(second.host, S).includes("job done: x"));
  await rest();
  expect(await first.host.send(S, note("no"))).toEqual(refusal("owned"));
  expect(lost).toEqual([S]);
  expect(await first.host.send(S, note("yes"))).toEqual(ACCEPTED);
  expect(words(first.host, S).slice(4)).toEqual(["job done: x", GAVE_UP, "yes"]);
  inOrder(first.host);
});

test("its timers do not ring here any more, and its readers continue", async () => {
  const first = stage.enter();
  await first.host.create(S, BIRTH);
  await first.host.send(S, { type: "alarm.set", ms: 1_000 } as never);
  const seen: string[] = [];
  first.follow(S, (frames) => seen.push(...wordsOf(frames)));
  const second = stage.enter({ owner: { self: "blind", prove: () => undefined, isAlive: () => false } });
  await second.host.send(S, note("mine"));
  expect(await first.host.send(S, note("no"))).toEqual(refusal("owned"));
  stage.clock.advance(1_000);
  await until(() => words(second.host, S).includes("rang"));
  await rest();
  first.look();
  await until(() => seen.includes("rang"));
  expect(words(second.host, S)).toEqual(["born", "owner lost", "mine", GAVE_UP, "rang"]);
  expect(seen).toEqual(words(second.host, S));
});

test("the new owner shows its readers the row that the other one left", async () => {
  const { second, job, lost } = await robbed();
  const seen: string[] = [];
  second.follow(S, (frames) => seen.push(...wordsOf(frames)));
  await until(() => seen.length > 0);
  job.context.record(row("never"));
  await until(() => lost.length > 0);
  await second.host.send(S, note("on"));
  await until(() => seen.includes("on"));
  expect(seen).toEqual(words(second.host, S));
});

test("a session that was deleted meanwhile is given up without a row", async () => {
  const { first, second, lost, job } = await robbed();
  (await second.jobs.started(0)).done("x");
  await until(() => words(second.host, S).includes("job done: x"));
  await rest();
  expect(await second.host.remove(S)).toBe("removed");
  job.context.record(row("never"));
  await until(() => lost.length > 0);
  expect(words(first.host, S)).toEqual([]);
});

test("what is lost is given up too when the tick that finds it cannot be written", async () => {
  const { first, lost, job } = await robbed();
  const pages = (n: number) => databaseOf(first.host.store).exec(`pragma max_page_count=${n}`);
  pages(1);
  const big = first.host.send(T, note("x".repeat(100_000)));
  job.context.record(row("never"));
  await expect(big).rejects.toThrow("full");
  expect(lost).toEqual([]);
  pages(1_000_000);
  await first.host.send(T, note("free"));
  expect(lost).toEqual([S]);
  expect(words(first.host, S).at(-1)).toBe(GAVE_UP);
});
