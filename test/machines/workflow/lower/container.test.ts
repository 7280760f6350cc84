/** What the fields of parallel and of the loops come to: the whole node, and what is said of fields that are wrong. */
import { describe, expect, it } from "vitest";
import { type Case, type Kind, lowered, nodeOf } from "./support.ts";

const CASES: { [kind in Kind]?: Case[] } = {
  parallel: [
    [
      "{type: parallel, parallel: [b, b], on_success: z}",
      null,
      ['37 "b" stands in "parallel" twice | each state once'],
    ],
    ["{type: parallel, parallel: [], on_success: z}", null, ['23 "parallel" is empty | at least one state']],
    [
      "{type: parallel, parallel: [b], strategy: any_succeed, max_concurrent: 3, on_success: z}",
      { branches: ["b"], strategy: "any_succeed", maxConcurrent: 3 },
      [],
    ],
  ],
  for_each: [
    [
      "{type: for_each, items: [1], body: [b, b], on_complete: z}",
      null,
      ['45 "b" stands in "body" twice | each state once'],
    ],
    [
      "{type: for_each, body: [b], on_complete: z}",
      null,
      ['3 for each step "a" has nothing to go over | items or matrix'],
    ],
    [
      "{type: for_each, items: [1], matrix: {a: [1]}, body: [b], on_complete: z}",
      null,
      ['35 "items" and "matrix" exclude each other | one of the two'],
    ],
    [
      "{type: for_each, matrix: {a: [1], b: '{{.inputs.x}}'}, body: [b], on_complete: z}",
      {
        maxIterations: 10000,
        items: [],
        matrix: { a: [1], b: "{{.inputs.x}}" },
        fanned: { strategy: "all_succeed", maxConcurrent: 1 },
      },
      ['46 input "x" is not declared | an input "x" in inputs'],
    ],
    [
      "{type: for_each, items: [1], max_concurrent: 4, body: [b], on_complete: z}",
      { maxIterations: 10000, fanned: { strategy: "all_succeed", maxConcurrent: 4 } },
      [],
    ],
    [
      "{type: for_each, items: '[1, 2]', strategy: best_effort, break_when: 'true', max_iterations: ' 7 ', body: [b], on_complete: z}",
      { maxIterations: 7, breakWhen: "true", items: "[1, 2]", fanned: { strategy: "best_effort", maxConcurrent: 1 } },
      [],
    ],
    [
      "{type: for_each, items: [1], max_iterations: 99999999, body: [b], on_complete: z}",
      null,
      ['51 "max_iterations" is above 10000 | at most 10000'],
    ],
    ...["0", "' 00 '"].map((none): [string, null, string[]] => [
      `{type: for_each, items: [1], max_iterations: ${none}, body: [b], on_complete: z}`,
      null,
      ['51 "max_iterations" is 0 | at least 1, or no such field'],
    ]),
    ["{type: for_each, items: [1], max_iterations: 10000, body: [b], on_complete: z}", { maxIterations: 10000 }, []],
    [
      "{type: for_each, items: [1], max_iterations: 10001, body: [b], on_complete: z}",
      null,
      ['51 "max_iterations" is above 10000 | at most 10000'],
    ],
    [
      '{type: for_each, items: [1], max_iterations: "7x", body: [b], on_complete: z}',
      { maxIterations: "7x" },
      ['52 "7x" is neither a number nor a name'],
    ],
    ["{type: for_each, items: [1], body: [], on_complete: z}", null, ['35 "body" is empty | at least one state']],
  ],
  while: [
    [
      "{type: while, while: 'true', max_iterations: 'inputs.n', body: [b], on_complete: z}",
      { maxIterations: "inputs.n" },
      ['52 input "n" is not declared | an input "n" in inputs'],
    ],
    ["{type: while, body: [b], on_complete: z}", null, ['3 while step "a" needs "while" | text']],
    [
      "{type: while, while: 3, body: [b], on_complete: z}",
      { test: "3" },
      ["27 a condition is true or false, and 3 is a number | a comparison"],
    ],
  ],
};

