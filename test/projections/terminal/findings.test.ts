import { expect, it } from "vitest";
import type { Finding } from "../../../machines/workflow/finding.ts";
import { findingLines, leftOutLines, refusalLines } from "../../../projections/terminal/findings.ts";

const source = "name: x\nstates:\n  initial: biuld\n  build:\n    type: step\n";
const finding: Finding = {
  code: "WORKFLOW.VALIDATION.MISSING_STATE",
  severity: "error",
  message: 'there is no state "biuld"',
  expected: "the name of a state",
  suggestion: "build",
  path: "states.initial",
  range: { start: 27, end: 32 },
  line: 3,
  column: 12,
  endLine: 3,
  endColumn: 17,
};
const { expected: _, suggestion: __, ...bare } = finding;
const view = { id: "x", file: "/w/x.yaml", source, findings: [finding] };

it("places each finding, says what was expected, and shows the lines around it", () => {
  expect(findingLines(view, { colours: false })).toEqual([
    '/w/x.yaml:3:12 error there is no state "biuld" [WORKFLOW.VALIDATION.MISSING_STATE]',
    "  expected the name of a state",
    '  did you mean "build"?',
    "  1 | name: x",
    "  2 | states:",
    "> 3 |   initial: biuld",
    "    |            ^^^^^",
    "  4 |   build:",
    "  5 |     type: step",
    "",
    "✗ x: 1 error, 0 warnings",
  ]);
});

it("says nothing twice that the message says already", () => {
  const message = 'unknown operator "=": did you mean "=="? "x" must be text';
  const twice = { ...finding, message, expected: "text", suggestion: "==" };
  expect(findingLines({ ...view, source: "", findings: [twice] }, { colours: false })).toEqual([
    `/w/x.yaml:3:12 error ${message} [WORKFLOW.VALIDATION.MISSING_STATE]`,
    "",
    "✗ x: 1 error, 0 warnings",
  ]);
});

it("goes without the lines where there is no text, and tells warnings from errors", () => {
  const warned = { ...view, file: null, source: "", findings: [{ ...bare, severity: "warning" as const }] };
  expect(findingLines(warned, { colours: false })).toEqual([
    'x:3:12 warning there is no state "biuld" [WORKFLOW.VALIDATION.MISSING_STATE]',
    "",
    "! x: 0 errors, 1 warning",
  ]);
  expect(findingLines({ ...view, findings: [] }, { colours: false })).toEqual(["✓ x is valid"]);
});

it("says for what a run that begins here would be refused, of all findings those alone", () => {
  const lacks = { ...bare, severity: "warning" as const, message: "no \u001b[2Jclaude here", expected: "its program" };
  expect(refusalLines([{ ...lacks, refuses: true }, lacks, finding])).toEqual([
    "! a run would be refused here: line 3, column 12: no claude here; expected its program",
  ]);
});

it("says what a listing leaves out, each in a line that is safe to show", () => {
  expect(leftOutLines(["one\u001b[2J", "two"], { colours: false })).toEqual(["warning: one", "warning: two"]);
  expect(leftOutLines([], { colours: true })).toEqual([]);
});
