import { describe, expect, it } from "vitest";
import type { ForEachNode } from "../../../../machines/workflow/document.ts";
import { parseWorkflow } from "../../../../machines/workflow/parse.ts";

const parsed = (each: string, look = "", done = "", awf = false) =>
  parseWorkflow(
    `name: w
states:
  initial: each
  each: {type: for_each, body: [look], on_complete: done, ${each}}
  look: {type: step, command: "true"${look}}
  done: {type: terminal${done}}
`,
    { file: null, awf },
  );
const told = (...given: Parameters<typeof parsed>) =>
  parsed(...given).findings.map(({ severity, message }) => `${severity} ${message}`);
const eachOf = (each: string) => parsed(each).workflow?.states["each"] as ForEachNode;

describe("rounds at once", () => {
  it.each([
    ["max_concurrent: 16, items: a", { strategy: "all_succeed", maxConcurrent: 16 }],
    ["strategy: best_effort, items: a", { strategy: "best_effort", maxConcurrent: 1 }],
    ["matrix: {os: [a]}", { strategy: "all_succeed", maxConcurrent: 1 }],
  ])("%s", (each, fanned) => {
    expect(told(each)).toEqual([]);
    expect(eachOf(each)).toMatchObject({ fanned, maxIterations: 10_000 });
  });
  it("are off where the file has none of these fields, as in AWF", () => {
    const { fanned, matrix, maxIterations } = eachOf("items: a");
    expect([fanned, matrix, maxIterations]).toEqual([undefined, undefined, 100]);
  });

  it.each([
    ["items: a, matrix: {os: [a]}", '"items" and "matrix" exclude each other'],
    ["max_concurrent: -1, items: a", "max_concurrent"],
    ["max_concurrent: 2", "has nothing to go over"],
    ["matrix: {os: 3}", "a list"],
  ])("are refused: %s", (each, message) => {
    expect(told(each)).toEqual([expect.stringContaining(message)]);
    expect(told(each)[0]).toMatch(/^error/);
  });
  it("load with a wrong field in AWF's folders, where AWF does not read it", () => {
    expect(told("max_concurrent: lots, items: a", "", "", true)).toEqual([expect.stringMatching(/^warning /)]);
  });

  it("may not lead out of the loop, since other rounds run beside them", () => {
    const out = told("items: a, strategy: best_effort", ", on_success: done");
    expect(out).toEqual([expect.stringMatching(/^error "look" leads to "done", out of a round of "each"/)]);
    const [finding] = parsed("items: a, strategy: best_effort", ", on_success: done").findings;
    expect(finding?.expected).toBe(
      'a state of its body, or "each" for the next one of it; where the loop leads says its on_complete',
    );
    expect(told("items: a, strategy: best_effort", ", on_success: each, on_failure: done")).toEqual([]);
    expect(told("items: a", ", on_success: done")).toEqual([]);
  });

  const nested = (more: string, two = "") =>
    parseWorkflow(
      `name: w
states:
  initial: each
  each: {type: for_each, items: a, max_concurrent: 2, body: [inner, after], on_complete: done}
  inner: {type: while, while: "true", body: [one, two], ${more}}
  one: {type: step, command: "true"}
  two: {type: step, command: "true"${two}}
  after: {type: step, command: "true"}
  out: {type: step, command: "true", on_success: done}
  done: {type: terminal}
`,
      { file: null, awf: false },
    ).findings.flatMap(({ code, message }) => (code.endsWith("INVALID_TRANSITION") ? [message] : []));
  it("may not lead out of the loop from a loop in them either", () => {
    expect(nested("on_complete: out")).toEqual([expect.stringMatching(/^"inner" leads to "out", out of a round/)]);
    expect(nested("", ", on_success: out")).toEqual([expect.stringMatching(/^"two" leads to "out", out of a round/)]);
    for (const inside of ["after", "one", "inner", "each"]) {
      expect(nested("on_complete: after", `, on_success: ${inside}`)).toEqual([]);
    }
  });

  const ordered = (one: string, two: string, loop = "max_concurrent: 2") =>
    parseWorkflow(
      `name: w
states:
  initial: each
  each: {type: for_each, items: a, ${loop}, body: [one, two], on_complete: done}
  one: {type: step, command: "x ${one}", on_success: each}
  two: {type: step, command: "x ${two}", on_success: each}
  done: {type: terminal}
`,
      { file: null, awf: false },
    ).findings.map(({ message }) => message);
  it("see nothing of another round: what stands behind a state has not run before it", () => {
    expect(ordered("", "{{.states.one.Output}}")).toEqual([]);
    expect(ordered("{{.states.two.Output}}", "")).toEqual(['"two" cannot have run before this text is read']);
    expect(ordered("", "{{.states.two.Output}}")).toEqual(['"two" reads its own result before it has run']);
    expect(ordered("{{.states.two.Output}}", "{{.states.two.Output}}", "max_iterations: 3")).toEqual([]);
  });

  it("leave their results only as a list of rounds", () => {
    const message = ', message: "{{.states.look.Output}}"';
    expect(told("items: a", "", message)).toEqual([]);
    expect(told("items: a, max_concurrent: 2", "", message)).toEqual([
      expect.stringMatching(/^error "look" runs once for each item of "each"/),
    ]);
    const rounds = ', message: "{{range .states.each.Rounds}}{{.Item}}{{end}}"';
    expect(told("items: a, max_concurrent: 2", "", rounds)).toEqual([]);
    expect(told("items: a, max_concurrent: 2, break_when: \"states.look.Output == 'x'\"")).toEqual([]);
  });
});
