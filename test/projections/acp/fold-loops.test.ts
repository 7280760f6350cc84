/** Visits of a loop and rounds at once: their cards, and their entries in the plan. */
import { describe, expect, test } from "vitest";
import type { Row, RowOf } from "../../../machines/exchange.ts";
import { runStarted, shown, stepEnded, stepStarted } from "./support.ts";

describe("a run of", () => {
  test("a loop: visits have cards of their own, entries go back and forth", () => {
    const rows = [
      runStarted("r", [
        ["each", "for_each"],
        ["one", "command"],
      ]),
      stepStarted("r", "each", "for_each"),
      stepStarted("r", "each/0.one", "command"),
    ];
    expect(shown(...rows)).toEqual([
      "card r/each/0.one each/0.one execute in_progress",
      "plan each=in_progress one=pending",
    ]);
  });
});

describe("rounds at once", () => {
  const round = (index: number, item: string): Row => {
    const row = stepStarted("r", `each/${index}.look`, "command", true) as RowOf<"step.started">;
    return { ...row, payload: { ...row.payload, name: "look", title: "Look", round: { item, of: 500 } } };
  };
  const end = (index: number, status: "completed" | "failed" = "completed"): Row => {
    const row = stepEnded("r", `each/${index}.look`, "command", { status }) as RowOf<"step.completed">;
    return { ...row, payload: { ...row.payload, name: "look" } };
  };
  const each = runStarted("r", [
    ["each", "for_each"],
    ["look", "command"],
  ]);
  const start = [each, stepStarted("r", "each", "for_each"), round(0, "src/a.ts"), round(1, "src/b.ts"), round(2, "c")];

  test("have cards that name their items, and the plan says how many have begun (I4 of the plan)", () => {
    expect(shown(...start)).toEqual([
      "card r/each/0.look Look [src/a.ts] execute in_progress",
      "card r/each/1.look Look [src/b.ts] execute in_progress",
      "card r/each/2.look Look [c] execute in_progress",
      "plan each (3 of 500)=in_progress look [src/a.ts] and 2 more=in_progress",
    ]);
  });
  test("of which some end leave the step in progress, and what failed is counted", () => {
    expect(shown(...start, end(0), end(1, "failed")).at(-1)).toBe(
      "plan each (3 of 500, 1 failed)=in_progress look [c]=in_progress",
    );
    const over = [end(0), end(1, "failed"), end(2), stepEnded("r", "each", "for_each", { status: "failed" })];
    expect(shown(...start, ...over).at(-1)).toBe("plan each (3 of 500, 1 failed, failed)=completed look=completed");
  });
  test("begin to count anew with another attempt of the loop", () => {
    const [again] = [round(0, "src/a.ts")];
    expect(shown(...start, end(0, "failed"), { ...again, step: "each@2/0.look" } as Row).at(-1)).toContain(
      "plan each (1 of 500)=in_progress",
    );
  });
});
