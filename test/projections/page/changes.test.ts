/** Covers `changes.ts`: an edit, old beside new. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { type ChangeRow, changeRows } from "../../../projections/page/changes.ts";

/** `1 a | 1 a` for lines that are the same, `-`, `+` and `~` for what goes, comes and changes, `…3` for what is left out. */
const shown = (rows: readonly ChangeRow[]): string[] =>
  rows.map((row) => {
    if ("left" in row) return `…${row.left}`;
    const [old, fresh] = [row.old, row.fresh].map((side) => (side === null ? "" : `${side.number} ${side.text}`));
    return `${row.isSame ? "=" : "~"} ${old} | ${fresh}`;
  });
const changes = (old: string | null, fresh: string): string[] => shown(changeRows(old, fresh));

test("a new file, an empty one, one that goes, and one that stays", () => {
  expect(changes(null, "a\nb\n")).toEqual(["~  | 1 a", "~  | 2 b"]);
  expect([changes(null, ""), changes("", ""), changes("a\n", "")]).toEqual([[], [], ["~ 1 a | "]]);
  expect([changes("a\n", "a\n"), changes("a", "a\n")]).toEqual([["…1"], ["…1"]]);
});

test("lines that change stand beside each other, and those around them are kept", () => {
  expect(changes("a\nb\nc\n", "a\nB\nc\n")).toEqual(["= 1 a | 1 a", "~ 2 b | 2 B", "= 3 c | 3 c"]);
  expect(changes("a\nb\nc\n", "a\nx\ny\nc\n")).toEqual(["= 1 a | 1 a", "~ 2 b | 2 x", "~  | 3 y", "= 3 c | 4 c"]);
  expect(changes("a\nb\nx\nd\ne", "b\ny\nd\nz\ne")).toEqual([
    ...["~ 1 a | ", "= 2 b | 1 b", "~ 3 x | 2 y", "= 4 d | 3 d", "~  | 4 z", "= 5 e | 5 e"],
  ]);
  expect(changes("a\na\nb", "a\nb")).toEqual(["= 1 a | 1 a", "~ 2 a | ", "= 3 b | 2 b"]);
  expect(changes("a\nb", "a\na\nb")).toEqual(["= 1 a | 1 a", "~  | 2 a", "= 2 b | 3 b"]);
  expect(changes("a\n\n", "a\n")).toEqual(["= 1 a | 1 a", "~ 2  | "]);
});

test("of two ways to see it the one with more lines in common is taken", () => {
  expect(changes("x\na\nb\nc\ny", "q\nb\nc\na\nr")).toEqual([
    ...["~ 1 x | 1 q", "~ 2 a | ", "= 3 b | 2 b", "= 4 c | 3 c", "~ 5 y | 4 a", "~  | 5 r"],
  ]);
});

test("three lines around a change are shown, what is farther is counted", () => {
  const text = (changed: number[]): string =>
    Array.from({ length: 20 }, (_, at) => (changed.includes(at) ? `changed ${at}` : `line ${at}`)).join("\n");
  const numbers = (changed: number[]) =>
    changeRows(text([]), text(changed)).map((row) => ("left" in row ? `…${row.left}` : row.old?.number));
  expect(numbers([9])).toEqual(["…6", 7, 8, 9, 10, 11, 12, 13, "…7"]);
  expect(numbers([0])).toEqual([1, 2, 3, 4, "…16"]);
  expect(numbers([19])).toEqual(["…16", 17, 18, 19, 20]);
  expect(numbers([3, 11])).toEqual([1, 2, 3, 4, 5, 6, 7, "…1", 9, 10, 11, 12, 13, 14, 15, "…5"]);
  expect(numbers([3, 10])).toEqual([...Array.from({ length: 14 }, (_, at) => at + 1), "…6"]);
});

test("I1: both texts can be read from it, in order, with their numbers", () => {
  const text = fc.array(fc.constantFrom("a", "b", "c", ""), { maxLength: 12 }).map((lines) => lines.join("\n"));
  fc.assert(
    fc.property(text, text, (old, fresh) => {
      const rows = changeRows(old, fresh);
      const lines = (side: string) => (side === "" ? [] : side.replace(/\n$/, "").split("\n"));
      for (const [side, all] of [
        ["old", lines(old)],
        ["fresh", lines(fresh)],
      ] as const) {
        let at = 0;
        for (const row of rows) {
          if ("left" in row) at += row.left;
          else if (row[side] !== null) expect(row[side]).toEqual({ number: ++at, text: all[at - 1] });
        }
        expect(at).toBe(all.length);
      }
      for (const row of rows)
        if (!("left" in row)) expect(row.isSame).toBe(row.old !== null && row.old.text === row.fresh?.text);
    }),
  );
});

test("I2: of too many different lines what differs stands as one piece", () => {
  const many = (count: number, from: number): string =>
    Array.from({ length: count }, (_, at) => `${from + at}`).join("\n");
  const aligned = (count: number): number =>
    changeRows(`old\n${many(count, 0)}\nend`, `${many(count, 0)}\nmore\nend`).filter((row) => "left" in row).length;
  expect([aligned(1_999), aligned(2_000)]).toEqual([1, 0]);
});
