/** Who may ask a provider that limits its users, and when: `actors/effects/rate-limits.ts`, by its invariants. */
import { beforeEach, describe, expect, it } from "vitest";
import { PACE_MS, RateLimits } from "../../../actors/effects/rate-limits.ts";
import { TestClock } from "../../support/host.ts";

describe("who may ask", () => {
  let clock: TestClock;
  beforeEach(() => {
    clock = new TestClock();
  });
  const at = { provider: "p", account: "", model: "m" };
  const place = (limits: RateLimits, who: string, signal = new AbortController().signal) => {
    const one = { who, in: false, moved: 0 };
    limits.enter(who, at);
    limits
      .wait(who, signal, () => void one.moved++)
      .then(
        () => {
          one.in = true;
        },
        () => undefined,
      );
    return one;
  };
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  it("is one after another where the first has no answer yet, and all once it has (I2)", async () => {
    const limits = new RateLimits(clock);
    limits.refused("z", at, { afterMs: 10_000, account: false });
    const all = ["a", "b", "c", "d"].map((who) => place(limits, who));
    const letIn = async () => {
      await settled();
      return all.filter((one) => one.in).map(({ who }) => who);
    };
    clock.advance(9_999);
    expect(await letIn()).toEqual([]);
    clock.advance(1);
    expect(await letIn()).toEqual(["a"]);
    expect(limits.enter("a", at)).toBeNull();
    expect(limits.enter("late", at)).toMatchObject({ before: 3 });
    clock.advance(PACE_MS - 1);
    expect(await letIn()).toEqual(["a"]);
    clock.advance(1);
    expect(await letIn()).toEqual(["a", "b"]);
    limits.answered("c");
    expect(await letIn()).toEqual(["a", "b"]);
    limits.answered("b");
    expect(await letIn()).toEqual(["a", "b", "c", "d"]);
    expect(clock.waiting).toBe(0);
  });

  it("waits twice as long each time that it is let in and turned away, whatever it is told (I4)", async () => {
    const limits = new RateLimits(clock);
    const pauses: number[] = [];
    for (let time = 0; time < 4; time++) {
      limits.refused("a", at, { afterMs: 1, account: false });
      pauses.push((limits.standing("a")?.until ?? 0) - clock.now());
      const one = place(limits, "a");
      clock.advance(pauses.at(-1) ?? 0);
      await settled();
      expect(one.in).toBe(true);
    }
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000]);
  });

  it("keeps no timer where nobody waits, and forgets a limit that is over", () => {
    const limits = new RateLimits(clock);
    limits.refused("a", at, { afterMs: 10_000, account: true });
    expect(clock.waiting).toBe(0);
    expect(limits.enter("b", { ...at, model: "other" })).toMatchObject({ before: 0 });
    clock.advance(10_000);
    expect(limits.enter("b", at)).toBeNull();
  });
});
