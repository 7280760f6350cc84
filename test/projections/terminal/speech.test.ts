/** What steps say: heard as it comes, line by line where several speak. */
import fc from "fast-check";
import { from, lastValueFrom, of, reduce } from "rxjs";
import { describe, expect, it } from "vitest";
import type { Frame, Row } from "../../../machines/exchange.ts";
import { terminalLines } from "../../../projections/terminal/lines.ts";
import { collect, plain, text } from "./lines-of.ts";
import { Log, output, runStarted, said, stepCompleted, stepStarted } from "./rows.ts";

describe("terminalLines", () => {
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
});
