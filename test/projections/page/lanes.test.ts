/** Covers `lanes.ts`: which lanes there are at a moment, and all that stands in one. */
import { describe, expect, test } from "vitest";
import type { Exchange } from "../../../machines/exchange.ts";
import { lanesOf, roundsOf } from "../../../projections/page/lanes.ts";
import { momentOf } from "../../../projections/page/moment.ts";
import { historyOf, logOf, ROWS, RUN, started } from "./story.ts";

const history = historyOf();
const lanesAt = (seq: number | null, closed: string[] = []) =>
  lanesOf(history, momentOf(history, { seq, isAlive: false, now: 99_000 }), {
    open: new Set(),
    closed: new Set(closed),
  });

describe("a lane", () => {
  test("stands where its step has begun, and says of it what was known then", () => {
    expect(lanesAt(1)).toEqual([]);
    expect(lanesAt(2).map(({ address, fold }) => [address, fold])).toEqual([["fan", "none"]]);
    expect(lanesAt(8).map(({ at: _, ...lane }) => lane)).toEqual([
      {
        ...{ address: "fan", name: "fan", kind: "parallel", depth: 0, round: null, item: null },
        ...{ waits: [], tries: [], rounds: [], fold: "open" },
      },
      {
        ...{ address: "fan/left", name: "left", kind: "agent", depth: 1, round: null, item: null },
        ...{ waits: [], tries: [], rounds: [], fold: "none" },
      },
      {
        ...{ address: "fan/right", name: "right", kind: "agent", depth: 1, round: null, item: null },
        ...{ waits: [{ from: 7_000, to: 8_000 }], tries: [], rounds: [], fold: "none" },
      },
    ]);
  });

  test("a wait ends where it ended, or at the moment; a try is there from its row on", () => {
    const right = (seq: number) => {
      const lane = lanesAt(seq).find(({ address }) => address === "fan/right");
      return [lane?.waits, lane?.tries];
    };
    expect([6, 7, 8, 9, 10, 11].map(right)).toEqual([
      [[], []],
      [[{ from: 7_000, to: 7_000 }], []],
      [[{ from: 7_000, to: 8_000 }], []],
      [[{ from: 7_000, to: 9_000 }], []],
      [[{ from: 7_000, to: 9_000 }], []],
      [[{ from: 7_000, to: 9_000 }], [11_000]],
    ]);
  });

  test("that is closed hides what stands below it", () => {
    expect(lanesAt(8, ["fan", "fan/left"]).map(({ address, fold }) => [address, fold])).toEqual([["fan", "closed"]]);
  });
});

type End = "completed" | "failed" | "cancelled" | "skipped";
/** A loop of rounds that have ended so; "open": it has not, "waiting": it waits for a person. */
function loopOf(ends: readonly (End | "open" | "waiting")[], kind: Parameters<typeof started>[1] = "for_each") {
  const rounds = ends.flatMap((end, round): object[] => {
    const step = `each/${round}.body`;
    if (end === "waiting")
      return [
        started(step),
        { type: "permission.requested", run: RUN, step, payload: { permission: `permission/${round}`, options: [] } },
      ];
    if (end === "open") return [started(step)];
    return [
      started(step),
      { type: "step.completed", run: RUN, step, payload: { name: "body", kind: "command", status: end, exitCode: 0 } },
    ];
  });
  return historyOf(logOf([ROWS[0] as Exchange, started("each", kind), ...(rounds as never[])]));
}
const all = (loop: ReturnType<typeof loopOf>, open: string[] = []) =>
  lanesOf(loop, momentOf(loop, { seq: null, isAlive: true, now: 99_000 }), { open: new Set(open), closed: new Set() });
/** The rounds that have a lane, by their numbers. */
const shown = (ends: Parameters<typeof loopOf>[0], open?: string[]): (number | null)[] =>
  all(loopOf(ends), open)
    .slice(1)
    .map(({ round }) => round);

describe("of a loop (I1)", () => {
  const DONE = Array<End>(4).fill("completed");
  test("up to three rounds are shown as they are, of more the last one where nothing is to be said", () => {
    expect(shown(["completed", "completed", "completed"])).toEqual([1, 2, 3]);
    expect(shown(DONE)).toEqual([4]);
  });

  test("the first three that failed, those at work, those that wait, and those that were opened", () => {
    expect(shown([...DONE, "failed", "completed"])).toEqual([5]);
    expect(shown(["failed", "failed", "completed", "failed", "failed"])).toEqual([1, 2, 4]);
    expect(shown([...DONE, "open", "completed", "waiting"])).toEqual([5, 7]);
    expect(shown([...DONE, "cancelled", "skipped"], ["each[2]", "other[3]", "each[9]"])).toEqual([2]);
    expect(shown(["failed", ...DONE, "open"], ["each[3]"])).toEqual([1, 3, 6]);
  });

  test("every round is a cell, also where its lane is not shown; other steps have none", () => {
    const loop = loopOf([...DONE, "failed", "open"]);
    const [lane, ...below] = all(loop);
    expect(lane?.rounds.map(({ round, state }) => [round, state])).toEqual([
      ...([1, 2, 3, 4].map((round) => [round, "completed"]) as [number, string][]),
      [5, "failed"],
      [6, "running"],
    ]);
    expect(below.map(({ rounds, depth }) => [rounds, depth])).toEqual([
      [[], 1],
      [[], 1],
    ]);
    expect(all(loopOf(DONE, "while"))[0]?.rounds).toHaveLength(4);
    expect(all(loopOf(DONE, "parallel"))[0]?.rounds).toEqual([]);
  });

  test("a cell is of the step of its round that says most", () => {
    const states = ["completed", "skipped", "cancelled", "failed"] as const;
    const rows = states.flatMap((status, at): object[] => {
      const step = `each/0.s${at}`;
      return [
        started(step),
        { type: "step.completed", run: RUN, step, payload: { name: `s${at}`, kind: "command", status, exitCode: 0 } },
      ];
    });
    const loop = historyOf(
      logOf([
        ROWS[0] as Exchange,
        started("each", "for_each"),
        ...(rows as never[]),
        started("each/0.s9"),
        started("each/1.s0"),
      ]),
    );
    const cells = Array.from({ length: loop.head }, (_, at) =>
      roundsOf(loop.at("each") as never, momentOf(loop, { seq: at + 1, isAlive: true, now: 0 })).map(
        ({ round, state, address }) => `${round} ${state} ${address}`,
      ),
    );
    expect(cells.slice(2)).toEqual([
      ["1 running each[1]/s0"],
      ["1 completed each[1]/s0"],
      ["1 running each[1]/s1"],
      ["1 skipped each[1]/s1"],
      ["1 running each[1]/s2"],
      ["1 cancelled each[1]/s2"],
      ["1 running each[1]/s3"],
      ["1 failed each[1]/s3"],
      ["1 failed each[1]/s3"],
      ["1 failed each[1]/s3", "2 running each[2]/s0"],
    ]);
  });
});
