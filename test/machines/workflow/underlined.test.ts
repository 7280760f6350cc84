/** Where a finding stands: what is underlined, by lines and columns. */
import { describe, expect, it } from "vitest";
import { Report, type ReportedFault } from "../../../machines/workflow/report.ts";
import { fault, over } from "./faults.ts";

/** What is underlined for one fault. */
function underlined(source: string, rest: Partial<ReportedFault>): string {
  const report = over(source);
  report.add(fault(rest));
  const [finding] = report.findings();
  return finding === undefined ? "nothing" : source.slice(finding.range.start, finding.range.end);
}

describe("what is underlined", () => {
  const source = "name: x\nempty:\nlist: [a, ~]\nstates:\n  a:\n    command: |\n      one\n\n  b: {}\n";

  it.each<[string, Partial<ReportedFault>, string]>([
    ["the value", { path: ["name"] }, "x"],
    ["the value, where that is asked for", { path: ["name"], on: "value" }, "x"],
    ["the key, where that is asked for", { path: ["name"], on: "key" }, "name"],
    ["the key of an empty value", { path: ["empty"] }, "empty"],
    ["an item", { path: ["list", 0] }, "a"],
    ["an item, where it has no key", { path: ["list", 0], on: "key" }, "a"],
    ["an empty item", { path: ["list", 1] }, "~"],
    ["the key above what is missing", { path: ["states", "b", "command"] }, "b"],
    ["a list in which something is missing", { path: ["list", 7] }, "list"],
    ["a range", { path: ["name"], on: { start: 2, end: 4 } }, "me"],
    ["no line break at the end", { path: ["states", "a", "command"] }, "|\n      one"],
  ])("%s", (_, rest, text) => {
    expect(underlined(source, rest)).toBe(text);
  });

  it("is the file, where what is missing has no key above it", () => {
    expect(underlined("a: 1", { path: ["b"] })).toBe("a: 1");
  });

  it.each([
    [-5, 2, 0, 2],
    [2, 99, 2, 4],
    [2, 2, 2, 3],
    [3, 1, 3, 4],
    [4, 4, 4, 4],
    [99, 120, 4, 4],
    [1, 3, 1, 2],
  ])("is inside of the file, and something: from %i to %i", (start, end, from, to) => {
    const report = new Report("ab c", false);
    report.add(fault({ on: { start, end } }));
    expect(report.findings().map(({ range }) => range)).toEqual([{ start: from, end: to }]);
  });
});

describe("a position", () => {
  it("counts lines and columns from 1", () => {
    const report = new Report("ab\n\nc\n", false);
    expect([0, 1, 2, 3, 4, 5, 6].map((offset) => report.position(offset))).toEqual([
      { line: 1, column: 1 },
      { line: 1, column: 2 },
      { line: 1, column: 3 },
      { line: 2, column: 1 },
      { line: 3, column: 1 },
      { line: 3, column: 2 },
      { line: 4, column: 1 },
    ]);
  });

  it("is that of an empty file", () => {
    expect(new Report("", false).position(0)).toEqual({ line: 1, column: 1 });
  });

  it("of a range goes over lines", () => {
    const report = new Report("a\nbc", false);
    report.add(fault({ on: { start: 0, end: 3 } }));
    expect(report.findings()).toMatchObject([{ line: 1, column: 1, endLine: 2, endColumn: 2 }]);
  });
});
