/** What a run's screen shows, and what stays above it. */
import fc from "fast-check";
import { from, lastValueFrom, map, toArray } from "rxjs";
import { describe, expect, it } from "vitest";
import type { Frame, Row } from "../../../machines/exchange.ts";
import { aboveText, screened } from "../../../projections/screen/above.ts";
import { liveLines } from "../../../projections/screen/live-lines.ts";
import { Screen } from "../../../projections/screen/screen.ts";
import { widthOf } from "../../../projections/terminal/width.ts";
import { Log, output, runCompleted, runStarted, said, stepCompleted, stepStarted } from "../terminal/rows.ts";

const fail = (code = "EXECUTION.COMMAND.FAILED", message = "it ended") =>
  ({ status: "failed", exitCode: 4, error: { code, message } }) as const;
const place = { width: 60, height: 20, now: 1_010_000, colours: false };
const shown = (frames: readonly Frame[], changes: Partial<typeof place> = {}): string[] => {
  const screen = new Screen("r1");
  for (const frame of frames) screen.see(frame);
  return liveLines(screen, { ...place, ...changes });
};
const rowsOf = (rows: readonly Row[]): Frame[] => {
  const log = new Log();
  return rows.map((row) => log.row(row));
};
const above = (frames: readonly Frame[], changes: Partial<Parameters<typeof screened>[0]> = {}): Promise<string> =>
  lastValueFrom(
    from(frames.map((frame) => [frame])).pipe(
      screened({ run: "r1", after: 0, keeps: true, colours: false, amount: "steps", ...changes }),
      map((view) => aboveText(view.above, null)),
      toArray(),
      map((texts) => texts.join("")),
    ),
  );
const FAN = [
  runStarted(),
  stepStarted("fan", { kind: "parallel" }),
  ...["a", "b", "c"].map((name) => stepStarted(`fan/${name}`, { parallel: true })),
];

describe("the screen of a run", () => {
  it("shows what is at work with its last lines, what failed open, and what went well in one line", () => {
    const frames = rowsOf([
      ...FAN,
      output("fan/a", 0, "one\ntwo\n"),
      output("fan/b", 0, "bad\n", "stderr"),
      stepCompleted("fan/b", fail()),
      stepCompleted("fan/c"),
    ]);
    expect(shown(frames)).toEqual([
      "  ▸ fan (parallel) 9s · 2 of 3 done, 1 failed",
      "    ✓ c",
      "    ✗ b 400ms · failed · exit 4",
      "      │ bad",
      "    ▸ a 9s",
      "      │ one",
      "      │ two",
      "  9s · ctrl-c cancels",
    ]);
  });

  it("gives way where room is short: last lines first, then steps", () => {
    const frames = rowsOf([...FAN, ...["a", "b", "c"].map((name) => output(`fan/${name}`, 0, "1\n2\n3\n4\n5\n6\n"))]);
    expect(shown(frames, { height: 8 })).toEqual([
      "  ▸ fan (parallel) 9s · 0 of 3 done",
      "    ▸ a 9s",
      "      │ 6",
      "    ▸ b 9s",
      "      │ 6",
      "    ▸ c 9s",
      "      │ 6",
      "  9s · ctrl-c cancels",
    ]);
    expect(shown(frames, { height: 4, width: 24 })).toEqual([
      "  ▸ fan (parallel) 9s ·…",
      "    ▸ a 9s",
      "    … and 2 others at w…",
      "  9s · ctrl-c cancels",
    ]);
    expect(shown(frames, { height: 1 })).toEqual(["  9s · ctrl-c cancels"]);
  });

  it("shows words as they come, once, and tools and further attempts among them", () => {
    const log = new Log();
    const frames = [
      log.row(runStarted()),
      log.row(stepStarted("a", { kind: "agent" })),
      log.live(said("a", 0, "Let me")),
      log.row(said("a", 0, "Let me ")),
      log.live(said("a", 7, "look")),
      log.row({
        type: "tool.call",
        run: "r1",
        step: "a",
        payload: { call: "t", title: "Read", kind: "read", status: "pending" },
      }),
      log.row({ type: "tool.update", run: "r1", step: "a", payload: { call: "t", title: "Read a.txt" } }),
      log.row({
        type: "step.retrying",
        run: "r1",
        step: "a",
        payload: { name: "a", attempt: 1, delayMs: 0, reason: { code: "X.Y.Z", message: "busy" } },
      }),
      log.live(said("a", 0, "Again", 2)),
    ];
    expect(shown(frames)).toEqual([
      "  ▸ a 9s · 2 attempts",
      "    │ Let me look",
      "    │ • Read a.txt",
      "    │ ↻ attempt 1 failed: busy; again now",
      "    │ Again",
      "  9s · ctrl-c cancels",
    ]);
  });

  it("is inert and in its bounds, whatever is said", () => {
    const text = fc.string({
      unit: fc.constantFrom("\u001b[2J", "\u001b]0;", "\u0007", "\r", "\n", "\t", "你", "👩‍🚀", "\u202e", "x"),
    });
    fc.assert(
      fc.property(text, fc.integer({ min: 4, max: 50 }), fc.integer({ min: 1, max: 9 }), (words, width, height) => {
        const log = new Log();
        const frames = [
          ...FAN.map((row) => log.row(row)),
          log.row(stepStarted(`fan/${words.replaceAll("/", "")}`, { parallel: true })),
          log.live(said("fan/a", 0, words)),
          log.row(output("fan/b", 0, words)),
        ];
        const lines = shown(frames, { width, height });
        expect(lines.length).toBeLessThanOrEqual(height);
        for (const line of lines) {
          expect(widthOf(line)).toBeLessThanOrEqual(width);
          expect(line).not.toMatch(/[\p{Cc}\u202e]/u);
        }
      }),
    );
  });

  it("leaves downtime out, of the run and of its steps", () => {
    const log = new Log();
    const frames = [
      log.row(runStarted()),
      log.row(stepStarted("a")),
      log.row({ type: "turn.started", payload: { turn: "t" } }, 3_600_000),
    ];
    expect(shown(frames, { now: 1_000_000 + 3_600_000 + 5_300 })).toEqual(["  ▸ a 5s", "  5s · ctrl-c cancels"]);
  });

  it("costs the same in the 20,000th round as in the first", () => {
    const screen = new Screen("r1");
    const log = new Log();
    screen.see(log.row(runStarted()));
    screen.see(log.row(stepStarted("each", { kind: "for_each" })));
    const rounds = (first: number): number => {
      const begin = process.cpuUsage();
      for (let n = first; n < first + 2_000; n++) {
        screen.see(log.row(stepStarted(`each/${n}.look`)));
        screen.see(log.row(output(`each/${n}.look`, 0, "x\n")));
        liveLines(screen, place);
        screen.see(log.row(stepCompleted(`each/${n}.look`)));
      }
      const { user } = process.cpuUsage(begin);
      return user;
    };
    rounds(0);
    const early = rounds(2_000);
    for (let n = 4_000; n < 18_000; n += 2_000) rounds(n);
    const late = rounds(18_000);
    expect(late).toBeLessThan(early * 4);
    expect(liveLines(screen, place)).toEqual([
      "  ▸ each (for each) 9s · 20000 rounds",
      "    ✓ 20000 done",
      "  9s · ctrl-c cancels",
    ]);
  });
});

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