describe.each(Object.entries(CASES) as [Kind, Case[]][])("%s", (kind, cases) => {
  it.each(cases)("%s", (step, more, said) => {
    expect(lowered(step)).toEqual({ node: nodeOf(kind, more), said });
  });
});

/** In AWF's folders what AWF passes over is a warning, and the step is there. */
const AWF_CASES: [Kind, ...Case][] = [
  [
    "parallel",
    "{type: parallel, parallel: [b, b], on_success: z}",
    { branches: ["b"], strategy: "all_succeed", maxConcurrent: 0 },
    ['37 (warning) "b" stands in "parallel" twice | each state once'],
  ],
  [
    "for_each",
    "{type: for_each, matrix: {a: [1], b: '{{.inputs.x}}'}, body: [b], on_complete: z}",
    {
      maxIterations: 10000,
      items: [],
      matrix: { a: [1], b: "{{.inputs.x}}" },
      fanned: { strategy: "all_succeed", maxConcurrent: 1 },
    },
    ['46 (warning) input "x" is not declared | an input "x" in inputs'],
  ],
  [
    "for_each",
    "{type: for_each, items: [1], max_iterations: 99999999, body: [b], on_complete: z}",
    { maxIterations: 10000 },
    ['51 (warning) "max_iterations" is above 10000 | at most 10000'],
  ],
  [
    "while",
    "{type: while, while: 'true', max_iterations: 0, body: [b], on_complete: z}",
    { maxIterations: 100 },
    ['51 (warning) "max_iterations" is 0 | at least 1, or no such field'],
  ],
  [
    "while",
    "{type: while, while: 'true', max_iterations: 'inputs.n', body: [b], on_complete: z}",
    { maxIterations: "inputs.n" },
    ['52 (warning) input "n" is not declared | an input "n" in inputs'],
  ],
  [
    "for_each",
    "{type: for_each, items: [1], max_iterations: 10001, body: [b], on_complete: z}",
    { maxIterations: 10000 },
    ['51 (warning) "max_iterations" is above 10000 | at most 10000'],
  ],
  [
    "parallel",
    "{type: parallel, parallel: [b], max_concurrent: -1, on_success: z}",
    { branches: ["b"], strategy: "all_succeed", maxConcurrent: 0 },
    ['54 (warning) "max_concurrent" must be a whole number, 0 or more, not -1 | a whole number, 0 or more'],
  ],
  [
    "while",
    "{type: while, while: 'x(', break_when: 'y(', max_iterations: 'z(', body: [b], on_complete: z}",
    { test: "x(", breakWhen: "y(", maxIterations: "z(" },
    [
      "30 (warning) expected a value, found the end",
      "48 (warning) expected a value, found the end",
      "70 (warning) expected a value, found the end",
    ],
  ],
  [
    "while",
    "{type: while, while: 'true', break_when: '', max_iterations: '', body: [b], on_complete: z}",
    {},
    [
      '47 (warning) "break_when" is empty: without a condition the loop goes on to its end | a value, or no such field',
      '67 (warning) "max_iterations" is empty: without a number the loop has the default | a value, or no such field',
    ],
  ],
];

it.each(AWF_CASES)("in a folder of AWF's: %s %s", (kind, step, more, said) => {
  expect(lowered(step, true)).toEqual({ node: nodeOf(kind, more), said });
});

it.each([
  "{type: parallel, parallel: [b], max_concurrent: '2', on_success: z}",
  "{type: while, while: '', body: [b], on_complete: z}",
])("what AWF refuses is refused in its folders too: %s", (step) => {
  expect(lowered(step, true).said).toEqual([expect.not.stringContaining("(warning)")]);
});

it.each([
  "{type: while, while: 'true', break_when: 'x(', body: [b], on_complete: z}",
  "{type: while, while: 'true', break_when: '', body: [b], on_complete: z}",
])("what only AWF passes over is an error elsewhere: %s", (step) => {
  expect(lowered(step).said).toEqual([expect.not.stringContaining("(warning)")]);
});
