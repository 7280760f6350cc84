/** The one place where budgets are asked: `actors/effects/weigh.ts`. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { EffectOptions } from "../../../actors/effects/options.ts";
import { weigh } from "../../../actors/effects/weigh.ts";
import type { WorkContext } from "../../../actors/host/host.ts";
import { accountOf } from "../../../machines/budget/account.ts";
import { type Held, LIMIT_NAMES, type Limits } from "../../../machines/budget/budget.ts";
import type { Exchange, Row } from "../../../machines/exchange.ts";

test("of steps side by side no more turns begin than a limit lets, before any of them is in the log (I1, I3)", async () => {
  const recorded: Row[] = [];
  const options = { clock: { now: () => 0 }, spentRows: () => [] } as unknown as EffectOptions;
  const asked = weigh(options);
  const origin = { run: "r", step: "a", session: "s", parallel: true, depth: 0 };
  const held = { of: "user", name: "w", run: "r", step: null, limits: { agentTurns: 2 } } as const;
  const { signal } = new AbortController();
  const contextOf = (attempt: string) =>
    ({ session: "session/s", attempt, signal, record: (row: Row) => recorded.push(row) }) as unknown as WorkContext;
  const answers = await Promise.all(
    ["1", "2", "3"].map((attempt) => asked({ origin, name: "a", budgets: [held] }, contextOf(attempt))),
  );
  expect(answers.map(({ reached }) => reached?.limit ?? null)).toEqual([null, null, "agentTurns"]);
  expect(recorded.filter((row) => row.type === "budget.noted" && row.payload.is === "turn")).toHaveLength(2);
});

test("steps side by side are warned of a limit once, before any of it is in the log (I1, I3)", async () => {
  const recorded: Row[] = [];
  const options = { clock: { now: () => 0 }, spentRows: () => [] } as unknown as EffectOptions;
  const asked = weigh(options);
  const origin = { run: "r", step: "a", session: "s", parallel: true, depth: 0 };
  const held = { of: "user", name: "w", run: "r", step: null, limits: { agentTurns: 5 }, warnAt: 0 } as const;
  const { signal } = new AbortController();
  for (const attempt of ["1", "2", "3"]) {
    const context = { session: "session/s", attempt, signal, record: (row: Row) => recorded.push(row) };
    await asked({ origin, name: "a", budgets: [held] }, context as unknown as WorkContext);
  }
  const notes = recorded.flatMap((row) => (row.type === "budget.noted" ? [row.payload.is] : [row.type]));
  expect(notes).toEqual(["notice", "warned", "turn", "turn", "turn"]);
});

test("of a turn whose row is in the log nothing is kept (I2)", async () => {
  const options = { clock: { now: () => 0 }, spentRows: () => [] } as unknown as EffectOptions;
  const asked = weigh(options);
  const origin = { run: "r", step: "a", session: "s", parallel: true, depth: 0 };
  const held = { of: "user", name: "w", run: "r", step: null, limits: { agentTurns: 1 } } as const;
  const begun = new AbortController();
  const mayBegin = async (attempt: string): Promise<boolean> => {
    const context = { session: "session/s", attempt, signal: begun.signal, record: () => undefined };
    const input = { origin, name: "a", budgets: [held] };
    return (await asked(input, context as unknown as WorkContext)).reached === null;
  };
  expect([await mayBegin("1"), await mayBegin("2")]).toEqual([true, false]);
  begun.abort();
  expect(await mayBegin("3")).toBe(true); // this log has lost it: who still knew of it would say no
});

/** What agents do: one asks to begin a turn, or the turn of one ends with what it has used. */
type Deed = { is: "begin"; step: number } | { is: "end"; step: number; tokens: number; cents: number; ms: number };
const deeds: fc.Arbitrary<Deed[]> = fc.array(
  fc.oneof(
    fc.record({ is: fc.constant("begin" as const), step: fc.integer({ min: 0, max: 5 }) }),
    fc.record({
      is: fc.constant("end" as const),
      step: fc.integer({ min: 0, max: 5 }),
      tokens: fc.nat(400),
      cents: fc.nat(400),
      ms: fc.nat(4_000),
    }),
  ),
  { minLength: 1, maxLength: 60 },
);
const limits: fc.Arbitrary<Limits> = fc.record(
  {
    tokens: fc.integer({ min: 1, max: 1_000 }),
    costUsd: fc.integer({ min: 1, max: 1_000 }).map((cents) => cents / 100),
    agentTurns: fc.integer({ min: 1, max: 6 }),
    timeMs: fc.integer({ min: 1, max: 10_000 }),
  },
  { requiredKeys: [] },
);

test("whatever is used, by steps side by side too, none begins at or over a limit: it stops within the turns under way (I1)", async () => {
  const stops = new Set<string>();
  const begun = async (
    given: Limits,
    done: readonly (typeof deeds extends fc.Arbitrary<(infer D)[]> ? D : never)[],
  ) => {
    const log: Exchange[] = [];
    let now = 1_000;
    const write = (row: Row): void => void log.push({ ...row, seq: log.length + 1, at: now } as Exchange);
    write({ type: "run.started", run: "r", payload: { workflow: "w", plan: [], inputs: {} } });
    const held: Held = { of: "user", name: "w", run: "r", step: null, limits: given };
    const options = { clock: { now: () => now }, spentRows: () => [...log] } as unknown as EffectOptions;
    const asked = weigh(options);
    // Counted beside the log, but for the time.
    const used = { tokens: 0, cents: 0, turns: 0 };
    const spent = () => ({
      ...accountOf(log).spent(held, now),
      ...{ tokens: used.tokens, costUsd: used.cents / 100, agentTurns: used.turns },
    });
    const working = new Set<number>();
    let turns = 0;
    for (const deed of done) {
      const at = { run: "r", step: `s${deed.step}` };
      const origin = { ...at, session: "s", parallel: true, depth: 0 };
      if (deed.is === "begin" && !working.has(deed.step)) {
        const named = { name: at.step, kind: "agent", title: at.step, parallel: true } as const;
        if (!log.some(({ type, step }) => type === "step.started" && step === at.step))
          write({ type: "step.started", ...at, payload: named });
        const before = spent();
        const { signal } = new AbortController();
        const context = {
          session: "session/s",
          attempt: `t${turns++}`,
          signal,
          record: write,
        } as unknown as WorkContext;
        const { reached } = await asked({ origin, name: at.step, budgets: [held] }, context);
        const over = LIMIT_NAMES.filter((name) => before[name] >= (given[name] ?? Number.POSITIVE_INFINITY));
        // Exactly where a limit is reached it does not begin.
        expect(reached === null).toBe(over.length === 0);
        if (reached === null) {
          working.add(deed.step);
          used.turns += 1;
        }
        if (reached !== null) stops.add(reached.limit);
      } else if (deed.is === "end" && working.delete(deed.step)) {
        now += deed.ms;
        used.tokens += deed.tokens;
        used.cents += deed.cents;
        const cost = { amount: deed.cents / 100, currency: "USD" };
        write({ type: "usage.recorded", ...at, payload: { totalTokens: deed.tokens, cost } });
      }
    }
    return { turns: spent().agentTurns, most: given.agentTurns ?? Number.POSITIVE_INFINITY };
  };
  await fc.assert(
    fc.asyncProperty(limits, deeds, async (given, done) => {
      const { turns, most } = await begun(given, done);
      expect(turns).toBeLessThanOrEqual(most);
    }),
    { numRuns: 300, seed: 4 },
  );
  expect([...stops].sort()).toEqual(["agentTurns", "costUsd", "timeMs", "tokens"]);
});
