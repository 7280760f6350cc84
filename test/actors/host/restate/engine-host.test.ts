/** Covers `engine-host.ts`, `services.ts`: what an engine does in its own way: work that a crash cut off, timers that need no process. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { EngineStage } from "../../../support/engine-stage.ts";
import { type Actor, refusal, rest, until, words } from "../../../support/host.ts";
import { BIRTH, sessionKey } from "../../../support/host-machines.ts";

const S = sessionKey("s");
let stage: EngineStage;
beforeEach(() => {
  stage = new EngineStage();
});
afterEach(() => stage.close());

test("work that ran in a process that died is reported as cut off, once, by another one", async () => {
  const hosts = [stage.enter(), stage.enter()];
  await hosts[0]!.host.create(S, BIRTH);
  await hosts[0]!.host.send(S, { type: "work.asked", label: "a" } as never);
  const works = ({ jobs }: Actor): boolean => jobs.all.length > 0;
  await until(() => hosts.some(works));
  const other = hosts.find((one) => !works(one))!;
  hosts.find(works)!.crash();
  await until(() => words(other.host, S).length === 2);
  await rest();
  expect([words(other.host, S), other.jobs.all]).toEqual([["born", "job failed: INTERRUPTED"], []]);
});

test("a timer fires though the process that has set it is gone, and nobody asks", async () => {
  const first = stage.enter();
  await first.host.create(S, BIRTH);
  await first.host.send(S, { type: "alarm.set", ms: 400 } as never);
  const second = stage.enter();
  first.crash();
  await stage.passes(400);
  await until(() => words(second.host, S).includes("rang"));
  expect(words(second.host, S)).toEqual(["born", "rang"]);
});

test("a timer that was dropped or set again fires at its last time alone", async () => {
  const { host } = stage.enter();
  await host.create(S, BIRTH);
  await host.send(S, { type: "alarm.set", ms: 100 } as never);
  await host.send(S, { type: "alarm.set", ms: 4_000 } as never); // longer than a rest
  await stage.passes(3_999);
  await rest();
  expect(words(host, S)).toEqual(["born"]);
  await stage.passes(1);
  await until(() => words(host, S).length === 2);
  await host.send(S, { type: "alarm.set", ms: 100 } as never);
  await host.send(S, { type: "alarm.dropped" });
  await stage.passes(100);
  await rest();
  expect(words(host, S)).toEqual(["born", "rang"]);
});

test("a session that is removed is gone for every host, one that works is not removed", async () => {
  const [one, other] = [stage.enter(), stage.enter()];
  await one.host.create(S, BIRTH);
  await one.host.send(S, { type: "work.asked", label: "a" } as never);
  expect(await one.host.remove(S)).toBe("running");
  await one.host.send(S, { type: "work.dropped" });
  expect(await one.host.remove(S)).toBe("removed");
  await until(() => other.host.sessions.find(S) === undefined);
  expect(await other.host.send(S, { type: "note.taken" })).toEqual({ accepted: false, reason: "unknown" });
});

test("who is to remove a session that works for another process hears when it rests (I2)", async () => {
  const left: string[] = [];
  const [one, other] = [stage.enter(), stage.enter({ onLeave: (session) => left.push(session) })];
  await one.host.create(S, BIRTH);
  await one.host.send(S, { type: "work.asked", label: "a" } as never);
  expect(await other.host.remove(S)).toBe("running");
  expect([other.host.sessions.isOwn(S), left]).toEqual([true, []]);
  await one.host.send(S, { type: "work.dropped" });
  await until(() => left.length > 0);
  expect([other.host.sessions.isOwn(S), left]).toEqual([false, [S]]);
  expect(await other.host.remove(S)).toBe("removed");
});

test("what agents say of themselves is kept with the session, for any process", async () => {
  const [one, other] = [stage.enter(), stage.enter()];
  await one.host.create(S, BIRTH);
  await one.host.conversations.add(S, "c", ["hello"]);
  await other.host.conversations.add(S, "c", ["again"]);
  expect(await one.host.conversations.read(S, "c")).toEqual(["hello", "again"]);
});

test("timers of many sessions fire in the order in which they come due", async () => {
  const { host } = stage.enter();
  const delays = [3_000, 1_000, 2_000];
  const keys = delays.map((ms) => sessionKey(String(ms)));
  for (const key of keys) await host.create(key, BIRTH);
  await Promise.all(keys.map((key, i) => host.send(key, { type: "alarm.set", ms: delays[i] } as never)));
  const rang: typeof keys = [];
  const haveAll = (): boolean => {
    for (const key of keys) if (!rang.includes(key) && words(host, key).includes("rang")) rang.push(key);
    return rang.length === keys.length;
  };
  for (const _ of keys) {
    await stage.passes(1_000);
    haveAll();
  }
  await until(haveAll);
  expect(rang).toEqual([1_000, 2_000, 3_000].map((ms) => sessionKey(String(ms))));
});

test("work that is given up hears it, and can no longer write; what was kept of it stays", async () => {
  const { host, jobs } = stage.enter();
  await host.create(S, BIRTH);
  await host.send(S, { type: "work.asked", label: "a" } as never);
  const { context } = await jobs.started(0);
  const block = context.text({ type: "message.assistant", block: "b" });
  block.say("said");
  stage.clock.advance(250);
  await until(() => words(host, S).length === 2);
  await host.send(S, { type: "work.dropped" });
  await until(() => context.signal.aborted);
  block.say("too late");
  context.record({ type: "notice", payload: { severity: "info", message: "too late" } });
  await context.tell({ type: "work.noted", text: "too late" } as never);
  await host.send(S, { type: "note.taken", text: "end" } as never);
  await rest();
  expect(words(host, S)).toEqual(["born", "b@0:said", "end"]);
});

test("a session that another process has removed is no process's own, also where it is prompted (I2)", async () => {
  const [one, other] = [stage.enter(), stage.enter()];
  await one.host.create(S, BIRTH);
  await other.host.remove(S);
  await until(() => one.host.sessions.find(S) === undefined);
  expect(await one.host.send(S, { type: "prompt.received" })).toEqual(refusal("unknown"));
  expect(one.host.sessions.isOwn(S)).toBe(false);
});
