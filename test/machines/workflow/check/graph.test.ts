import { describe, expect, it } from "vitest";
import { brief, parse } from "../fixtures.ts";

/** Findings of a workflow with these states; `d` is its end. */
const of = (states: string, awf = false): string[] =>
  parse(`name: x\nstates:\n  initial: a\n${states}\n  d: {type: terminal}\n`, { awf }).findings.map(
    (finding) => `${brief([finding])[0]}: ${finding.message}`,
  );

describe("graph checks", () => {
  it("reports a cycle that leads to no end once, at its first state", () => {
    expect(
      of(
        "  a: {command: x, on_success: b}\n  b: {command: x, on_success: c, on_failure: a}\n  c: {command: x, on_success: b}",
      ),
    ).toEqual([
      "4:3 CYCLE_DETECTED: no end can be reached from a, b, c",
      '7:3 UNREACHABLE_STATE: no way leads to state "d"',
    ]);
    expect(of("  a: {command: x, on_success: a}")[0]).toBe('4:3 CYCLE_DETECTED: state "a" only leads back to itself');
  });

  it("accepts a cycle with a way out", () => {
    expect(of("  a: {command: x, on_success: b}\n  b: {command: x, on_success: d, on_failure: a}")).toEqual([]);
    expect(of("  a: {command: x, on_success: a, on_failure: {message: no}}")).toEqual([
      '5:3 UNREACHABLE_STATE: no way leads to state "d"',
    ]);
  });

  it("does not count the rounds of a loop as a cycle", () => {
    expect(of('  a: {while: "true", body: [b]}\n  b: {command: x, on_success: a}')).toEqual([
      '4:3 INVALID_TRANSITION: state "a" leads nowhere',
    ]);
    expect(of('  a: {while: "true", body: [b], on_complete: d}\n  b: {command: x, on_success: a}')).toEqual([]);
  });

  it("requires a next state for every step but branches and bodies", () => {
    expect(
      of(
        "  a: {parallel: [b], on_success: c}\n  b: {command: x}\n  c: {items: [1], body: [e], on_complete: d}\n  e: {command: x}",
      ),
    ).toEqual([]);
    const stuck = "  a: {command: x, on_success: b, on_failure: d}\n  b: {operation: http.request}";
    expect(of(stuck)).toEqual(['5:3 INVALID_TRANSITION: state "b" leads nowhere']);
    expect(of(stuck, true)).toEqual(['5:3 INVALID_TRANSITION (warning): state "b" leads nowhere']);
    expect(of("  a: {command: x, on_success: b, on_failure: d}\n  b: {command: x}", true)).toEqual([
      '5:3 INVALID_TRANSITION: state "b" leads nowhere',
    ]);
  });

  it("ignores the targets of a branch (awf.md 1.5)", () => {
    expect(
      of("  a: {parallel: [b], on_success: d}\n  b: {command: x, on_success: c}\n  c: {command: x, on_success: d}"),
    ).toEqual(['6:3 UNREACHABLE_STATE: no way leads to state "c"']);
  });

  it("takes the name of a branch's loop for its next round, and no way on", () => {
    const looped = (body: string): string[] =>
      of(`  a: {parallel: [l], on_success: d}\n  l: {items: [1], body: [x, y]}\n${body}`);
    expect(looped("  x: {command: x, on_success: l}\n  y: {command: x}")).toEqual([]);
    expect(looped("  x: {command: x, on_failure: y}\n  y: {command: x, on_success: l}")).toEqual([]);
    expect(looped("  x: {command: x, on_success: e}\n  y: {command: x}\n  e: {command: x, on_success: l}")).toEqual([
      '5:3 INVALID_TRANSITION: state "l" leads nowhere',
    ]);
    expect(of("  a: {command: x, on_success: l}\n  l: {items: [1], body: [a]}")).toEqual([
      '5:3 INVALID_TRANSITION: state "l" leads nowhere',
    ]);
  });

  it("takes the name of a loop further out for its next round too", () => {
    const inner = (way: string): string[] =>
      of(
        "  a: {parallel: [o], on_success: d}\n  o: {items: [1], body: [i, y]}\n" +
          `  i: {while: "loop.Index < 2", body: [x]}\n  x: {command: x, on_success: ${way}}\n  y: {command: y}`,
      );
    expect([inner("o"), inner("y"), inner("i")]).toEqual([[], [], []]);
  });

  it("requires a terminal", () => {
    const { findings } = parse("name: x\nstates:\n  initial: a\n  a: {command: x, on_success: a}\n");
    expect(brief(findings)).toEqual(["2:1 INVALID_TRANSITION", "4:3 CYCLE_DETECTED"]);
  });

  it("reports a typing error as one fault, not as many", () => {
    expect(of("  a: {command: x, on_success: buidl}\n  build: {command: x, on_success: d}")).toEqual([
      '4:31 MISSING_STATE: state "buidl" does not exist',
    ]);
    expect(of("  a: {type: stp, on_success: b}\n  b: {command: x, on_success: d}")).toEqual([
      '4:13 INVALID_FIELD: "stp" is not a type of step',
    ]);
  });
});
