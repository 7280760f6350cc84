/** What stays above a run's screen. */
import { from, lastValueFrom, map, toArray } from "rxjs";
import { describe, expect, it } from "vitest";
import type { Frame, Row } from "../../../machines/exchange.ts";
import { aboveText, screened } from "../../../projections/screen/above.ts";
import { output, runCompleted, runStarted, stepCompleted, stepStarted } from "../terminal/rows.ts";
import { fail, rowsOf, shown } from "./screens.ts";

const above = (frames: readonly Frame[], changes: Partial<Parameters<typeof screened>[0]> = {}): Promise<string> =>
  lastValueFrom(
    from(frames.map((frame) => [frame])).pipe(
      screened({ run: "r1", after: 0, keeps: true, colours: false, amount: "steps", ...changes }),
      map((view) => aboveText(view.above, null)),
      toArray(),
      map((texts) => texts.join("")),
    ),
  );

describe("what stays above the screen", () => {
  const rows = [
    runStarted(),
    stepStarted("one"),
    output("one", 0, "words\n"),
    stepCompleted("one"),
    stepStarted("two"),
    output("two", 0, "bad\n", "stderr"),
    stepCompleted("two", fail()),
    stepStarted("each", { kind: "for_each" }),
    stepStarted("each/0.look"),
    output("each/0.look", 0, "worse\n", "stderr"),
    stepCompleted("each/0.look", fail()),
    stepCompleted("each"),
    stepStarted("three"),
    stepCompleted("three", fail("EXECUTION.AGENT.FAILED", "no")),
    runCompleted({ ...fail("EXECUTION.AGENT.FAILED", "no") }),
  ];

  it("is one line for each step that is over, what failed and why, and the end once", async () => {
    expect(await above(rowsOf(rows))).toBe(`demo · run r1
  ✓ one 200ms
  ✗ two 200ms · failed · exit 4
    │ bad
  ✓ each (for each) 400ms
    ✗ 1. look 200ms · failed · exit 4
      │ worse
  ✗ three 100ms · failed · exit 4
✗ demo failed in 1.4s (5 steps, 3 failed)

✗ three failed (exit 4) [EXECUTION.AGENT.FAILED]
  no

  look:  troupe logs r1 --failed
  rerun: troupe rerun r1 --failed
`);
  });

  it("is only the end where no more is wanted", async () => {
    expect(await above(rowsOf(rows), { amount: "end" })).toMatch(/^✗ demo failed in 1.4s/);
  });

  it("shows ended steps again when a run is resumed, and not what was said", async () => {
    const notice: Row = { type: "notice", run: "r1", payload: { severity: "warning", message: "old" } };
    const frames = rowsOf([runStarted(), stepStarted("one"), notice, stepCompleted("one"), stepStarted("two"), notice]);
    expect(await above(frames, { after: 5 })).toBe("  ✓ one 200ms\n  ! old\n");
  });

  it("has notices and answers", async () => {
    const frames = rowsOf([
      runStarted(),
      stepStarted("gate"),
      { type: "notice", run: "r1", step: "gate", payload: { severity: "warning", message: "slow\u001b[2J" } },
      {
        type: "permission.requested",
        run: "r1",
        step: "gate",
        payload: {
          permission: "p",
          title: "Run it?",
          kind: "execute",
          message: "",
          options: [{ id: "y", name: "Yes", kind: "allow_once" }],
        },
      },
      {
        type: "permission.resolved",
        run: "r1",
        step: "gate",
        payload: { permission: "p", outcome: "selected", option: "y" },
      },
    ]);
    expect(await above(frames)).toBe("demo · run r1\n  ! slow\n  Run it? Yes\n");
    expect(shown(frames.slice(0, 4))).toEqual(["  ? gate 9s · waiting · waits for Run it?", "  9s · ctrl-c cancels"]);
  });
});
