/** Findings in lists of names are placed where the file has the name, also behind entries that the document leaves out. */
import { expect, test } from "vitest";
import { said, states } from "./said.ts";

const placed = (lines: string): string[] =>
  (said(states(lines)) as { code: string; path: string; at: string }[])
    .filter(({ code, at }) => code === "MISSING_STATE" || at === "d")
    .map(({ path, at }) => `${path} ${at}`);

test.each([
  [
    "behind a transition without goto",
    "  a: {command: x, on_success: d, transitions: [{when: '1 == 1', to: d, next: d}, {when: '2 == 2', goto: nope}]}\n",
    "states.a.transitions[1].goto nope",
  ],
  [
    "behind a branch that stands twice",
    "  a: {parallel: [b, b, nope], on_success: d}\n  b: {command: x}\n",
    "states.a.parallel[2] nope",
  ],
  [
    "behind a state that is written into a body",
    "  a: {type: for_each, items: [1], body: [{command: x}, nope], on_complete: d}\n",
    "states.a.body[1] nope",
  ],
  [
    "an end behind a branch that stands twice",
    "  a: {parallel: [b, b, d], on_success: d}\n  b: {command: x}\n",
    "states.a.parallel[2] d",
  ],
])("%s", (_, lines, place) => {
  expect(placed(lines)).toEqual([place]);
});
