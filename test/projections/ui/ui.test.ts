/** The parts of the terminal UI that only show. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Screen } from "../../../projections/screen/screen.ts";
import type { RunView } from "../../../projections/terminal/tables.ts";
import { widthOf } from "../../../projections/terminal/width.ts";
import { frameLines, roomBeside, windowOf } from "../../../projections/ui/frame.ts";
import { changesList, inOrder, listLine } from "../../../projections/ui/list-lines.ts";
import { markdownLines } from "../../../projections/ui/markdown.ts";
import { firstFailure, rowLines, treeRows } from "../../../projections/ui/tree-rows.ts";
import { Log, output, runStarted, stepCompleted, stepStarted } from "../terminal/rows.ts";

const place = { width: 80, height: 10, now: 1_010_000, colours: false };
const record = (changes: Partial<RunView> = {}): RunView => ({
  ...{ id: "12345678abcd", session: "s", workflow: "demo", cwd: "/w", status: "completed", exitCode: 0, error: null },
  ...{ startedAt: 1_000_000, endedAt: 1_005_000, resumable: false, questions: [], permissions: [] },
  ...changes,
});
const fail = {
  status: "failed",
  exitCode: 4,
  error: { code: "EXECUTION.COMMAND.FAILED", message: "it ended" },
} as const;

describe("the frame", () => {
  it("has as many lines as there is room for, each in its width, whatever is shown", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "你", "👩‍🚀", " ") });
    const shape = fc.record({
      title: text,
      right: fc.array(text, { maxLength: 3 }),
      body: fc.array(text, { maxLength: 12 }),
      keys: fc.array(fc.tuple(text, text), { minLength: 1 }),
      notice: text,
    });
    fc.assert(
      fc.property(shape, fc.integer({ min: 10, max: 60 }), fc.integer({ min: 1, max: 9 }), (frame, width, height) => {
        const lines = frameLines({ ...frame, keys: [["?", "help"]] }, { ...place, width, height });
        expect(lines.length).toBe(Math.min(height, Math.max(2, height)));
        for (const line of lines) expect(widthOf(line)).toBeLessThanOrEqual(width);
      }),
    );
  });

  it("shows as many keys as fit, and always the last", () => {
    const keys = [
      ["a", "answer"],
      ["b", "begin"],
      ["?", "help"],
    ] as const;
    const frame = { title: "t", right: [], body: [], keys, notice: "" };
    expect(frameLines(frame, { ...place, width: 30, height: 2 })[1]).toBe("a answer  b begin  ? help");
    expect(frameLines(frame, { ...place, width: 20, height: 2 })[1]).toBe("a answer  ? help");
    expect(frameLines(frame, { ...place, width: 10, height: 2 })[1]).toBe("? help");
  });

  it("says what went wrong whole, and leaves room for the view", () => {
    const frame = {
      title: "t",
      right: [],
      body: ["view"],
      keys: [["?", "help"]] as const,
      notice: "one two three four",
    };
    expect(frameLines(frame, { ...place, width: 10, height: 8 }).slice(-3)).toEqual(["", "one two", "three four"]);
    expect(frameLines(frame, { ...place, width: 10, height: 5 })).toEqual(["t", "view", "", "", "one two t…"]);
    expect(roomBeside(frame.notice, { width: 10, height: 8 })).toBe(5);
  });

  it("keeps the place where one types in view, where its title has no room for all", () => {
    const frame = { right: ["/w"], body: [], keys: [["?", "help"]] as const, notice: "" };
    const shown = (title: string) => frameLines({ ...frame, title }, { ...place, width: 12 })[0];
    expect(shown("new: abcdefghijk▏")).toBe("…cdefghijk▏");
    expect(shown("new: 你你你你▏")).toBe("… 你你你你▏");
    expect(shown("new: abcdefg▏hijk")).toBe("…: abcdefg▏…");
    expect([shown("new: ab▏cdefghijk"), shown("new: abcdef▏")]).toEqual(["new: ab▏cde…", "new: abcdef▏"]);
  });

  it("shows in its title, too, what turns the direction of writing", () => {
    const frame = { title: "troupe /a\u202eb", right: [], body: [], keys: [["?", "help"]] as const, notice: "" };
    expect(frameLines(frame, place)[0]).toBe("troupe /a\\u202eb");
  });

  it("leaves out the facts that matter least where there is no room for all", () => {
    const right = ["4 wait for you", "1 running", "7 runs"];
    const above = (width: number) =>
      frameLines({ title: "troupe", right, body: [], keys: [["?", "help"]], notice: "" }, { ...place, width })[0];
    expect(above(44)).toBe("troupe   4 wait for you · 1 running · 7 runs");
    expect(above(40)).toBe("troupe        4 wait for you · 1 running");
    expect(above(24)).toBe("troupe    4 wait for you");
    expect(above(20)).toBe("troupe");
  });

  it("keeps what is looked at in its window", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), fc.nat(49), fc.integer({ min: 1, max: 20 }), (many, at, height) => {
        const lines = Array.from({ length: many }, (_, index) => index);
        const shown = windowOf(lines, Math.min(at, many - 1), height);
        expect(shown.length).toBe(Math.min(many, height));
        expect(shown).toContain(Math.min(at, many - 1));
      }),
    );
  });
});

describe("the list", () => {
  it("has what waits for a person first", () => {
    const records = [
      record({ id: "a" }),
      record({ id: "b", status: "parked" }),
      record({ id: "c", status: "running" }),
    ];
    expect(inOrder(records).map(({ id }) => id)).toEqual(["b", "a", "c"]);
  });

  it("says where a run is, what failed, and what is asked, inert and in its width", () => {
    const screen = new Screen("r1");
    const log = new Log();
    for (const row of [runStarted(), stepStarted("a"), stepCompleted("a", fail), stepStarted("b\u001b[2J")])
      screen.see(log.row(row));
    expect(
      listLine({ record: record({ status: "running", endedAt: null }), screen }, true, { ...place, width: 60 }),
    ).toBe("❯ ▸ demo             b                                    9s");
    const long = { record: record({ workflow: "a-workflow-of-a-long-name" }), screen: null };
    expect(listLine(long, false, { ...place, width: 36 })).toBe("  ✓ a-workflow-… completed  just now");
    const failed = record({ status: "failed", workflow: "a\u001b[31mb" });
    expect(listLine({ record: failed, screen }, false, { ...place, width: 60 })).toBe(
      "  ✗ ab               failed in a                    just now",
    );
    const question = { input: "i", step: "chat", prompt: "", said: "What next?\u0007" };
    expect(listLine({ record: record({ status: "parked", questions: [question] }), screen: null }, false, place)).toBe(
      "  ? demo             12345678 What next?                                just now",
    );
  });
});

describe("what steps write", () => {
  it("I2 leaves every line of the list as it was", () => {
    const pieces = fc.array(fc.tuple(fc.constantFrom("a", "b"), fc.string(), fc.boolean()), { maxLength: 8 });
    fc.assert(
      fc.property(pieces, (said) => {
        const [screen, log] = [new Screen("r1"), new Log()];
        const begun = [runStarted(), stepStarted("a"), stepStarted("b")].map((row) => log.row(row));
        expect(changesList(begun)).toBe(true);
        for (const row of begun) screen.see(row);
        const line = () => listLine({ record: record({ status: "running", endedAt: null }), screen }, true, place);
        const before = line();
        const offsets = { a: 0, b: 0 };
        for (const [step, text, isLive] of said) {
          const row = output(step, offsets[step as "a" | "b"], text);
          offsets[step as "a" | "b"] += text.length;
          const frame = isLive ? log.live(row) : log.row(row);
          expect(changesList([frame])).toBe(false);
          screen.see(frame);
        }
        expect(line()).toBe(before);
      }),
    );
  });
});

describe("the tree", () => {
  it("folds what went well, opens what failed, and has the failed rounds of a loop first", () => {
    const screen = new Screen("r1");
    const log = new Log();
    for (const row of [
      runStarted(),
      stepStarted("fan", { kind: "parallel" }),
      stepStarted("fan/a"),
      stepCompleted("fan/a"),
      stepCompleted("fan"),
      stepStarted("each", { kind: "for_each" }),
      stepStarted("each/0.look"),
      stepCompleted("each/0.look"),
      stepStarted("each/1.look"),
      stepCompleted("each/1.look", fail),
      stepStarted("each/2.look"),
    ])
      screen.see(log.row(row));
    const shown = (turned = new Map<string, boolean>()) =>
      treeRows(screen.fold.roots, turned).flatMap((row) =>
        rowLines(screen, row, { isChosen: false, isAlive: true }, place),
      );
    expect(shown()).toEqual([
      "  ▸ ✓ fan (parallel) 300ms",
      "  ▾ ▸ each (for each) 9s · 3 rounds, 1 failed",
      "      ✗ 2. look 100ms · failed · exit 4",
      "      ✓ 1. look 100ms",
      "      ▸ 3. look 8s",
    ]);
    expect(shown(new Map([["fan", true]]))[1]).toBe("      ✓ a 100ms");
    expect(firstFailure(screen.fold.roots)?.address).toBe("each[2]/look");
  });
});

describe("Markdown", () => {
  it("is seen, and nothing but its marks is left out", () => {
    const lines = ["  # Title", "- one **two** `three`", "```", "# code", "```", "> quote", "plain"];
    expect(markdownLines(lines, false)).toEqual([
      "  Title",
      "• one two three",
      "```",
      "# code",
      "```",
      "> quote",
      "plain",
    ]);
    expect(markdownLines(["**a**"], true)).toEqual(["\u001b[1ma\u001b[22m"]);
  });
});
