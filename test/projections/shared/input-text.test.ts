/** Covers `input-text.ts`: what a person decides about. */
import { expect, test } from "vitest";
import { deedOf, inputLine, inputText, placesOf, wholeOf } from "../../../projections/shared/input-text.ts";

const TOOL = { id: "t", kind: "edit" } as never;
const EDIT = { path: "a.txt", oldText: "old", newText: "new" };

test("what a tool would be given is shown", () => {
  expect(deedOf({ tool: TOOL, input: { command: "ls" } })).toEqual({ command: "ls" });
  expect(deedOf({ tool: TOOL, input: "ls" })).toBe("ls");
  expect(deedOf({ tool: TOOL })).toBeUndefined();
});

test("of a step's gate what the step would do is shown, without what the title says", () => {
  expect(deedOf({ input: { step: "build", kind: "command", command: "make" } })).toEqual({ command: "make" });
  expect(deedOf({ input: { step: "build", kind: "command" } })).toBeUndefined();
});

test("the agent that would start is shown; what is neither says it all in its words", () => {
  const launch = { agent: "mine", sha256: "ab" };
  expect(deedOf({ input: launch })).toEqual(launch);
  expect([deedOf({ input: { agent: "mine" } }), deedOf({ input: { sha256: "ab" } })]).toEqual([undefined, undefined]);
  expect([deedOf({ input: { other: 1 } }), deedOf({ input: ["step"] }), deedOf({ input: null })]).toEqual([
    ...[undefined, undefined, undefined],
  ]);
  expect(wholeOf({ input: { other: 1 } })).toEqual({ other: 1 });
});

test("what an edit says is not said again", () => {
  const input = { file: "a.txt", before: "old", after: "new", mode: "strict", note: null };
  expect(wholeOf({ tool: TOOL, input, edits: [EDIT] })).toEqual({ mode: "strict", note: null });
  expect(wholeOf({ tool: TOOL, input: { file: "a.txt" }, edits: [EDIT] })).toBeUndefined();
  expect(wholeOf({ tool: TOOL, input, edits: [] })).toEqual(input);
  expect(wholeOf({ tool: TOOL, input: "new", edits: [EDIT] })).toBe("new");
  expect(wholeOf({ tool: TOOL, input: ["new"], edits: [EDIT] })).toEqual(["new"]);
  expect(wholeOf({ tool: TOOL, input: null, edits: [EDIT] })).toBeNull();
  expect(wholeOf({ tool: TOOL, input: { none: null }, edits: [{ ...EDIT, oldText: null }] })).toEqual({ none: null });
});

test("of a gate what it would do is shown whole, whatever edits say", () => {
  expect(wholeOf({ input: { step: "s", kind: "agent", file: "a.txt" }, edits: [EDIT] })).toEqual({ file: "a.txt" });
  expect(wholeOf({ tool: TOOL, input: { step: "s", file: "b" }, edits: [EDIT] })).toEqual({ step: "s", file: "b" });
});

test("places that an edit names already are left out, but those with a line", () => {
  const locations = [{ path: "a.txt" }, { path: "a.txt", line: 3 }, { path: "b.txt" }];
  expect(placesOf({ locations, edits: [EDIT] })).toEqual([{ path: "a.txt", line: 3 }, { path: "b.txt" }]);
  expect(placesOf({ locations })).toEqual(locations);
  expect(placesOf({})).toEqual([]);
});

test("fields stand in lines of their own, or in one line; texts as they are", () => {
  const input = { command: "a\nb", tries: 2, deep: { x: [1] }, none: null };
  expect(inputText(input)).toBe('command: a\nb\ntries: 2\ndeep: {"x":[1]}\nnone: null');
  expect(inputLine(input)).toBe('command: a\\nb, tries: 2, deep: {"x":[1]}, none: null');
  expect(["a\nb", null, 3, ["x", 1]].map((one) => inputText(one))).toEqual(["a\nb", "null", "3", '["x",1]']);
});
