/** A run's lines on a terminal, from its header to its last line. */
import { describe, expect, it } from "vitest";
import type { Row } from "../../../machines/exchange.ts";
import { RunFold } from "../../../projections/runs/tree.ts";
import { collect, plain, text } from "./lines-of.ts";
import { Log, output, runCompleted, runStarted, said, stepCompleted, stepStarted } from "./rows.ts";

describe("terminalLines", () => {
  it("counts of each attempt the tokens that were told last, as the tree of steps does", async () => {
    const used = (totalTokens: number): Row => ({
      type: "usage.recorded",
      run: "r1",
      step: "write",
      payload: { totalTokens },
    });
    const retried: Row = {
      type: "step.retrying",
      run: "r1",
      step: "write",
      payload: { name: "write", attempt: 1, delayMs: 0, reason: { code: "X", message: "no" } },
    };
    const rows = [
      runStarted(),
      stepStarted("write", { kind: "agent" }),
      ...[used(10), used(30), retried, used(5), used(7)],
      stepCompleted("write", { kind: "agent" }),
      runCompleted(),
    ];
    expect((await text(rows)).at(-2)).toContain("(1 step, 1 retried, 37 tokens)");
    const log = new Log();
    const fold = new RunFold("r1");
    for (const row of rows) fold.see(log.row(row));
    expect(fold.tree(false).usage.tokens).toBe(37);
  });

  it("shows a run from its header to its last line", async () => {
    const rows: Row[] = [
      { type: "session.opened", payload: { cwd: "/w", principal: "p" } },
      { type: "turn.started", payload: { turn: "t" } },
      { type: "message.user", payload: { turn: "t", blocks: [] } },
      runStarted("demo", { name: "you", n: 3 }),
      stepStarted("build", { title: "Build it" }),
      output("build", 0, "one\ntwo\n"),
      output("build", 0, "warned\n", "stderr"),
      stepCompleted("build"),
      stepStarted("write", { kind: "agent" }),
      { type: "message.thought", run: "r1", step: "write", payload: { block: "write@1.1", offset: 0, text: "hm" } },
      said("write", 0, "Hello,", 2),
      said("write", 6, " you.", 2),
      {
        type: "tool.call",
        run: "r1",
        step: "write",
        payload: { call: "c", title: "Write a.txt", kind: "edit", status: "pending" },
      },
      { type: "tool.update", run: "r1", step: "write", payload: { call: "c", status: "in_progress" } },
      { type: "tool.update", run: "r1", step: "write", payload: { call: "c", block: "c", offset: 0, text: "noise" } },
      {
        type: "tool.result",
        run: "r1",
        step: "write",
        payload: {
          call: "c",
          status: "completed",
          content: [{ type: "diff", path: "a.txt", oldText: "x\ny\n", newText: "x\nz\n" }],
        },
      },
      { type: "usage.recorded", run: "r1", step: "write", payload: { inputTokens: 5, outputTokens: 7 } },
      stepCompleted("write", { kind: "agent" }),
      runCompleted({ message: "All good.\nReally.", outputs: { file: "a.txt", n: 2 } }),
      { type: "turn.completed", payload: { turn: "t", stopReason: "end_turn" } },
    ];
    expect(await text(rows)).toEqual([
      "demo · run r1 · name=you n=3",
      "  → build Build it",
      "    one",
      "    two",
      "    warned",
      "  ✓ build 300ms",
      "  → write",
      "    hm",
      "    Hello, you.",
      "    • Write a.txt",
      "      ± a.txt (+1 -1)",
      "  ✓ write 900ms · 12 tokens",
      "All good.",
      "Really.",
      "file: a.txt",
      "n: 2",
      "✓ demo completed in 1.5s (2 steps, 12 tokens)",
      "",
    ]);
  });

  it("shows a cancelled run, and a row of a kind that it does not know", async () => {
    const rows = [
      runStarted(),
      { type: "news\u001b[2J", payload: {} } as unknown as Row,
      runCompleted({ status: "cancelled", exitCode: 130 }),
    ];
    expect(await text(rows)).toEqual([
      "demo · run r1",
      "  (a row of an unknown kind: news)",
      "■ demo cancelled in 200ms (0 steps)",
      "",
    ]);
  });

  it("shows a call with the title that it has when it is known what with", async () => {
    const call = (id: string, title: string, status: "pending" | "in_progress" = "pending"): Row => ({
      ...{ type: "tool.call", run: "r1", step: "a" },
      payload: { call: id, title, kind: "execute", status },
    });
    const told = (id: string, title?: string): Row => ({
      ...{ type: "tool.update", run: "r1", step: "a" },
      payload: { call: id, status: "in_progress", ...(title === undefined ? {} : { title }) },
    });
    const ended = (id: string): Row => ({
      ...{ type: "tool.result", run: "r1", step: "a" },
      payload: { call: id, status: "completed" },
    });
    const rows: Row[] = [
      runStarted(),
      stepStarted("a", { kind: "agent" }),
      ...[call("1", "Bash"), call("2", "Bash"), told("2", "cat b"), told("1", "cat a"), ended("1"), ended("2")],
      ...[call("3", "Read"), ended("3"), call("4", "Look"), said("a", 0, "Wait."), told("4", "Look at it")],
      ...[call("5", "Run", "in_progress"), told("5", "Run it")],
      { type: "tool.update", run: "r1", step: "a", payload: { call: "6", block: "6", offset: 0, text: "no" } },
      ...[call("7", "Never known")],
      stepCompleted("a", { kind: "agent" }),
    ];
    expect((await text(rows)).slice(2, -1)).toEqual([
      ...["    • cat b", "    • cat a", "    • Read", "    • Look", "    Wait.", "    • Run", "    • Never known"],
      "  ✓ a 1.6s",
    ]);
  });

  it("I1 lets nothing from outside reach the terminal, in any field", async () => {
    const evil = "\u001b[2J\u009b1m\u0007x";
    const error = { code: evil, message: evil };
    const rows: Row[] = [
      runStarted(evil, { [evil]: evil }),
      stepStarted("s", { name: evil, title: evil }),
      output("s", 0, evil),
      said("s", 0, evil),
      { type: "step.retrying", run: "r1", step: "s", payload: { name: evil, attempt: 1, delayMs: 1, reason: error } },
      {
        type: "tool.call",
        run: "r1",
        step: "s",
        payload: { call: evil, title: evil, kind: "other", status: "pending" },
      },
      {
        type: "tool.result",
        run: "r1",
        step: "s",
        payload: {
          call: evil,
          status: "failed",
          content: [
            { type: "text", text: evil },
            { type: "diff", path: evil, oldText: null, newText: evil },
          ],
        },
      },
      { type: "notice", run: "r1", payload: { severity: "error", message: evil } },
      { type: "input.required", run: "r1", payload: { input: evil, prompt: evil } },
      stepCompleted("s", { name: evil, status: "failed", error }),
      runCompleted({ workflow: evil, status: "failed", error, message: evil, outputs: { [evil]: evil } }),
    ];
    const shown = (await text(rows)).join("\n");
    expect(shown).not.toMatch(/[^\P{Cc}\n]/u);
    expect(shown.split("x").length).toBeGreaterThan(15);
  });

  it("colours its own marks only, and cuts titles to the width but no words", async () => {
    const rows: Row[] = [
      runStarted("demo", { text: "long enough to be cut" }),
      stepStarted("build", { title: "A title that is too long" }),
      output("build", 0, "output that is longer than the width\n"),
      stepCompleted("build"),
    ];
    expect(await text(rows, { colours: true, columns: 24 })).toEqual([
      "\u001b[1mdemo\u001b[22m \u001b[2m· run r1 · text=lo…\u001b[22m",
      "  \u001b[36m→\u001b[39m \u001b[1mbuild\u001b[22m \u001b[2mA title that …\u001b[22m",
      "    output that is longer than the width",
      "  \u001b[32m✓\u001b[39m build\u001b[2m 200ms\u001b[22m",
      "",
    ]);
  });

  it("takes in rows up to `after` and shows only later ones", async () => {
    const rows = [
      runStarted(),
      stepStarted("build"),
      output("build", 0, "old\n"),
      output("build", 4, "new\n"),
      stepCompleted("build"),
    ];
    expect(await text(rows, { ...plain, after: 3 })).toEqual(["    new", "  ✓ build 300ms", ""]);
  });

  it("I3 shows no row of no run", async () => {
    const rows: Row[] = [{ type: "message.assistant", payload: { block: "t#explanation", offset: 0, text: "no" } }];
    expect(await text(rows)).toEqual([""]);
  });

  it("shows the end of a step whose beginning it did not see", async () => {
    expect(await text([stepCompleted("a/0.b")])).toEqual(["    ✓ 1. b", ""]);
  });

  it("leaves out the time in which no process ran it", async () => {
    const log = new Log();
    const rows = [
      log.row(runStarted()),
      log.row(stepStarted("a")),
      log.row(output("a", 0, "x\n")),
      log.row({ type: "turn.completed", payload: { turn: "t", stopReason: "cancelled" } }, 3_600_000),
      log.row({ type: "turn.started", payload: { turn: "t2" } }, 2),
      log.row(stepCompleted("a")),
      log.row(runCompleted()),
    ];
    expect((await collect([rows])).join("").split("\n").slice(-3, -1)).toEqual([
      "  ✓ a 200ms",
      "✓ demo completed in 400ms (1 step)",
    ]);
  });
});
