import { describe, expect, it } from "vitest";
import type { Finding } from "../../../machines/workflow/finding.ts";
import { codeFrame } from "../../../machines/workflow/frame.ts";
import { parse } from "./fixtures.ts";

const SOURCE = `name: x
states:
  initial: biuld
  build: {type: step, command: "a	b", on_success: done}
  done: {type: terminal}
`;

describe("codeFrame", () => {
  it("shows the lines around a finding with carets under what is meant", () => {
    const [finding] = parse(SOURCE).findings;
    expect(codeFrame(SOURCE, finding as Finding)).toBe(
      [
        "  1 | name: x",
        "  2 | states:",
        "> 3 |   initial: biuld",
        "    |            ^^^^^",
        '  4 |   build: {type: step, command: "a b", on_success: done}',
        "  5 |   done: {type: terminal}",
      ].join("\n"),
    );
  });

  it("cuts long lines around the finding, stops at the end of a line, and shows no control characters", () => {
    const at = { line: 1, column: 301, endLine: 2, endColumn: 2 } as Finding;
    const long = `${"-".repeat(300)}\u001b[31mX\u202e${"+".repeat(300)}\nend`;
    const [first, carets] = codeFrame(long, at).split("\n");
    expect(first).toBe(`> 1 | ${"-".repeat(80)}\\u001b[31mX\\u202e${"+".repeat(73)}`);
    expect(carets).toBe(`    | ${" ".repeat(80)}${"^".repeat(90)}`);
  });

  it.each([
    ["日本語 ", 7],
    ["한글テスト、", 12],
    ["🎉 ", 3],
    ["nai\u0308ve ", 6],
    ["grüße ", 6],
  ])("counts the cells of what stands before the carets: %s", (before, cells) => {
    const line = `${before}名x`;
    const [column, endColumn] = [before.length + 1, line.length + 1];
    const at = { line: 1, column, endLine: 1, endColumn } as Finding;
    expect(codeFrame(line, at)).toBe(`> 1 | ${line}\n    | ${" ".repeat(cells)}^^^`);
  });

  it("shows an empty file", () => {
    const [finding] = parse("").findings;
    expect(codeFrame("", finding as Finding)).toBe("> 1 |\n    | ^");
  });
});
