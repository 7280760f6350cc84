/** A report: its findings in their order, and how many it has. */
import { describe, expect, it } from "vitest";
import { Report, type ReportedFault } from "../../../machines/workflow/report.ts";
import { fault, over } from "./faults.ts";

describe("a finding", () => {
  const source = "name: x\nstates:\n  a: {command: one}\n";

  it("says all of a fault and where it stands", () => {
    const report = over(source);
    report.add(fault({ path: ["states", "a", "command"], expected: "two", suggestion: "tow" }));
    report.add(fault({ path: ["states", "a"], on: "key", message: "none", expected: undefined, suggestion: null }));
    expect(report.findings()).toEqual([
      {
        code: "WORKFLOW.PARSE.INVALID_FIELD",
        severity: "error",
        message: "none",
        path: "states.a",
        range: { start: 18, end: 19 },
        line: 3,
        column: 3,
        endLine: 3,
        endColumn: 4,
      },
      {
        code: "WORKFLOW.PARSE.INVALID_FIELD",
        severity: "error",
        message: "no",
        expected: "two",
        suggestion: "tow",
        path: "states.a.command",
        range: { start: 31, end: 34 },
        line: 3,
        column: 16,
        endLine: 3,
        endColumn: 19,
      },
    ]);
    expect(report.findings().map((each) => Object.keys(each).length)).toEqual([9, 11]);
  });

  it.each<[boolean, Partial<ReportedFault>, string]>([
    [false, { loads: false }, "error"],
    [false, { loads: true }, "error"],
    [true, { loads: false }, "error"],
    [true, { loads: true }, "warning"],
    [false, { maybe: true }, "warning"],
    [false, { maybe: false }, "error"],
    [true, { maybe: true }, "warning"],
    [false, { maybe: true, refuses: true }, "warning that refuses"],
    [true, { loads: true, refuses: true }, "warning that refuses"],
    [false, { maybe: true, refuses: false }, "warning"],
    [false, { refuses: true }, "error"],
  ])("I1: weighs what the place of the file makes of it: AWF %s, %j: %s", (awf, rest, weight) => {
    const report = over(source, awf);
    report.add(fault(rest));
    expect(report.findings().map((each) => `${each.severity}${"refuses" in each ? " that refuses" : ""}`)).toEqual([
      weight,
    ]);
  });

  it("I2: stands in the order of the file, the shorter one first where two begin together", () => {
    const report = over("abcdef");
    const ranges: [number, number][] = [
      [3, 4],
      [0, 6],
      [1, 2],
      [0, 2],
      [5, 6],
    ];
    for (const [start, end] of ranges) report.add(fault({ on: { start, end } }));
    expect(report.findings().map(({ range }) => [range.start, range.end])).toEqual([
      [0, 2],
      [0, 6],
      [1, 2],
      [3, 4],
      [5, 6],
    ]);
  });

  it("is told once for one place, code and message", () => {
    const report = over("abc");
    const on = { start: 0, end: 2 };
    const faults: Partial<ReportedFault>[] = [
      { on },
      { on, path: ["other"], expected: "other" },
      { on: { start: 1, end: 2 } },
      { on: { start: 0, end: 1 } },
      { on, message: "other" },
      { on, code: "WORKFLOW.PARSE.UNKNOWN_FIELD" },
    ];
    for (const each of faults) report.add(fault(each));
    expect(
      report.findings().map(({ range, code, message }) => `${range.start}-${range.end} ${code.slice(15)} ${message}`),
    ).toEqual([
      "0-1 INVALID_FIELD no",
      "0-2 INVALID_FIELD no",
      "0-2 INVALID_FIELD other",
      "0-2 UNKNOWN_FIELD no",
      "1-2 INVALID_FIELD no",
    ]);
  });

  it("I3: has a message, an expectation and a path of a thousand characters at most", () => {
    const report = over("abc");
    const long = (length: number) => "x".repeat(length);
    report.add(fault({ message: long(1_000), expected: long(1_000), path: [long(1_000)], on: { start: 0, end: 1 } }));
    report.add(fault({ message: long(1_001), expected: long(2_000), path: [long(3_000)], on: { start: 1, end: 2 } }));
    const texts = report.findings().map(({ message, expected, path }) => [message, expected, path]);
    const cut = `${long(999)}…`;
    expect(texts).toEqual([
      [long(1_000), long(1_000), long(1_000)],
      [cut, cut, cut],
    ]);
  });
});

describe("I3: a report that is full", () => {
  const source = "abc\nd";
  const at = (start: number, rest: Partial<ReportedFault> = {}) => fault({ on: { start, end: start + 1 }, ...rest });
  const rest = (severity: string, message: string) => ({
    code: "WORKFLOW.PARSE.LIMIT_EXCEEDED",
    severity,
    message,
    path: "",
    range: { start: 5, end: 5 },
    line: 2,
    column: 2,
    endLine: 2,
    endColumn: 2,
  });

  it("counts the others; the count is an error where one of them is", () => {
    const report = over(source, true, 2);
    const states: boolean[] = [];
    for (const each of [at(0), at(1)]) {
      states.push(report.isFull);
      report.add(each);
    }
    expect([...states, report.isFull]).toEqual([false, false, true]);
    const two = report.findings();
    expect(two.map(({ range }) => range.start)).toEqual([0, 1]);
    report.add(at(0, { loads: true }));
    expect(report.findings()).toEqual([...two, rest("warning", "and 1 more")]);
    report.add(at(2));
    expect(report.findings()).toEqual([...two, rest("error", "and 2 more")]);
    report.add(at(2, { loads: true }));
    expect(report.findings()).toEqual([...two, rest("error", "and 3 more")]);
  });

  it("has a hundred findings, where nothing else is said", () => {
    const report = new Report("x".repeat(101), false);
    for (let start = 0; start <= 100; start += 1) report.add(at(start));
    expect(report.findings().map(({ message }) => message)).toEqual([
      ...Array.from({ length: 100 }, () => "no"),
      "and 1 more",
    ]);
  });

  it("suggests nothing more", () => {
    const report = over(source, false, 1);
    expect(report.suggest("nmae", ["name"])).toBe("name");
    report.add(at(0));
    expect(report.suggest("nmae", ["name"])).toBeNull();
  });

  it("suggests nothing more either once that has cost too much", () => {
    const report = over(source);
    const long = Array.from({ length: 300 }, (_, index) => String(index).padStart(60, "x"));
    expect(report.suggest("y".repeat(60), long)).toBeNull();
    expect(report.suggest("nmae", ["name"])).toBeNull();
    expect(over(source).suggest("nmae", ["name"])).toBe("name");
  });
});

it("a new report has nothing in it", () => {
  const report = new Report("abc", true);
  expect({
    awf: report.awf,
    source: report.source,
    root: report.root,
    unsure: report.unsure,
    meant: report.meant,
    lostInput: report.lostInput,
    findings: report.findings(),
  }).toEqual({
    awf: true,
    source: "abc",
    root: { value: null, range: { start: 0, end: 0 } },
    unsure: new Set(),
    meant: new Set(),
    lostInput: false,
    findings: [],
  });
});
