/** Covers I2 of `alarms.ts` and I1 of `outbox.ts`: somebody sets the machine's clock, or the machine sleeps. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { LONGEST_SLEEP_MS } from "../../../actors/host/alarms.ts";
import { log, OWNING_STAGES, rest, type Stage, until, words } from "../../support/host.ts";
import { BIRTH, sessionKey } from "../../support/host-machines.ts";

const HOUR = 3_600_000;
const [S, T] = [sessionKey("s"), sessionKey("t")];
const alarm = (ms: number) => ({ type: "alarm.set", ms }) as never;
const note = (text: string) => ({ type: "note.taken", text }) as never;

describe.each(OWNING_STAGES)("clocks, %s", (_, open) => {
  let stage: Stage;
  beforeEach(() => {
    stage = open();
  });
  afterEach(() => stage.close());

  test.each([
    ["forward", HOUR],
    ["back", -HOUR],
  ])("a timer waits for its delay when the clock is set %s", async (_name, jump) => {
    const { host } = stage.enter();
    await host.create(S, BIRTH);
    await host.create(T, BIRTH);
    await host.send(S, alarm(HOUR / 2));
    stage.clock.jump(jump);
    await host.send(T, alarm(500)); // by the time of day behind the other one, or long before it
    stage.clock.advance(499);
    await rest();
    expect([words(host, S), words(host, T)]).toEqual([["born"], ["born"]]);
    stage.clock.advance(1);
    await until(() => words(host, T).includes("rang"));
    stage.clock.advance(HOUR / 2 - 501);
    await rest();
    expect(words(host, S)).toEqual(["born"]);
    stage.clock.advance(1);
    await until(() => words(host, S).includes("rang"));
  });

  test("after a restart the time of day counts", async () => {
    const first = stage.enter();
    await first.host.create(S, BIRTH);
    await first.host.send(S, alarm(HOUR));
    first.crash();
    stage.clock.jump(2 * HOUR); // the machine was off
    const second = stage.enter();
    await second.host.send(S, note("on"));
    stage.clock.advance(0);
    await until(() => words(second.host, S).includes("rang"));
  });

  test("rows of one log are never older than those before them, also for the next owner", async () => {
    const first = stage.enter();
    await first.host.create(S, BIRTH);
    stage.clock.advance(5);
    await first.host.send(S, note("1"));
    stage.clock.jump(-HOUR);
    await first.host.send(S, note("2"));
    first.crash();
    const { host } = stage.enter();
    await host.send(S, note("3"));
    stage.clock.jump(2 * HOUR);
    await host.send(S, note("4"));
    const ats = log(host, S).map(({ at }) => at);
    expect(ats).toEqual([1_000_000, 1_000_005, 1_000_005, 1_000_005, 1_000_005 + HOUR]);
  });

  test("no wait is longer than a minute: a timeout that comes late, or that was not kept, is noticed", async () => {
    const { host } = stage.enter();
    await host.create(S, BIRTH);
    await host.send(S, alarm(HOUR));
    expect(stage.clock.next).toBe(LONGEST_SLEEP_MS);
    stage.clock.oversleep(2 * HOUR); // every timeout comes that late
    await until(() => words(host, S).includes("rang"));
  });
});
