/** Covers `ownership.ts`, `takeover.ts`: several processes want one session. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  ACCEPTED,
  OWNING_STAGES,
  refusal,
  rest,
  type Stage,
  speech,
  until,
  words,
  wordsOf,
} from "../../support/host.ts";
import { BIRTH, sessionKey } from "../../support/host-machines.ts";

const S = sessionKey("s");
const note = (text: string) => ({ type: "note.taken", text }) as never;
const work = (label: string) => ({ type: "work.asked", label }) as never;

describe.each(OWNING_STAGES)("ownership, %s", (_, open) => {
  let stage: Stage;
  beforeEach(() => {
    stage = open();
  });
  afterEach(() => stage.close());

  test("an idle session is answered by any process that is asked", async () => {
    const [first, second, third] = [stage.enter(), stage.enter(), stage.enter()];
    await first.host.create(S, BIRTH);
    for (const [text, { host }] of [
      ["2", second],
      ["1", first],
      ["3", third],
      ["2 again", second],
    ] as const)
      expect(await host.send(S, note(text))).toEqual(ACCEPTED);
    expect(words(first.host, S)).toEqual(["born", "2", "1", "3", "2 again"]);
    expect(first.host.head(S)).toBe(5);
    expect(third.host.read(S)).toEqual(first.host.read(S));
    expect([third.host.sessions.has(S), third.host.sessions.has(sessionKey("other"))]).toEqual([true, false]);
  });

  test("a session in which work runs is refused to others until the work has ended", async () => {
    const [first, second] = [stage.enter(), stage.enter()];
    await first.host.create(S, BIRTH);
    await first.host.send(S, work("a"));
    const job = await first.jobs.started(0);
    expect(await second.host.send(S, note("no"))).toEqual(refusal("owned"));
    expect(await second.host.send(S, note("no"), { dedupe: "d" })).toEqual(refusal("owned"));
    job.done("x");
    await until(() => words(first.host, S).includes("job done: x"));
    expect(await second.host.send(S, note("yes"), { dedupe: "d" })).toEqual(ACCEPTED); // a refusal is not remembered
    expect(words(second.host, S)).toEqual(["born", "job done: x", "yes"]);
  });

  test("an open question keeps its session, its answer frees it, and so does the end of the last of two", async () => {
    const [first, second] = [stage.enter(), stage.enter()];
    await first.host.create(S, BIRTH);
    await first.host.send(S, { type: "question.asked" });
    expect(await second.host.send(S, note("no"))).toEqual(refusal("owned"));
    const { children } = first.host.read(S)!;
    expect(await first.host.send(children["question"]!.key!, { type: "decision.made" })).toEqual(ACCEPTED);
    await until(() => words(first.host, S).includes("question done: yes"));
    expect(await second.host.send(S, note("yes"))).toEqual(ACCEPTED);
  });

  test("a question that was open at a crash keeps the session of who took it over", async () => {
    const first = stage.enter();
    await first.host.create(S, BIRTH);
    await first.host.send(S, { type: "question.asked" });
    first.crash();
    const [second, third] = [stage.enter(), stage.enter()];
    await second.host.send(S, note("taken"));
    expect(await third.host.send(S, note("no"))).toEqual(refusal("owned"));
    await second.host.send(second.host.read(S)!.children["question"]!.key!, { type: "decision.made" });
    await until(() => words(second.host, S).includes("question done: yes"));
    expect(await third.host.send(S, note("yes"))).toEqual(ACCEPTED);
  });

  test("work cut off by a crash is reported once, to who takes over, and not before an event demands it", async () => {
    const first = stage.enter();
    await first.host.create(S, BIRTH);
    await first.host.send(S, work("a"));
    await first.jobs.started(0);
    first.crash();
    const second = stage.enter();
    second.look();
    expect(second.host.read(S)).toMatchObject({ value: "working" });
    await rest();
    expect(words(second.host, S)).toEqual(["born"]);
    expect(await second.host.send(S, note("demand"))).toEqual(ACCEPTED);
    expect(words(second.host, S)).toEqual(["born", "owner lost", "job failed: INTERRUPTED", "demand"]);
    const third = stage.enter();
    expect(await third.host.send(S, note("later"))).toEqual(ACCEPTED);
    expect(words(third.host, S).slice(4)).toEqual(["later"]);
    expect(second.jobs.all).toEqual([]);
  });

  test("what arrives with the event that takes over waits for it, in order", async () => {
    const first = stage.enter();
    await first.host.create(S, BIRTH);
    await first.host.send(S, work("a"));
    await first.jobs.started(0);
    first.crash();
    const { host } = stage.enter();
    await Promise.all(["1", "2", "3"].map((text) => host.send(S, note(text))));
    expect(words(host, S)).toEqual(["born", "owner lost", "job failed: INTERRUPTED", "1", "2", "3"]);
  });

  test("an attempt that a crash cut off is tried once more where its machine says so", async () => {
    const first = stage.enter();
    await first.host.create(S, BIRTH);
    await first.host.send(S, { type: "retry.asked" });
    const cut = await first.jobs.started(0);
    first.crash();
    cut.done("from the grave");
    const second = stage.enter();
    await second.host.send(S, note("go on"));
    (await second.jobs.started(0)).done("second");
    await until(() => words(second.host, S).includes("job done: second"));
    expect(words(second.host, S)).toEqual([
      "born",
      "owner lost",
      "again after INTERRUPTED",
      "go on",
      "job done: second",
    ]);
    expect([...first.jobs.labels, ...second.jobs.labels]).toEqual(["attempt 1", "attempt 2"]);
    expect(second.jobs.all[0]!.context.attempt).not.toBe(cut.context.attempt);
  });

  test("of two that race for a dead owner's session exactly one gets it", async () => {
    const first = stage.enter();
    await first.host.create(S, BIRTH);
    await first.host.send(S, { type: "retry.asked" });
    await first.jobs.started(0);
    first.crash();
    const racers = [stage.enter(), stage.enter()];
    const answers = await Promise.all(racers.map(({ host }, i) => host.send(S, note(`racer ${i}`))));
    expect(answers.filter((answer) => answer.accepted)).toHaveLength(1);
    expect(answers).toContainEqual(refusal("owned"));
    expect(racers.flatMap(({ jobs }) => jobs.labels)).toEqual(["attempt 2"]);
  });

  test("who does not own a session follows it", async () => {
    const [first, second] = [stage.enter(), stage.enter()];
    await first.host.create(S, BIRTH);
    await first.host.send(S, work("a"));
    const { context } = await first.jobs.started(0);
    const seen: string[] = [];
    second.follow(S, (frames) => seen.push(...wordsOf(frames)));
    await until(() => seen.length === 1);
    context.text(speech("b")).say("hello");
    context.record({ type: "notice", payload: { severity: "info", message: "row" } });
    await until(() => first.host.head(S) === 3);
    await rest();
    expect(seen).toEqual(["born"]);
    second.look();
    await until(() => seen.length === 3);
    expect(seen).toEqual(["born", "b@0:hello", "row"]);
  });

  test("a foreign row is not missed because somebody else looked first", async () => {
    const [first, second] = [stage.enter(), stage.enter()];
    await first.host.create(S, BIRTH);
    const other = sessionKey("other");
    await second.host.create(other, BIRTH);
    const seen: string[] = [];
    second.follow(S, (frames) => seen.push(...wordsOf(frames)));
    await until(() => seen.length === 1);
    await first.host.send(S, note("seen by head"));
    expect(second.host.head(S)).toBe(2);
    second.look();
    await until(() => seen.length === 2);
    await first.host.send(S, note("seen by a tick"));
    await second.host.send(other, note("a tick"));
    second.look();
    await until(() => seen.length === 3);
    expect(seen).toEqual(["born", "seen by head", "seen by a tick"]);
  });

  test("several sessions of one dead owner are taken one by one, each by its own event", async () => {
    const keys = ["a", "b"].map(sessionKey);
    const first = stage.enter();
    for (const key of keys) {
      await first.host.create(key, BIRTH);
      await first.host.send(key, work("w"));
    }
    await first.jobs.started(1);
    first.crash();
    const [second, third] = [stage.enter(), stage.enter()];
    await Promise.all([second.host.send(keys[0]!, note("mine")), third.host.send(keys[1]!, note("mine"))]);
    for (const key of keys)
      expect(words(second.host, key)).toEqual(["born", "owner lost", "job failed: INTERRUPTED", "mine"]);
  });
});
