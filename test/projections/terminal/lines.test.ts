import fc from "fast-check";
import { from, lastValueFrom, of, reduce } from "rxjs";
import { describe, expect, it } from "vitest";
import type { Frame, Row } from "../../../machines/exchange.ts";
import { RunFold } from "../../../projections/runs/tree.ts";
import { terminalLines } from "../../../projections/terminal/lines.ts";
import { Log, output, runCompleted, runStarted, said, stepCompleted, stepStarted } from "./rows.ts";

const plain = { colours: false, columns: null };
const collect = (batches: readonly (readonly Frame[])[], options: Parameters<typeof terminalLines>[0] = plain) =>
  lastValueFrom(
    from(batches).pipe(
      terminalLines(options),
      reduce((all, pieces) => [...all, ...pieces], [] as string[]),
    ),
  );
const text = async (rows: readonly Row[], options: Parameters<typeof terminalLines>[0] = plain): Promise<string[]> => {
  const log = new Log();
  return (await collect([rows.map((row) => log.row(row))], options)).join("").split("\n");
};

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

  it("shows failures, retries, notices and questions", async () => {
    const error = { code: "EXECUTION.COMMAND.FAILED", message: "exit 3\nsorry" };
    const rows: Row[] = [
      runStarted(),
      stepStarted("build"),
      {
        type: "step.retrying",
        run: "r1",
        step: "build",
        payload: { name: "build", attempt: 1, delayMs: 1500, reason: error },
      },
      {
        type: "step.retrying",
        run: "r1",
        step: "build",
        payload: { name: "build", attempt: 2, delayMs: 0, reason: error },
      },
      {
        type: "permission.requested",
        run: "r1",
        step: "build",
        payload: {
          permission: "p",
          title: "Run again?",
          kind: "execute",
          message: "m",
          options: [{ id: "yes", name: "Run it again", kind: "allow_once" }],
        },
      },
      {
        type: "permission.resolved",
        run: "r1",
        step: "build",
        payload: { permission: "p", outcome: "selected", option: "yes" },
      },
      {
        type: "tool.call",
        run: "r1",
        step: "build",
        payload: { call: "c", title: "Read x", kind: "read", status: "pending" },
      },
      {
        type: "tool.result",
        run: "r1",
        step: "build",
        payload: { call: "c", status: "failed", content: [{ type: "text", text: "no such\nfile" }] },
      },
      { type: "notice", run: "r1", step: "build", payload: { severity: "info", message: "i" } },
      { type: "notice", run: "r1", step: "build", payload: { severity: "warning", message: "w" } },
      { type: "notice", run: "r1", step: "build", payload: { severity: "error", message: "e" } },
      stepCompleted("build", { status: "failed", exitCode: 3, error }),
      stepStarted("skip"),
      stepCompleted("skip", { status: "skipped" }),
      stepStarted("cut"),
      stepCompleted("cut", { status: "cancelled", exitCode: 130 }),
      { type: "input.required", run: "r1", step: "talk", payload: { input: "i", prompt: "Your name?" } },
      { type: "input.answered", run: "r1", step: "talk", payload: { input: "i", text: "x" } },
      runCompleted({ status: "failed", exitCode: 3, error }),
    ];
    expect(await text(rows)).toEqual([
      "demo · run r1",
      "  → build",
      "    ↻ attempt 1 failed: exit 3 sorry; again in 1.5s",
      "    ↻ attempt 2 failed: exit 3 sorry; again now",
      "    Run again? Run it again",
      "    • Read x",
      "      ✗ Read x failed: no such file",
      "    · i",
      "    ! w",
      "    ! e",
      "  ✗ build 1.0s failed (exit 3)",
      "  → skip",
      "  ○ skip skipped",
      "  → cut",
      "  ■ cut 100ms cancelled",
      "    ? Your name?",
      "✗ demo failed in 1.8s (3 steps, 1 failed, 2 retried)",
      "",
      "✗ build failed (exit 3) after 3 attempts",
      "",
      "  look:  troupe logs r1 --failed",
      "  rerun: troupe rerun r1 --failed",
      "",
    ]);
  });

  it("says why a called run failed once, at the end", async () => {
    const error = { code: "EXECUTION.PARALLEL.PARTIAL_FAILURE", message: "1 of 3 branches failed" };
    const failed = { status: "failed", exitCode: 1, error } as const;
    const shown = await text([
      runStarted(),
      stepStarted("call", { kind: "call_workflow" }),
      runStarted("child", {}, "r2", "r1"),
      stepStarted("fan", { kind: "parallel" }, "r2"),
      stepCompleted("fan", { kind: "parallel", ...failed }, "r2"),
      runCompleted(failed, "r2", "r1"),
      {
        type: "step.call_workflow.completed",
        run: "r1",
        step: "call",
        childRun: "r2",
        payload: { name: "call", workflow: "child", status: "failed" },
      },
      stepCompleted("call", { kind: "call_workflow", ...failed }),
      runCompleted(failed),
    ]);
    expect(shown.filter((line) => line.includes("1 of 3"))).toEqual(["  1 of 3 branches failed"]);
  });

  it("says a failure that the author wrote down in the author's words", async () => {
    const error = { code: "EXECUTION.RUN.FAILED", message: 'the workflow ended in "__inline_error_a"' };
    expect(
      await text([runStarted(), runCompleted({ status: "failed", exitCode: 9, error, message: "No luck." })]),
    ).toEqual([
      "demo · run r1",
      "No luck.",
      "✗ demo failed in 100ms (0 steps), exit 9",
      "",
      "  look:  troupe logs r1",
      "  rerun: troupe rerun r1",
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

  it("indents what is nested: loops, and runs that a step calls", async () => {
    const rows: Row[] = [
      runStarted(),
      stepStarted("each", { kind: "for_each" }),
      stepStarted("each/0.one"),
      output("each/0.one", 0, "x\n"),
      stepCompleted("each/0.one"),
      stepStarted("each/1.one#2"),
      stepCompleted("each/1.one#2"),
      stepCompleted("each", { kind: "for_each" }),
      stepStarted("sub", { kind: "call_workflow" }),
      runStarted("child", {}, "r2", "r1"),
      stepStarted("in", {}, "r2"),
      stepCompleted("in", {}, "r2"),
      runCompleted({ workflow: "child" }, "r2", "r1"),
      stepCompleted("sub", { kind: "call_workflow" }),
      runCompleted(),
    ];
    expect(await text(rows)).toEqual([
      "demo · run r1",
      "  → each (for each)",
      "    → 1. one",
      "      x",
      "    ✓ 1. one 200ms",
      "    → 2. one#2",
      "    ✓ 2. one#2 100ms",
      "  ✓ each 600ms",
      "  → sub (call workflow)",
      "    child · run r2",
      "      → in",
      "      ✓ in 100ms",
      "    ✓ child completed in 300ms (1 step)",
      "  ✓ sub 500ms",
      "✓ demo completed in 1.4s (5 steps)",
      "",
    ]);
  });

  it("says of each of two calls at once whose its lines are", async () => {
    const begun = (step: string, run: string): Row[] => [
      stepStarted(`fan/${step}`, { kind: "call_workflow", parallel: true }),
      {
        type: "step.call_workflow.started",
        run: "r1",
        step: `fan/${step}`,
        childRun: run,
        payload: { name: step, workflow: "sub" },
      },
      { ...runStarted("sub", {}, run, "r1"), parentStep: `fan/${step}` },
      stepStarted("in", { parallel: true }, run),
    ];
    const rows: Row[] = [
      runStarted(),
      stepStarted("fan", { kind: "parallel" }),
      ...begun("left", "r2"),
      ...begun("right", "r3"),
      { ...output("in", 0, "hi\n"), run: "r3" },
      stepCompleted("in", {}, "r3"),
      {
        type: "permission.requested",
        run: "r2",
        step: "in",
        payload: { permission: "p", title: "May it?", kind: "execute", message: "", options: [] },
      },
      { type: "permission.resolved", run: "r2", step: "in", payload: { permission: "p", outcome: "cancelled" } },
      runCompleted({ workflow: "sub" }, "r3", "r1"),
    ];
    expect(await text(rows)).toEqual([
      "demo · run r1",
      "  → fan (parallel)",
      "    → left (call workflow)",
      "      left › sub · run r2",
      "        → left › in",
      "    → right (call workflow)",
      "      right › sub · run r3",
      "        → right › in",
      "          right › in │ hi",
      "        ✓ right › in 200ms",
      "          left › in │ May it? no answer",
      "      ✓ right › sub completed in 600ms (1 step)",
      "",
    ]);
  });

  it("I1 of speech: steps at once are heard line by line, and to the end of an open line", async () => {
    const log = new Log();
    const frames: Frame[] = [
      log.row(runStarted()),
      log.row(stepStarted("fan", { kind: "parallel" })),
      log.row(stepStarted("fan/a", { parallel: true })),
      log.row(stepStarted("fan/b", { parallel: true })),
      log.live(output("fan/a", 0, "a1")),
      log.live(output("fan/b", 0, "b1\nb")),
      log.live(output("fan/a", 2, " a2\nlast")),
      log.live(output("fan/b", 4, "2\n")),
      log.row(output("fan/a", 0, "a1 a2\nlast")),
      log.row(output("fan/b", 0, "b1\nb2\n")),
      log.row(stepCompleted("fan/b")),
      log.row(stepCompleted("fan/a")),
    ];
    expect((await collect(frames.map((frame) => [frame]))).join("").split("\n")).toEqual([
      "demo · run r1",
      "  → fan (parallel)",
      "    → a",
      "    → b",
      "      b │ b1",
      "      a │ a1 a2",
      "      b │ b2",
      "    ✓ b 300ms",
      "      a │ last",
      "    ✓ a 500ms",
      "",
    ]);
  });

  it("I1 of speech: what a step has said stands before what it does next", async () => {
    const of = (step: string, row: object): Row => ({ run: "r1", step, ...row }) as Row;
    const notice = (step: string, message: string) =>
      of(step, { type: "notice", payload: { severity: "info", message } });
    const call = (id: string) =>
      of("fan/b", { type: "tool.call", payload: { call: id, title: id, kind: "read", status: "in_progress" } });
    const printed = (text: string, stream: "stdout" | "stderr", offset = 0): Row => ({
      ...of("fan/b", { type: "tool.update" }),
      ...{ payload: { block: `fan/b@1.t.${stream}`, call: "t", stream, offset, text } as never },
    });
    const hooked: Row = of("a", {
      type: "tool.update",
      payload: { block: "step/x:3.1.stdout", offset: 0, text: "hooked", stream: "stdout" },
    });
    const rows: Row[] = [
      runStarted(),
      ...[stepStarted("a"), output("a", 0, "one"), output("a", 0, "er", "stderr"), output("a", 3, " two"), hooked],
      ...[notice("a", "after a"), stepCompleted("a"), stepStarted("fan", { kind: "parallel" })],
      stepStarted("fan/b", { parallel: true, kind: "agent" }),
      ...[said("fan/b", 0, "First."), call("Read"), said("fan/b", 0, "Sec", 2), said("fan/b", 3, "ond.", 2)],
      of("fan/b", { type: "usage.recorded", payload: { inputTokens: 1, outputTokens: 1 } }),
      ...[said("fan/b", 7, " So.", 2), said("fan/b", 0, "Third.", 3), printed("o", "stdout"), printed("e", "stderr")],
      ...[printed("k\n", "stdout", 1), call("Look"), stepCompleted("fan/b", { kind: "agent" })],
    ];
    expect((await text(rows)).map((line) => line.replace(/ \d.*$/, ""))).toEqual([
      "demo · run r1",
      ...["  → a", "    one two", "    er", "    hooked", "    · after a", "  ✓ a"],
      ...["  → fan (parallel)", "    → b", "      b │ First.", "      b │ • Read", "      b │ Second. So."],
      ...["      b │ Third.", "      b │ ok", "      b │ e", "      b │ • Look", "    ✓ b", ""],
    ]);
  });

  it("I2 shows words as they are said, a piece for a chunk, and closes the line for what comes next", async () => {
    const log = new Log();
    const batches: Frame[][] = [
      [log.row(runStarted()), log.row(stepStarted("a", { kind: "agent" }))],
      [log.live(said("a", 0, "Hel")), log.live(said("a", 3, "lo"))],
      [log.row(said("a", 0, "Hello"))],
      [log.live(said("a", 5, "!"))],
      [log.row(said("a", 5, "!")), log.row(stepCompleted("a", { kind: "agent" }))],
    ];
    const seen: string[][] = [];
    await lastValueFrom(
      from(batches).pipe(
        terminalLines(plain),
        reduce((_, pieces) => seen.push(pieces), 0),
      ),
    );
    expect(seen).toEqual([["demo · run r1\n", "  → a\n"], ["    Hel", "lo"], [], ["!"], ["\n", "  ✓ a 300ms\n"], []]);
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

  it("I2 shows the same text live, replayed and mixed, however it is cut", async () => {
    const script = fc.record({
      said: fc.string({ unit: fc.constantFrom("a", "b", " ", "\n", "é"), minLength: 1, maxLength: 30 }),
      cuts: fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 1 }),
      live: fc.array(fc.boolean(), { minLength: 1 }),
      parallel: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(script, async ({ said: whole, cuts, live, parallel }) => {
        const log = new Log();
        const begin = [log.row(runStarted()), log.row(stepStarted("a", { parallel }))];
        const end = (): Frame[] => [log.row(stepCompleted("a"))];
        const pieces: Frame[][] = [];
        for (let at = 0, i = 0; at < whole.length; i++) {
          const piece = whole.slice(at, at + (cuts[i % cuts.length] ?? 1));
          if (live[i % live.length]) pieces.push([log.live(output("a", at, piece))]);
          pieces.push([log.row(output("a", at, piece), 0)]);
          at += piece.length;
        }
        const cut = (await collect([begin, ...pieces, end()])).join("");
        const other = new Log();
        const rows = [runStarted(), stepStarted("a", { parallel })].map((row) => other.row(row));
        const replayed = await collect([[...rows, other.row(output("a", 0, whole), 0), other.row(stepCompleted("a"))]]);
        expect(cut).toBe(replayed.join(""));
      }),
    );
  });

  it("ends an open line when nothing more comes", async () => {
    const log = new Log();
    const frames$ = of([log.row(runStarted()), log.row(stepStarted("a")), log.row(said("a", 0, "open"))]);
    const pieces = await lastValueFrom(
      frames$.pipe(
        terminalLines(plain),
        reduce((all, some) => [...all, ...some], [] as string[]),
      ),
    );
    expect(pieces.at(-1)).toBe("\n");
  });

  it("shows a line that is too long to be held as it comes, as one line", async () => {
    const log = new Log();
    const long = "x".repeat(100_000);
    const rows = [
      runStarted(),
      stepStarted("a"),
      output("a", 0, long),
      output("a", 100_000, `${long}\n`),
      stepCompleted("a"),
    ];
    const shown = await collect(rows.map((row) => [log.row(row)]));
    expect(Math.max(...shown.map(({ length }) => length))).toBeLessThan(70_000);
    const lines = shown
      .join("")
      .split("\n")
      .filter((line) => line.includes("xx"));
    expect(lines.map((line) => line.trim())).toEqual([long + long]);
  });

  it("shows a program's line when it has ended, the last one of a program that was cut off too", async () => {
    const progress = output("a", 0, "10%\r50%\r\u001b[K100%\r\ndone\r\nopen");
    const shown = ["demo · run r1", "  → a", "    100%", "    done", "    open", ""];
    expect(await text([runStarted(), stepStarted("a"), progress])).toEqual(shown);
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
