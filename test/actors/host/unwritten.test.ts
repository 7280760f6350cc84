/** Covers I2 of `ticks.ts`, `outbox.ts`: a tick that cannot be written. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { RETRY_WRITE_MS } from "../../../actors/host/ticks.ts";
import {
  ACCEPTED,
  EmbeddedStage,
  log,
  refusal,
  rest,
  speech,
  turn,
  until,
  words,
  wordsOf,
} from "../../support/host.ts";
import { BIRTH, sessionKey } from "../../support/host-machines.ts";
import { databaseOf } from "../../support/sql.ts";

const S = sessionKey("s");
const note = (text: string) => ({ type: "note.taken", text }) as never;
const row = (message: string) => ({ type: "notice", payload: { severity: "info", message } }) as const;

let stage: EmbeddedStage;
beforeEach(() => {
  stage = new EmbeddedStage();
});
afterEach(() => stage.close());

describe("a tick that cannot be written", () => {
  /** Runs with a host over a store that a test can fill and free again. */
  const full = async () => {
    const faults: unknown[] = [];
    const failed: string[][] = [];
    const onWriteFailed = (error: unknown, sessions: ReadonlySet<string>): void => {
      faults.push(error);
      failed.push([...sessions].sort());
    };
    const actor = stage.enter({ onWriteFailed });
    const { host, jobs } = actor;
    await host.create(S, BIRTH);
    const pages = (n: number) => databaseOf(host.store).exec(`pragma max_page_count=${n}`);
    return {
      ...actor,
      faults,
      failed,
      host,
      jobs,
      fill: () => pages(1), // SQLite takes the present size instead: nothing more fits
      free: () => pages(1_000_000),
      big: (text: string) => note(text + "x".repeat(100_000)),
    };
  };

  test("leaves nothing behind, its callers are told, and later ones work", async () => {
    const { host, faults, fill, free, big, jobs } = await full();
    const before = log(host, S);
    fill();
    const answers = await Promise.allSettled([
      host.send(S, big("a")),
      host.send(S, { type: "work.asked", label: "never" } as never),
      host.create(sessionKey("never"), BIRTH),
    ]);
    expect(answers.map((answer) => answer.status)).toEqual(["rejected", "rejected", "rejected"]);
    expect(faults).toHaveLength(1);
    expect(log(host, S)).toEqual(before);
    expect(host.head(S)).toBe(1);
    expect(host.read(S)).toMatchObject({ value: "idle", starts: 0 });
    free();
    expect(await host.send(S, note("later"))).toEqual(ACCEPTED);
    expect(await host.send(sessionKey("never"), note("?"))).toEqual(refusal("unknown"));
    await host.create(sessionKey("never"), BIRTH);
    expect(words(host, S)).toEqual(["born", "later"]);
    expect(jobs.all).toEqual([]);
    const other = stage.enter(); // and what was not taken is not kept
    expect(await other.host.send(S, note("other"))).toEqual(ACCEPTED);
  });

  test("hears of its own sessions, and not of those that wrote nothing in it", async () => {
    const { host, failed, fill, free, big, jobs } = await full();
    const [calm, busy] = [sessionKey("calm"), sessionKey("busy")];
    await host.create(calm, BIRTH);
    await host.create(busy, BIRTH);
    await host.send(busy, { type: "work.asked", label: "a" } as never);
    await host.send(calm, { type: "work.asked", label: "b" } as never);
    const [job] = [await jobs.started(0), await jobs.started(1)];
    fill();
    const answer = host.send(S, big("a")).catch(() => undefined);
    job.context.record(row("x".repeat(100_000)));
    await answer;
    expect(failed).toEqual([[busy, S].sort()]);
    free();
    expect(await host.send(calm, note("later"))).toEqual(ACCEPTED);
  });

  test("rows, text and the result of work are tried again, in order, and offsets stay contiguous", async () => {
    const { host, jobs, faults, fill, free } = await full();
    await host.send(S, { type: "work.asked", label: "a" } as never);
    const job = await jobs.started(0);
    const block = job.context.text(speech("b"));
    block.say("one ");
    job.context.record(row("before"));
    await until(() => host.head(S) === 3);
    const seen: string[] = [];
    host.follow(S, { seq: 3, shown: new Map() }, (frames) => seen.push(...wordsOf(frames)));
    fill();
    block.say("two ".repeat(50_000));
    job.context.record(row("during"));
    await until(() => faults.length === 1);
    block.say("three");
    job.done("x");
    await until(() => faults.length === 2);
    expect(words(host, S)).toEqual(["born", "b@0:one ", "before"]);
    free();
    stage.clock.advance(RETRY_WRITE_MS);
    await until(() => words(host, S).includes("job done: x"));
    const two = "two ".repeat(50_000);
    expect(words(host, S).slice(3)).toEqual([`b@4:${two}`, "during", `b@${4 + two.length}:three`, "job done: x"]);
    expect(log(host, S).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6, 7]);
    await until(() => seen.includes("job done: x"));
    expect(seen.filter((word) => !word.startsWith("~"))).toEqual(words(host, S).slice(3));
    expect(await stage.enter().host.send(S, note("free"))).toEqual(ACCEPTED);
  });

  test("what it caused itself is not delivered twice", async () => {
    const { host, jobs, faults, fill, free } = await full();
    const end = "y".repeat(100_000);
    await host.send(S, { type: "work.asked", label: "echo" } as never);
    const job = await jobs.started(0);
    fill();
    job.done(end); // its machine sends this to itself, as mail
    await until(() => faults.length === 1);
    free();
    stage.clock.advance(RETRY_WRITE_MS);
    await until(() => words(host, S).length > 1);
    await rest();
    expect(words(host, S)).toEqual(["born", `echo of ${end}`]);
  });

  test("timers that were set stay set, due ones come again, cancelled ones come back with what cancelled them", async () => {
    const { host, faults, fill, free, big } = await full();
    const T = sessionKey("t");
    await host.create(T, BIRTH);
    await host.send(S, { type: "alarm.set", ms: 5_000 } as never);
    await host.send(T, { type: "alarm.set", ms: 1_000 } as never);
    fill();
    const undone = Promise.allSettled([host.send(S, { type: "alarm.dropped" }), host.send(S, big("no"))]);
    stage.clock.advance(1_000); // T's is due in the tick that fails
    expect((await undone).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
    expect(faults).toHaveLength(1);
    free();
    stage.clock.advance(RETRY_WRITE_MS);
    await turn();
    stage.clock.advance(0);
    await until(() => words(host, T).includes("rang"));
    expect(words(host, S)).toEqual(["born"]);
    expect(await stage.enter().host.send(S, note("no"))).toEqual(refusal("owned")); // its timer still runs
    stage.clock.advance(5_000);
    await until(() => words(host, S).includes("rang"));
    expect([words(host, S), words(host, T)]).toEqual([
      ["born", "rang"],
      ["born", "rang"],
    ]);
  });

  test("work hears of a cancel only when it is committed", async () => {
    const { host, jobs, fill, free, big } = await full();
    await host.send(S, { type: "work.asked", label: "a" } as never);
    const { context } = await jobs.started(0);
    fill();
    await Promise.allSettled([host.send(S, { type: "work.dropped" }), host.send(S, big("no"))]);
    expect(context.signal.aborted).toBe(false);
    await Promise.allSettled([host.send(S, { type: "cancel.requested" }), host.send(S, big("no"))]);
    expect(context.signal.aborted).toBe(false);
    free();
    await host.send(S, { type: "cancel.requested" });
    await until(() => words(host, S).includes("job failed: ABORTED"));
  });

  test("a question that never was keeps no process, one that was not answered after all still does", async () => {
    const { host, fill, free, big } = await full();
    fill();
    await Promise.allSettled([host.send(S, { type: "question.asked" }), host.send(S, big("no"))]);
    free();
    await host.send(S, note("idle"));
    const other = stage.enter();
    expect(await other.host.send(S, note("free"))).toEqual(ACCEPTED);
    await host.send(S, { type: "question.asked" });
    const question = host.read(S)!.children["question"]!.key!;
    fill();
    await Promise.allSettled([host.send(question, { type: "decision.made" }), host.send(S, big("no"))]);
    free();
    await host.send(S, note("still asking"));
    expect(await other.host.send(S, note("no"))).toEqual(refusal("owned"));
    await host.send(question, { type: "decision.made" });
    await until(() => words(host, S).includes("question done: yes"));
    expect(await other.host.send(S, note("free again"))).toEqual(ACCEPTED);
  });

  test("a take-over that fails is done again in full", async () => {
    const first = stage.enter();
    await first.host.create(S, BIRTH);
    await first.host.send(S, { type: "work.asked", label: "a" } as never);
    await first.jobs.started(0);
    first.crash();
    const { host } = stage.enter();
    const pages = (n: number) => databaseOf(host.store).exec(`pragma max_page_count=${n}`);
    pages(1);
    await expect(host.send(S, note("x".repeat(100_000)))).rejects.toThrow("full");
    expect(words(host, S)).toEqual(["born"]);
    pages(1_000_000);
    stage.clock.advance(RETRY_WRITE_MS);
    await rest();
    expect(words(host, S)).toEqual(["born"]); // it is not demanded now
    await host.send(S, note("again"));
    expect(words(host, S)).toEqual(["born", "owner lost", "job failed: INTERRUPTED", "again"]);
  });
});
