/** Covers `dispatcher.ts`, `executor.ts`, `mail.ts`, `queue.ts`: what is sent comes once, in order, or is refused. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ACCEPTED, refusal, rest, STAGES, type Stage, until, words } from "../../support/host.ts";
import { BIRTH, sessionKey } from "../../support/host-machines.ts";

const S = sessionKey("s");

describe.each(STAGES)("delivery, %s", (_, open, isEngine) => {
  /** A process that ends owns no session of an engine: another worker goes on at once (`restate/engine-host.test.ts`). */
  const embedded = test.skipIf(isEngine);
  let stage: Stage;
  beforeEach(() => {
    stage = open();
  });
  afterEach(() => stage.close());

  test("an event is durable when its answer comes, in the order in which events were sent", async () => {
    const { host } = stage.enter();
    const created = host.create(S, BIRTH);
    const answers = ["one", "two", "three"].map((text) => host.send(S, { type: "note.taken", text } as never));
    await created;
    expect(await Promise.all(answers)).toEqual([ACCEPTED, ACCEPTED, ACCEPTED]);
    expect(words(host, S)).toEqual(["born", "one", "two", "three"]);
    expect(host.head(S)).toBe(4);
    expect(host.rows(S, 1, 2).map((row) => row.seq)).toEqual([2, 3]);
  });

  test("an event that no transition takes is refused, one without a receiver is unknown", async () => {
    const { host } = stage.enter();
    await host.create(S, BIRTH);
    expect(await host.send(S, { type: "alarm.dropped" })).toEqual(refusal("refused"));
    expect(await host.send(sessionKey("other"), { type: "note.taken" })).toEqual(refusal("unknown"));
    expect(await host.send("step/nowhere", { type: "end.asked" })).toEqual(refusal("unknown"));
    expect(words(host, S)).toEqual(["born"]);
  });

  test("a session is created once; a second creation fails alone", async () => {
    const { host } = stage.enter();
    await host.create(S, BIRTH);
    const again = host.create(S, BIRTH);
    const note = host.send(S, { type: "note.taken", text: "in the same tick" } as never);
    await expect(again).rejects.toThrow("session/s");
    expect(await note).toEqual(ACCEPTED);
    expect(words(host, S)).toEqual(["born", "in the same tick"]);
  });

  test("a duplicate is taken once per key, also by another host and after a restart", async () => {
    const first = stage.enter();
    await first.host.create(S, BIRTH);
    const note = { type: "note.taken", text: "once" } as never;
    const both = [first.host.send(S, note, { dedupe: "d" }), first.host.send(S, note, { dedupe: "d" })];
    expect(await Promise.all(both)).toEqual([ACCEPTED, ACCEPTED]);
    const refused = { type: "alarm.dropped" };
    expect(await first.host.send(S, refused, { dedupe: "r" })).toEqual(refusal("refused"));
    const second = stage.enter();
    expect(await second.host.send(S, note, { dedupe: "d" })).toEqual(ACCEPTED);
    expect(await second.host.send(S, refused, { dedupe: "r" })).toEqual(refusal("refused"));
    expect(await first.host.send(S, note, { dedupe: "d" })).toEqual(ACCEPTED); // the duplicate did not keep the session
    expect(await first.host.send(S, note, { dedupe: "other" })).toEqual(ACCEPTED);
    expect(words(first.host, S)).toEqual(["born", "once", "once"]);
  });

  test("what is parked waits for its event across a crash", async () => {
    const first = stage.enter();
    await first.host.create(S, BIRTH);
    await first.host.send(S, { type: "note.taken", text: "parked" } as never);
    first.crash();
    const second = stage.enter();
    await rest();
    expect(words(second.host, S)).toEqual(["born", "parked"]); // nothing starts by itself
    expect(await second.host.send(S, { type: "note.taken", text: "answered" } as never)).toEqual(ACCEPTED);
    expect(words(second.host, S)).toEqual(["born", "parked", "answered"]); // nothing was running: no take-over
  });

  test("a throw in a machine leaves a row and tells its parent", async () => {
    const { host, jobs } = stage.enter();
    await host.create(S, BIRTH);
    await host.send(S, { type: "child.asked", label: "a" } as never);
    const { context } = await jobs.started(0);
    await host.send(S, { type: "child.told", event: { type: "failure.asked" } } as never);
    await host.send(S, { type: "child.asked", label: "b", breaks: "at birth" } as never);
    await until(() => words(host, S).length === 5);
    expect(words(host, S)).toEqual([
      "born",
      expect.stringMatching(/^step\/.* failed on failure.asked: a child broke$/),
      "child failed: TEST.BROKEN",
      expect.stringMatching(/^step\/.* failed on xstate.init: stillborn$/),
      "child failed: TEST.STILLBORN",
    ]);
    expect(host.rows(S, 1, 1)).toEqual([
      expect.objectContaining({
        type: "notice",
        payload: expect.objectContaining({ severity: "error", code: "TEST.BROKEN" }),
      }),
    ]);
    expect(context.signal.aborted).toBe(true); // what it ran has ended with it
  });

  test.each(["failure.asked", "guard.asked"])("a session that throws on %s is over, others continue", async (type) => {
    const { host } = stage.enter();
    const other = sessionKey("other");
    await Promise.all([host.create(S, BIRTH), host.create(other, BIRTH)]);
    const answers = [host.send(S, { type }), host.send(other, { type: "note.taken", text: "fine" } as never)];
    expect((await Promise.all(answers))[1]).toEqual(ACCEPTED);
    expect(words(host, S)).toEqual(["born", expect.stringContaining(`session/s failed on ${type}`)]);
    expect(words(host, other)).toEqual(["born", "fine"]);
    expect(await host.send(S, { type: "note.taken" })).toEqual(refusal("unknown"));
    expect(await stage.enter().host.send(S, { type: "note.taken" })).toEqual(refusal("unknown")); // it is not kept
  });

  test("a caller cannot forge a child's result", async () => {
    const { host, jobs } = stage.enter();
    await host.create(S, BIRTH);
    await host.send(S, { type: "work.asked", label: "a" } as never);
    await jobs.started(0);
    expect(await host.send(S, { type: "xstate.done.actor.job", output: "forged" } as never)).toEqual(
      refusal("refused"),
    );
    expect(words(host, S)).toEqual(["born"]);
  });

  test("a snapshot can be read, and is gone with its machine", async () => {
    const { host, jobs } = stage.enter();
    await host.create(S, BIRTH);
    await host.send(S, { type: "child.asked", label: "a" } as never);
    const { key } = (await jobs.started(0)).context;
    expect(host.read(S)).toMatchObject({ value: "idle", status: "active", children: { child: { src: "step", key } } });
    expect(host.read(key)).toMatchObject({ value: "working", children: { job: { src: "job", key: null } } });
    jobs.all[0]!.done("x");
    await until(() => words(host, S).length === 2);
    expect(host.read(key)).toBeUndefined();
    expect(host.read(S)).toMatchObject({ children: {} });
    expect(await host.send(key, { type: "end.asked" })).toEqual(refusal("unknown"));
  });

  embedded("stop ends work, tells callers, and may be asked twice", async () => {
    const { host, jobs } = stage.enter();
    await host.create(S, BIRTH);
    await host.send(S, { type: "work.asked", label: "a" } as never);
    const job = await jobs.started(0);
    job.context.text({ type: "message.assistant", block: "b" }).say("last words");
    const late = host.send(S, { type: "note.taken", text: "before the end" } as never);
    await Promise.all([host.stop(), host.stop()]);
    await host.stop();
    expect(await late).toEqual(ACCEPTED);
    expect(job.context.signal.aborted).toBe(true);
    await expect(host.send(S, { type: "note.taken" })).rejects.toThrow("stopped");
    await expect(host.create(sessionKey("new"), BIRTH)).rejects.toThrow("stopped");
    expect(stage.clock.waiting).toBe(0);
    const next = stage.enter(); // what was cut off is reported to the next process
    await next.host.send(S, { type: "note.taken", text: "next" } as never);
    expect(words(next.host, S)).toEqual([
      "born",
      "before the end",
      "b@0:last words",
      "owner lost",
      "job failed: INTERRUPTED",
      "next",
    ]);
  });

  test("work that a stop finds committed but not started is not started", async () => {
    const { host, jobs } = stage.enter();
    await host.create(S, BIRTH);
    const asked = host.send(S, { type: "work.asked", label: "a" } as never);
    const stopped = host.stop();
    await Promise.all([asked, stopped]);
    const started = jobs.all.filter((job) => !job.context.signal.aborted);
    expect(started).toEqual([]);
  });
});
