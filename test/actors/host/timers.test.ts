/** Covers `alarms.ts`, `timeouts.ts`: timers of machines. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ACCEPTED, refusal, rest, STAGES, type Stage, until, words } from "../../support/host.ts";
import { BIRTH, sessionKey } from "../../support/host-machines.ts";

const S = sessionKey("s");
const alarm = (ms: number) => ({ type: "alarm.set", ms }) as never;

/**
 * An engine's own time goes by, no process owns a session or takes one over, and none has ticks. What it does with timers
 * that are dropped, set again, many, or left by a process that died stands in `restate/engine-host.test.ts`; one that was set
 * again while it came due, in `test/actors/host/restate/session-cell.test.ts`.
 */
describe.each(STAGES)("timers, %s", (_, open, isEngine) => {
  const embedded = test.skipIf(isEngine);
  let stage: Stage;
  beforeEach(() => {
    stage = open();
  });
  afterEach(() => stage.close());

  test("a timer fires when its time has come, once", async () => {
    const { host } = stage.enter();
    await host.create(S, BIRTH);
    await host.send(S, alarm(4_000)); // longer than a rest, where the time of an engine passes
    stage.clock.advance(3_999);
    await rest();
    expect(words(host, S)).toEqual(["born"]);
    stage.clock.advance(1);
    await until(() => words(host, S).length === 2);
    stage.clock.advance(10_000);
    await rest();
    expect(words(host, S)).toEqual(["born", "rang"]);
  });

  embedded("timers of many sessions fire in the order in which they come due", async () => {
    const { host } = stage.enter();
    const delays = [500, 100, 900, 300];
    const keys = delays.map((ms) => sessionKey(String(ms)));
    for (const [i, key] of keys.entries()) {
      await host.create(key, BIRTH);
      await host.send(key, alarm(delays[i]!));
    }
    for (const [now, rang] of [
      [200, 1],
      [400, 2],
      [600, 3],
      [1_000, 4],
    ] as const) {
      stage.clock.advance(200);
      if (now === 1_000) stage.clock.advance(200);
      await until(() => keys.filter((key) => words(host, key).includes("rang")).length === rang);
    }
    expect(keys.map((key) => host.rows(key, 1, 9).map((row) => row.at - 1_000_000))).toEqual([
      [600],
      [200],
      [1_000],
      [400],
    ]);
  });

  embedded("a cancelled timer never fires, one that is set again fires at its new time", async () => {
    const { host } = stage.enter();
    await host.create(S, BIRTH);
    await host.send(S, alarm(100));
    await host.send(S, { type: "alarm.dropped" });
    stage.clock.advance(100);
    await rest();
    await host.send(S, alarm(100));
    stage.clock.advance(50);
    await host.send(S, alarm(100));
    stage.clock.advance(50);
    await rest();
    expect(words(host, S)).toEqual(["born"]);
    stage.clock.advance(50);
    await until(() => words(host, S).length === 2);
    expect(words(host, S)).toEqual(["born", "rang"]);
  });

  embedded("a timer that is dropped or set again in the tick in which it came due does not fire", async () => {
    const { host } = stage.enter();
    await host.create(S, BIRTH);
    await host.send(S, alarm(100));
    const dropped = host.send(S, { type: "alarm.dropped" });
    stage.clock.advance(100); // its mail is behind the one that drops it
    expect(await dropped).toEqual(ACCEPTED);
    await host.send(S, alarm(100));
    const again = host.send(S, alarm(100));
    stage.clock.advance(100);
    expect(await again).toEqual(ACCEPTED);
    await rest();
    expect(words(host, S)).toEqual(["born"]);
    stage.clock.advance(100);
    await until(() => words(host, S).length === 2);
  });

  embedded(
    "a timer outlives a crash: overdue it fires at once, but only after an event took the session over",
    async () => {
      const first = stage.enter();
      await first.host.create(S, BIRTH);
      await first.host.send(S, alarm(1_000));
      first.crash();
      const second = stage.enter();
      stage.clock.advance(5_000);
      await rest();
      expect(words(second.host, S)).toEqual(["born"]);
      expect(await second.host.send(S, { type: "note.taken", text: "anyone?" } as never)).toEqual(ACCEPTED);
      stage.clock.advance(0);
      await until(() => words(second.host, S).includes("rang"));
      expect(words(second.host, S)).toEqual(["born", "owner lost", "anyone?", "rang"]);
    },
  );

  embedded("a timer that is not due yet at the take-over fires at its time", async () => {
    const first = stage.enter();
    await first.host.create(S, BIRTH);
    await first.host.send(S, alarm(1_000));
    stage.clock.advance(400);
    first.crash();
    const second = stage.enter();
    await second.host.send(S, { type: "note.taken", text: "hello" } as never);
    stage.clock.advance(599);
    await rest();
    expect(words(second.host, S)).not.toContain("rang");
    stage.clock.advance(1);
    await until(() => words(second.host, S).includes("rang"));
    expect(second.host.rows(S, 3, 9).map((row) => row.at)).toEqual([1_001_000]);
  });

  embedded("while a timer waits its session stays owned, afterwards it is free", async () => {
    const [first, second] = [stage.enter(), stage.enter()];
    await first.host.create(S, BIRTH);
    await first.host.send(S, alarm(1_000));
    const note = { type: "note.taken", text: "mine" } as never;
    expect(await second.host.send(S, note)).toEqual(refusal("owned"));
    stage.clock.advance(1_000);
    await until(() => words(first.host, S).includes("rang"));
    expect(await second.host.send(S, note)).toEqual(ACCEPTED);
  });
});
