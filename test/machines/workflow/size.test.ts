import { describe, expect, it } from "vitest";
import { FILE_LIMITS, type FileLimits } from "../../../machines/workflow/limits.ts";
import { Report } from "../../../machines/workflow/report.ts";
import { isTooLarge } from "../../../machines/workflow/size.ts";
import { readYaml } from "../../../machines/workflow/yaml/read.ts";

/** What is too much in a file, each with its place. */
function tooMuch(source: string, limits: Partial<FileLimits>): string[] {
  const report = new Report(source, true);
  const { root } = readYaml(source, FILE_LIMITS);
  if (root === null) throw new Error("not read");
  report.root = root;
  const is = isTooLarge(report, { ...FILE_LIMITS, ...limits });
  const told = report
    .findings()
    .map(({ line, path, code, severity, message }) => `${line} ${path} ${code} ${severity}: ${message}`);
  expect(is).toBe(told.length > 0);
  return told;
}
const refused = (place: string, message: string) => `${place} WORKFLOW.PARSE.LIMIT_EXCEEDED error: ${message}`;
const depth = (levels: number) =>
  refused("1 states", `loops and parallels stand in each other more than ${levels} levels deep`);

describe("states and inputs", () => {
  it.each([
    ["states", "states: {a: 1, b: 2}"],
    ["states", "states: [a, b]"],
    ["inputs", "inputs: {a: , b: }"],
    ["inputs", "inputs: [{name: a}, {name: b}]"],
  ])("are counted: %s of %s", (field, source) => {
    expect(tooMuch(source, { [field]: 2 })).toEqual([]);
    expect(tooMuch(source, { [field]: 1 })).toEqual([refused(`1 ${field}`, `more than 1 ${field}`)]);
  });

  it("are none where there is nothing to count", () => {
    expect(tooMuch("states: one\ninputs: 7", { states: 0, inputs: 0, depth: 0 })).toEqual([]);
    expect(tooMuch("name: x", { states: 0, inputs: 0, depth: 0 })).toEqual([]);
  });

  it("are all named where all are too many", () => {
    const source = "inputs: [a]\nstates: {p: {parallel: [q]}}";
    expect(tooMuch(source, { states: 0, inputs: 0, depth: 0 })).toEqual([
      refused("1 inputs", "more than 0 inputs"),
      refused("2 states", "more than 0 states"),
      refused("2 states", "loops and parallels stand in each other more than 0 levels deep"),
    ]);
  });
});

describe("levels of containers", () => {
  it.each([
    ["a step is none", "a: {command: x}", 0],
    ["a container is one, whatever it holds", "a: {parallel: [b, c, nowhere]}, b: {command: x}, c: {command: y}", 1],
    ["loops count as parallels do", "a: {type: while, body: [b]}, b: {parallel: [c]}, c: {command: x}", 2],
    ["the deepest branch counts, first", "a: {parallel: [b, d]}, b: {parallel: [c]}, c: {body: [d]}, d: 1", 3],
    ["and last", "a: {parallel: [d, b]}, b: {parallel: [c]}, c: {body: [d]}, d: 1", 3],
    ["also where the inner one stands first", "c: {body: [d]}, b: {parallel: [c]}, a: {parallel: [b]}", 3],
    ["the deepest of two that stand apart", "a: {body: [b]}, b: {body: [x]}, c: {body: [x]}", 2],
    ["what two hold counts once", "a: {parallel: [b, c]}, b: {parallel: [d]}, c: {parallel: [d]}, d: {body: [x]}", 3],
    ["one that is named twice", "a: {parallel: [b, b]}, b: {body: [x]}", 2],
    ["one that stands in itself counts once", "a: {body: [a]}", 1],
    ["two that stand in each other count once each", "a: {body: [b]}, b: {body: [a]}", 2],
    ["no names, no level", "a: {parallel: []}, b: {body: text}", 0],
    ["only names count", "a: {parallel: [7, {b: c}]}, b: {parallel: [7, c]}", 1],
    ["a body hides branches", "a: {body: [x], parallel: [b]}, b: {body: [x]}", 1],
  ])("%s", (_, states, levels) => {
    const source = `states: {${states}}`;
    expect(tooMuch(source, { depth: levels })).toEqual([]);
    if (levels > 0) expect(tooMuch(source, { depth: levels - 1 })).toEqual([depth(levels - 1)]);
  });
});
