import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { MOST_DEEP } from "../../../actors/base/limits.ts";
import { ACCEPTED, rest, STAGES, type Stage, until, words } from "../../support/host.ts";
import { BIRTH, sessionKey } from "../../support/host-machines.ts";

const S = sessionKey("s");
const nested = (deep: number): unknown => JSON.parse("[".repeat(deep) + "]".repeat(deep));

describe.each(STAGES)("work, %s", (_, open, isEngine) => {
  /** On an engine, words of the last quarter of a second are lost: `restate/engine-host.test.ts` has what stays. */
  const embedded = test.skipIf(isEngine);
  let stage: Stage;
  beforeEach(() => {
    stage = open();
  });
  afterEach(() => stage.close());

  test("work answers its machine; a failure crosses as code and message", async () => {
    const { host, jobs } = stage.enter();
    await host.create(S, BIRTH);
    await host.send(S, { type: "work.asked", label: "a" } as never);
    (await jobs.started(0)).done("ok");
    await until(() => words(host, S).includes("job done: ok"));
    await host.send(S, { type: "work.asked", label: "b" } as never);
    (await jobs.started(1)).fail("TEST.CODE");
    await until(() => words(host, S).length === 3);
    expect(words(host, S)).toEqual(["born", "job done: ok", "job failed: TEST.CODE"]);
    expect(new Set(jobs.all.map((job) => job.context.attempt)).size).toBe(2);
  });

  test.each([
    ["nothing of this name", undefined, "SYSTEM.INTERNAL.UNMAPPED"],
    [
      "a throw before its promise",
      () => {
        throw Object.assign(new Error("no"), { code: "TEST.SYNC" });
      },
      "TEST.SYNC",
    ],
    ["a disk that is full", () => Promise.reject({ code: "ENOSPC", message: "no" }), "SYSTEM.IO.WRITE_FAILED"],
    ["a store beside that is busy", () => Promise.reject({ errcode: 5, message: "no" }), "SYSTEM.STORE.BUSY"],
    ["a value of which no text can be made", () => Promise.reject(Object.create(null)), "SYSTEM.INTERNAL.UNMAPPED"],
    ["a result that is no JSON", async () => 1n, "SYSTEM.INTERNAL.UNMAPPED"],
    ["a result that is nested too deep", async () => nested(MOST_DEEP + 1), "SYSTEM.INTERNAL.UNMAPPED"],
  ])("work that is broken fails alone: %s", async (_name, work, code) => {
    const { host } = stage.enter();
    host.work("job", work as never);
    await host.create(S, BIRTH);
    await host.send(S, { type: "work.asked", label: "a" } as never);
    await until(() => words(host, S).length > 1);
    expect(words(host, S)).toEqual(["born", `job failed: ${code}`]);
    expect(await host.send(S, { type: "note.taken", text: "goes on" } as never)).toEqual(ACCEPTED);
  });

  test("a failed attempt is tried once more by its machine", async () => {
    const { host, jobs } = stage.enter();
    await host.create(S, BIRTH);
    await host.send(S, { type: "retry.asked" });
    (await jobs.started(0)).fail("FIRST");
    (await jobs.started(1)).done("second");
    await until(() => words(host, S).length === 3);
    expect(words(host, S)).toEqual(["born", "again after FIRST", "job done: second"]);
    expect(jobs.labels).toEqual(["attempt 1", "attempt 2"]);
  });

  test("the late result of an older start is dropped", async () => {
    const { host, jobs } = stage.enter();
    await host.create(S, BIRTH);
    await host.send(S, { type: "work.asked", label: "a" } as never);
    const old = await jobs.started(0);
    old.done("old"); // its result is under way when the restart arrives
    await host.send(S, { type: "work.restarted" });
    const young = await jobs.started(1);
    await rest();
    expect(words(host, S)).toEqual(["born"]);
    young.done("young");
    await until(() => words(host, S).length === 2);
    expect(words(host, S)).toEqual(["born", "job done: young"]);
  });

  embedded("work that is given up hears it, and can no longer write", async () => {
    const { host, jobs } = stage.enter();
    await host.create(S, BIRTH);
    await host.send(S, { type: "work.asked", label: "a" } as never);
    const { context } = await jobs.started(0);
    const block = context.text({ type: "message.assistant", block: "b" });
    block.say("said");
    expect(await host.send(S, { type: "work.dropped" })).toEqual(ACCEPTED);
    await until(() => context.signal.aborted);
    block.say("too late");
    context.record({ type: "notice", payload: { severity: "info", message: "too late" } });
    await context.tell({ type: "work.noted", text: "too late" } as never);
    await host.send(S, { type: "note.taken", text: "end" } as never);
    expect(words(host, S)).toEqual(["born", "b@0:said", "end"]);
  });

  test("work may tell its machine", async () => {
    const { host, jobs } = stage.enter();
    await host.create(S, BIRTH);
    await host.send(S, { type: "work.asked", label: "a" } as never);
    const { context } = await jobs.started(0);
    await context.tell({ type: "work.noted", text: "half" } as never);
    expect(words(host, S)).toEqual(["born", "noted half"]);
  });

  test("a cancel reaches every child: machines by event, work by its signal", async () => {
    const { host, jobs } = stage.enter();
    await host.create(S, BIRTH);
    await host.send(S, { type: "work.forked" });
    await host.send(S, { type: "child.asked", label: "below" } as never);
    await jobs.started(2);
    await host.send(S, { type: "cancel.requested" });
    await until(() => words(host, S).length === 4);
    const ended = ["child done: ABORTED", "left failed: ABORTED", "right failed: ABORTED"];
    expect(words(host, S).sort()).toEqual(["born", ...ended]); // side by side: in no certain order
  });

  test("a start under an id that still runs gives up the older one", async () => {
    const { host, jobs } = stage.enter();
    await host.create(S, BIRTH);
    await host.send(S, { type: "work.forked" });
    await jobs.started(1);
    await host.send(S, { type: "work.forked" });
    await jobs.started(3);
    await until(() => jobs.all.filter((job) => job.context.signal.aborted).length === 2);
    expect(jobs.all.map((job) => job.context.signal.aborted)).toEqual([true, true, false, false]);
    const young = (label: string) => jobs.all.slice(2).find((job) => job.label === label);
    young("right")?.done("right");
    await until(() => words(host, S).length === 2);
    young("left")?.done("left");
    await until(() => words(host, S).length === 3);
    expect(words(host, S)).toEqual(["born", "right done: right", "left done: left"]);
  });

  test("a child machine that is stopped is gone with what it ran, and answers nothing", async () => {
    const { host, jobs } = stage.enter();
    await host.create(S, BIRTH);
    await host.send(S, { type: "child.asked", label: "a" } as never);
    const { key, signal } = (await jobs.started(0)).context;
    expect(await host.send(S, { type: "child.dropped" })).toEqual(ACCEPTED);
    await until(() => signal.aborted);
    await rest();
    expect(words(host, S)).toEqual(["born"]);
    expect(host.read(key)).toBeUndefined();
    expect(host.read(S)).toMatchObject({ children: {} });
    expect(await stage.enter().host.send(S, { type: "note.taken", text: "free" } as never)).toEqual(ACCEPTED);
  });
});
