import { DatabaseSync } from "node:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { RETRY_WRITE_MS } from "../../../actors/host/embedded.ts";
import type { Inspection } from "../../../actors/host/interpret.ts";
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

const S = sessionKey("s");
const note = (text: string) => ({ type: "note.taken", text }) as never;
const row = (message: string) => ({ type: "notice", payload: { severity: "info", message } }) as const;

let stage: EmbeddedStage;
beforeEach(() => {
  stage = new EmbeddedStage();
});
afterEach(() => stage.close());

describe("group commit", () => {
  test("all that arrives in one tick is one transaction", async () => {
    const moments: string[] = [];
    const { host } = stage.enter({ failpoint: (name) => moments.push(name) });
    await Promise.all(
      Array.from({ length: 10 }, async (_, i) => {
        const key = sessionKey(String(i));
        const created = host.create(key, BIRTH);
        await Promise.all([created, host.send(key, note("a")), host.send(key, note("b"))]);
      }),
    );
    expect(moments).toEqual(["commit.before", "commit.inside", "commit.after"]);
    await rest(); // a tick without anything to write is no transaction
    expect(moments).toHaveLength(3);
  });

  test("a tick that takes too long is cut, and goes on where it was", async () => {
    const { host } = stage.enter();
    await host.create(S, BIRTH);
    const texts = Array.from({ length: 4_000 }, (_, i) => String(i));
    const answers = await Promise.all(texts.map((text) => host.send(S, note(text))));
    expect(answers.every((answer) => answer.accepted)).toBe(true);
    expect(words(host, S)).toEqual(["born", ...texts]);
  });

  test("what a cut tick has left survives a crash, once", async () => {
    const commits: number[] = [];
    const first = stage.enter({ failpoint: (name) => void (name === "commit.after" && commits.push(1)) });
    await first.host.create(S, BIRTH);
    const texts = Array.from({ length: 2_000 }, (_, i) => String(i));
    const before = commits.length;
    // Each causes one mail of the host's own. The first tick delivers the causes and, at best, some of these.
    const causes = texts.map((text) =>
      first.host.send(S, { type: "echo.asked", text } as never).catch(() => undefined),
    );
    await until(() => commits.length > before);
    first.crash();
    await Promise.all(causes);
    const next = stage.enter();
    await next.host.send(S, note("next"));
    await rest();
    const echoed = words(next.host, S).filter((word) => /^\d+$/.test(word));
    expect(echoed).toEqual(texts.slice(0, echoed.length)); // in order, none twice, none skipped
    expect(next.host.store.query("select count(*) as n from mail")).toEqual([{ n: 0 }]);
  });
});

describe("a tick that cannot be written", () => {
  /** Runs with a host over a store that a test can fill and free again. */
  const full = async () => {
    const faults: unknown[] = [];
    const actor = stage.enter({ onWriteFailed: (error) => faults.push(error) });
    const { host, jobs } = actor;
    await host.create(S, BIRTH);
    const pages = (n: number) => host.store.db.exec(`pragma max_page_count=${n}`);
    return {
      ...actor,
      faults,
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
    const other = stage.enter(); // and nobody keeps what was not taken
    expect(await other.host.send(S, note("other"))).toEqual(ACCEPTED);
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

  test("a question that never was keeps nobody, one that was not answered after all still does", async () => {
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
    const pages = (n: number) => host.store.db.exec(`pragma max_page_count=${n}`);
    pages(1);
    await expect(host.send(S, note("x".repeat(100_000)))).rejects.toThrow("full");
    expect(words(host, S)).toEqual(["born"]);
    pages(1_000_000);
    stage.clock.advance(RETRY_WRITE_MS);
    await rest();
    expect(words(host, S)).toEqual(["born"]); // nobody demands it now
    await host.send(S, note("again"));
    expect(words(host, S)).toEqual(["born", "owner lost", "job failed: INTERRUPTED", "again"]);
  });
});

describe("inspection", () => {
  const heard = (events: Inspection[]) =>
    events.map(({ type, actorRef, event }) => [type.slice(8), actorRef.id, ...(event ? [event.type] : [])]);

  test("an inspector sees actors, events and snapshots of durable machines, after the commit", async () => {
    const events: Inspection[] = [];
    const committed = () => Number(new DatabaseSync(stage.file).prepare("select count(*) as n from actor").get()!["n"]);
    let atFirst: number | undefined;
    const { host, jobs } = stage.enter({
      inspect: (event) => {
        atFirst ??= committed();
        events.push(event);
      },
    });
    await host.create(S, BIRTH);
    await host.send(S, { type: "child.asked", label: "a" } as never);
    const { key } = (await jobs.started(0)).context;
    jobs.all[0]!.done("x");
    await until(() => words(host, S).length === 2);
    await rest();
    expect(atFirst).toBe(1);
    expect(heard(events)).toEqual([
      ["actor", S],
      ["event", S, "xstate.init"],
      ["snapshot", S],
      ["event", S, "child.asked"],
      ["snapshot", S],
      ["actor", key],
      ["event", key, "xstate.init"],
      ["snapshot", key],
      ["event", key, "xstate.done.actor.job"],
      ["snapshot", key],
      ["event", S, "xstate.done.actor.child"],
      ["snapshot", S],
    ]);
    expect(events.every(({ rootId }) => rootId === S)).toBe(true);
    const snapshots = events.filter(({ type }) => type === "@xstate.snapshot").map(({ snapshot }) => snapshot!.value);
    expect(snapshots).toEqual(["idle", "idle", "working", "ended", "idle"]);
  });

  test("an inspector that throws changes nothing", async () => {
    const { host } = stage.enter({
      inspect: () => {
        throw new Error("a viewer's bug");
      },
    });
    await host.create(S, BIRTH);
    expect(await host.send(S, note("fine"))).toEqual(ACCEPTED);
  });

  test("what a tick undid is not seen", async () => {
    const events: Inspection[] = [];
    const { host } = stage.enter({ inspect: (event) => events.push(event) });
    await host.create(S, BIRTH);
    await rest();
    events.length = 0;
    host.store.db.exec("pragma max_page_count=1");
    await Promise.allSettled([host.send(S, note("x".repeat(100_000)))]);
    host.store.db.exec("pragma max_page_count=1000000");
    await host.send(S, note("seen"));
    await rest();
    expect(heard(events)).toEqual([
      ["event", S, "note.taken"],
      ["snapshot", S],
    ]);
  });
});

test("rows of this process's own are told after their commit, others' are not", async () => {
  const told: string[] = [];
  const { host } = stage.enter({ onRow: (session, exchange) => told.push(`${session} ${exchange.seq}`) });
  const other = stage.enter();
  await host.create(S, BIRTH);
  await other.host.send(S, note("other"));
  await host.send(S, note("own"));
  await rest();
  expect(told).toEqual([`${S} 1`, `${S} 3`]);
});

test("a store of a later version is refused", async () => {
  stage.enter().host.store.db.exec("pragma user_version=99");
  expect(() => stage.enter()).toThrow("later version (schema 99");
});
