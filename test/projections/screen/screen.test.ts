/** What a run's screen shows. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { liveLines } from "../../../projections/screen/live-lines.ts";
import { Screen } from "../../../projections/screen/screen.ts";
import { widthOf } from "../../../projections/terminal/width.ts";
import { Log, output, runStarted, said, stepCompleted, stepStarted } from "../terminal/rows.ts";
import { fail, place, rowsOf, shown } from "./screens.ts";

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
