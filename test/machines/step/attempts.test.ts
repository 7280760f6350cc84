import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { afterCrash, backoffMs, faultOf, mayRetry } from "../../../machines/step/attempts.ts";
import type { Retry, StepNode } from "../../../machines/workflow/document.ts";
import { BAD, call, command, forEach, OK, parallel, retry, STOPPED, stepBirth } from "../../support/documents.ts";

const attempted = (more: Partial<Retry> | null, attempt: number, outcome = BAD, draw = 0.5, free = 0) => ({
  birth: {
    ...stepBirth(command("work", { retry: more === null ? null : retry(more) })),
    self: "step/1",
    parent: null,
    at: 0,
  } as const,
  attempt,
  free,
  judgement: { outcome, left: null, states: {}, draw },
});

describe("whether another attempt follows", () => {
  it.each([
    ["no retry in the document", null, 1, BAD, 0, false],
    ["attempts are left", { maxAttempts: 3 }, 2, BAD, 0, true],
    ["none is left", { maxAttempts: 3 }, 3, BAD, 0, false],
    ["one of them was cut off by a crash", { maxAttempts: 3 }, 3, BAD, 1, true],
    ["a success", { maxAttempts: 3 }, 1, OK, 0, false],
    ["a cancel", { maxAttempts: 3 }, 1, STOPPED, 0, false],
    ["a listed exit code", { exitCodes: [1, 3] }, 1, BAD, 0, true],
    ["an exit code that is not listed", { exitCodes: [1] }, 1, BAD, 0, false],
  ] as const)("%s", (_, more, attempt, outcome, free, expected) => {
    const policy = more as Partial<Retry> | null;
    expect(mayRetry(attempted(policy, attempt, outcome, 0.5, free))).toBe(expected);
  });
});

describe("the delay before the next attempt", () => {
  it.each([
    ["constant", { backoff: "constant" }, [1_000, 1_000, 1_000, 1_000]],
    ["linear", { backoff: "linear" }, [1_000, 2_000, 3_000, 4_000]],
    ["exponential", { backoff: "exponential" }, [1_000, 2_000, 4_000, 8_000]],
    [
      "exponential by three, cut",
      { backoff: "exponential", multiplier: 3, maxDelayMs: 5_000 },
      [1_000, 3_000, 5_000, 5_000],
    ],
  ] as const)("%s", (_, more, delays) => {
    expect([1, 2, 3, 4].map((attempt) => backoffMs(attempted(more, attempt)))).toEqual(delays);
  });
  it("does not count attempts that a crash cut off", () => {
    expect(backoffMs(attempted({ backoff: "exponential" }, 4, BAD, 0.5, 2))).toBe(2_000);
  });
  it("is spread by the jitter to both sides", () => {
    expect([0, 0.5, 0.999_999].map((draw) => backoffMs(attempted({ jitter: 0.2 }, 1, BAD, draw)))).toEqual([
      800, 1_000, 1_200,
    ]);
  });
  it("is never spread above the longest delay", () => {
    const cut = { jitter: 0.5, maxDelayMs: 1_000, initialDelayMs: 4_000 };
    expect([0, 0.5, 0.999_999].map((draw) => backoffMs(attempted(cut, 1, BAD, draw)))).toEqual([500, 1_000, 1_000]);
  });
  it("is a whole number of milliseconds that a timer can hold, for any document", () => {
    const policies = fc.record({
      initialDelayMs: fc.nat(),
      maxDelayMs: fc.option(fc.nat()),
      backoff: fc.constantFrom("constant" as const, "linear" as const, "exponential" as const),
      multiplier: fc.double({ min: 0, max: 1_000, noNaN: true }),
      jitter: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    const draws = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(policies, fc.integer({ min: 1, max: 10_000 }), draws, (more, attempt, draw) => {
        const delay = backoffMs(attempted(more, attempt, BAD, draw));
        expect(Number.isFinite(delay) && Math.round(delay) === delay && delay >= 0).toBe(true);
        if (more.maxDelayMs !== null) expect(delay).toBeLessThanOrEqual(more.maxDelayMs);
      }),
    );
  });
});

describe("after a crash", () => {
  const nodes: [StepNode, string][] = [
    [command("a"), "asked"],
    [command("a", { recover: "ask" }), "asked"],
    [command("a", { recover: "rerun" }), "rerun"],
    [command("a", { recover: "fail" }), "fail"],
    [parallel("a", []), "rerun"],
    [forEach("a", []), "rerun"],
    [call("a"), "rerun"],
    [call("a", { recover: "fail" }), "fail"],
  ];
  it.each(nodes)("$type with recover: $recover → %s", (node, expected) => {
    for (const asked of ["rerun", "fail", "ask"])
      expect(afterCrash(node, asked)).toBe(expected === "asked" ? asked : expected);
  });
});

describe("an error as data", () => {
  it.each([
    [
      { code: "A.B", message: "m" },
      { code: "A.B", message: "m" },
    ],
    [new Error("m"), { code: "SYSTEM.INTERNAL.UNMAPPED", message: "m" }],
    [
      { code: 7, message: "m" },
      { code: "SYSTEM.INTERNAL.UNMAPPED", message: "m" },
    ],
    ["text", { code: "SYSTEM.INTERNAL.UNMAPPED", message: "text" }],
    [null, { code: "SYSTEM.INTERNAL.UNMAPPED", message: "null" }],
  ])("%o", (error, fault) => expect(faultOf(error)).toEqual(fault));
});
