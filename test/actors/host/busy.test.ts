/** Covers I3 of `ticks.ts` and `patience.ts`: another process has the store's write lock, and keeps it. */
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { BUSY_LIMIT_MS, CROWDED_LIMIT_MS } from "../../../actors/host/patience.ts";
import { ATTACHMENTS_FILE } from "../../../actors/host/sqlite/attachments.ts";
import { CONVERSATIONS_FILE } from "../../../actors/host/sqlite/conversations.ts";
import { RETRY_WRITE_MS } from "../../../actors/host/ticks.ts";
import { ACCEPTED, EmbeddedStage, rest, speech, until, words, wordsOf } from "../../support/host.ts";
import { BIRTH, sessionKey } from "../../support/host-machines.ts";

const S = sessionKey("s");
const T = sessionKey("t");
const note = (text: string) => ({ type: "note.taken", text }) as never;
const row = (message: string) => ({ type: "notice", payload: { severity: "info", message } }) as const;

let stage: EmbeddedStage;
let other: DatabaseSync;
beforeEach(() => {
  stage = new EmbeddedStage();
});
afterEach(async () => {
  other.close();
  await stage.close();
});

/** A host with a job in S, and one that can take the lock, like a process that is stopped inside a transaction. */
const stuck = async () => {
  const faults: unknown[] = [];
  const actor = stage.enter({ onWriteFailed: (error) => faults.push(error) });
  await actor.host.create(S, BIRTH);
  await actor.host.create(T, BIRTH);
  await actor.host.send(S, { type: "work.asked", label: "a" } as never);
  const job = await actor.jobs.started(0);
  other = new DatabaseSync(stage.file);
  return { ...actor, job, faults, hold: () => other.exec("begin immediate"), free: () => other.exec("rollback") };
};
/** All that a host waits for comes due, bit by bit. */
const pass = async (ms: number): Promise<void> => {
  for (let passed = 0; passed < ms; passed += 250) {
    stage.clock.advance(250);
    await rest();
  }
};

test("who sends waits, and what work says comes in order when the lock is free", async () => {
  const { host, job, hold, free, faults } = await stuck();
  const seen: string[] = [];
  host.follow(S, { seq: 1, shown: new Map() }, (frames) => seen.push(...wordsOf(frames)));
  hold();
  const sent = host.send(S, note("sent"));
  job.context.record(row("one"));
  job.context.text(speech("b")).say("two");
  job.done("x");
  await pass(BUSY_LIMIT_MS / 2);
  expect(words(host, S)).toEqual(["born"]);
  free();
  await pass(500);
  expect(await sent).toEqual(ACCEPTED);
  expect(words(host, S)).toEqual(["born", "one", "b@0:two", "sent", "job done: x"]);
  await until(() => seen.includes("job done: x"));
  expect(seen.filter((word) => !word.startsWith("~"))).toEqual(words(host, S).slice(1));
  expect(faults).toEqual([]);
});

test("readers read meanwhile, and the event loop does not stand still", async () => {
  const { host, job, hold, free } = await stuck();
  hold();
  const began = performance.now();
  const sent = host.send(S, note("sent"));
  for (let i = 0; i < 20; i++) {
    job.context.record(row(String(i))); // each asks for a tick
    await rest();
  }
  // One try of 20 ms or so, not one for each of 20 ticks.
  expect(performance.now() - began).toBeLessThan(300);
  expect([host.head(T), host.read(T)?.value, words(host, T)]).toEqual([1, "idle", ["born"]]);
  const seen: string[] = [];
  host.follow(T, { seq: 0, shown: new Map() }, (frames) => seen.push(...wordsOf(frames)));
  await until(() => seen.length > 0);
  const late = stage.enter();
  expect(words(late.host, S)).toEqual(["born"]);
  await late.host.stop(); // who owns nothing has nothing to give up
  free();
  await pass(500);
  expect(await sent).toEqual(ACCEPTED);
});

test("a caller that waits too long gets an error, and what came from work is kept", async () => {
  const { host, job, hold, free, faults } = await stuck();
  hold();
  const sent = host.send(S, note("never"));
  const told = expect(sent).rejects.toMatchObject({ errcode: 5 });
  job.done("x");
  await pass(2 * BUSY_LIMIT_MS);
  await told;
  expect(faults.length).toBeGreaterThan(0);
  free();
  await pass(RETRY_WRITE_MS);
  await until(() => words(host, S).includes("job done: x"));
  expect(words(host, S)).toEqual(["born", "job done: x"]);
});

test("so it is where work spoke first, before a caller came and before the work ended", async () => {
  const { host, job, hold, free } = await stuck();
  hold();
  job.context.record(row("one"));
  await rest(); // a tick without mail has met the lock
  const told = expect(host.send(S, note("never"))).rejects.toMatchObject({ errcode: 5 });
  job.done("x");
  await pass(2 * BUSY_LIMIT_MS);
  await told;
  free();
  await pass(RETRY_WRITE_MS);
  await until(() => words(host, S).includes("job done: x"));
  expect(words(host, S)).toEqual(["born", "one", "job done: x"]);
});

/** Another process that always has the lock when this one looks, and commits now and then. */
const crowd = async (ms: number, { free, hold }: { free(): void; hold(): void }): Promise<void> => {
  for (let passed = 0; passed < ms; passed += BUSY_LIMIT_MS / 2) {
    await pass(BUSY_LIMIT_MS / 2);
    free();
    other.exec("create table if not exists crowd(n); insert into crowd values(1)");
    hold();
  }
};

test("while others commit, a caller waits for its turn (I1 of patience)", async () => {
  const { host, hold, free, faults } = await stuck();
  hold();
  const sent = host.send(S, note("sent"));
  await crowd(3 * BUSY_LIMIT_MS, { free, hold });
  expect(faults).toEqual([]);
  free();
  await pass(500);
  expect(await sent).toEqual(ACCEPTED);
});

test("and not for ever", async () => {
  const { host, hold, free } = await stuck();
  hold();
  const told = expect(host.send(S, note("never"))).rejects.toMatchObject({ errcode: 5 });
  await crowd(CROWDED_LIMIT_MS + BUSY_LIMIT_MS, { free, hold });
  await told;
  free();
  await pass(RETRY_WRITE_MS);
});

test("who was told, and owns nothing, stops at once", async () => {
  const { hold, free } = await stuck();
  hold();
  const late = stage.enter();
  const made = expect(late.host.create(sessionKey("late"), BIRTH)).rejects.toMatchObject({ errcode: 5 });
  await pass(2 * BUSY_LIMIT_MS);
  await made;
  await late.host.stop();
  free();
});

test("so it is with what is kept beside the log: who writes waits, who reads does not", async () => {
  const { host } = await stuck();
  const { attachments, conversations } = host;
  const piece = (id: string) => ({ type: "image", id, mimeType: "image/png", data: Buffer.from(id) }) as const;
  await attachments.keep(S, [piece("1")], 10);
  await conversations.add(S, "c", ["one"]);
  const locks = [ATTACHMENTS_FILE, CONVERSATIONS_FILE].map((name) => new DatabaseSync(join(dirname(stage.file), name)));
  for (const lock of locks) lock.exec("begin immediate");
  const began = performance.now();
  const written = Promise.all([attachments.keep(S, [piece("2")], 10), conversations.add(S, "c", ["two"])]);
  expect(attachments.read(S, "1")).toEqual(piece("1"));
  expect(await conversations.read(S, "c")).toEqual(["one"]);
  // Two tries to write of 20 ms.
  expect(performance.now() - began).toBeLessThan(300);
  for (const lock of locks) {
    lock.exec("rollback");
    lock.close();
  }
  await pass(500);
  await written;
  expect([attachments.read(S, "2"), await conversations.read(S, "c")]).toEqual([piece("2"), ["one", "two"]]);
});

test("a host that stops waits for the lock, but not for ever", async () => {
  const { host, hold, free } = await stuck();
  hold();
  const stopped = host.stop();
  let has = false;
  void stopped.then(() => {
    has = true;
  });
  await pass(BUSY_LIMIT_MS / 2);
  expect(has).toBe(false);
  await pass(2 * BUSY_LIMIT_MS);
  await stopped;
  free();
});

test("who stops lets what is kept beside the log have its turn first: its caller hears what became of it", async () => {
  const { host, hold, free } = await stuck();
  await host.stop();
  const last = stage.enter().host;
  hold();
  const kept = last.trust.keep("/p", 1);
  const stopped = last.stop();
  await pass(500);
  free();
  await pass(500);
  expect(await Promise.race([kept.then(() => "kept"), rest().then(() => "nothing")])).toBe("kept");
  await stopped;
});
