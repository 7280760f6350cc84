/** What the fields of an ask step come to: its whole node, and what is said of questions that are wrong. */
import { describe, expect, it } from "vitest";
import { type Case, type Kind, lowered, nodeOf } from "./support.ts";

const CASES: Case[] = [
  [
    "{type: ask, message: M, questions: [{name: a, prompt: P}, {name: n, prompt: N, type: integer, required: false, default: 3, validation: {min: 1, max: 5}}], on_success: z}",
    {
      message: "M",
      questions: [
        { name: "a", prompt: "P", type: "string", required: true, validation: {} },
        { name: "n", prompt: "N", type: "integer", required: false, default: 3, validation: { min: 1, max: 5 } },
      ],
    },
    [],
  ],
  ["{type: ask, questions: [], on_success: z}", null, ['3 ask step "a" asks nothing | questions']],
  [
    "{type: ask, questions: [{name: a, prompt: P}, {name: a, prompt: Q}], on_success: z}",
    null,
    ['59 question "a" is asked twice | each name once'],
  ],
  [
    "{type: ask, questions: [{name: a-b, prompt: P}], on_success: z}",
    null,
    ['37 "a-b" cannot be a question\'s name | letters, digits and _'],
  ],
  [
    "{type: ask, questions: [{name: api_token, prompt: P}], on_success: z}",
    null,
    [
      '37 question "api_token" asks for a secret by its name: answers are kept in the log | a secret from an input or from the environment',
    ],
  ],
  [
    "{type: ask, questions: [{name: a, prompt: P, choices: [x, {value: y, label: Y}], default: q}], on_success: z}",
    null,
    ['96 the default of question "a" is none of its answers | one of x, y'],
  ],
  [
    "{type: ask, questions: [{name: a, prompt: P, choices: '{{.states.b.JSON}}', default: q}], on_success: z}",
    {
      questions: [
        {
          name: "a",
          prompt: "P",
          type: "string",
          required: true,
          default: "q",
          choices: "{{.states.b.JSON}}",
          validation: {},
        },
      ],
    },
    ['63 "b" cannot have run before this text is read | a state that runs earlier'],
  ],
  [
    "{type: ask, questions: [{name: a, prompt: P, validation: {pattern: '(', min: 0}, required: true, default: '{{.inputs.x}}'}], on_success: z}",
    null,
    [
      '73 "pattern" is not a regular expression: error parsing regexp: missing closing ): `(` | RE2 syntax',
      '115 input "x" is not declared | an input "x" in inputs',
    ],
  ],
  [
    "{type: ask, questions: [{name: a, prompt: P, type: boolean, default: maybe}], on_success: z}",
    null,
    ['75 the default of question "a" is none of its answers | true or false'],
  ],
  [
    '{type: ask, questions: [{name: a, prompt: P, choices: [{value: "{{.inputs.x}}"}], default: q, validation: {pattern: ^a}}], on_success: z}',
    {
      questions: [
        {
          name: "a",
          prompt: "P",
          type: "string",
          required: true,
          default: "q",
          choices: [{ value: "{{.inputs.x}}" }],
          validation: { pattern: "^a" },
        },
      ],
    },
    ['72 input "x" is not declared | an input "x" in inputs'],
  ],
];

describe("ask", () => {
  it.each(CASES)("%s", (step, more, said) => {
    expect(lowered(step)).toEqual({ node: nodeOf("ask", more), said });
  });
});

/** In AWF's folders what AWF passes over is a warning, and the step is there. */
const AWF_CASES: [Kind, ...Case][] = [
  [
    "ask",
    "{type: ask, questions: [{name: a, prompt: P, choices: '{{.states.b.JSON}}', default: q}], on_success: z}",
    {
      questions: [
        {
          name: "a",
          prompt: "P",
          type: "string",
          required: true,
          default: "q",
          choices: "{{.states.b.JSON}}",
          validation: {},
        },
      ],
    },
    ['63 (warning) "b" cannot have run before this text is read | a state that runs earlier'],
  ],
  [
    "ask",
    "{type: ask, questions: [{name: a, prompt: P, validation: {pattern: '(', min: 0}, required: true, default: '{{.inputs.x}}'}], on_success: z}",
    {
      questions: [
        {
          name: "a",
          prompt: "P",
          type: "string",
          required: true,
          default: "{{.inputs.x}}",
          validation: { pattern: "(", min: 0 },
        },
      ],
    },
    [
      '73 (warning) "pattern" is not a regular expression: error parsing regexp: missing closing ): `(` | RE2 syntax',
      '115 (warning) input "x" is not declared | an input "x" in inputs',
    ],
  ],
  [
    "ask",
    '{type: ask, questions: [{name: a, prompt: P, choices: [{value: "{{.inputs.x}}"}], default: q, validation: {pattern: ^a}}], on_success: z}',
    {
      questions: [
        {
          name: "a",
          prompt: "P",
          type: "string",
          required: true,
          default: "q",
          choices: [{ value: "{{.inputs.x}}" }],
          validation: { pattern: "^a" },
        },
      ],
    },
    ['72 (warning) input "x" is not declared | an input "x" in inputs'],
  ],
];

it.each(AWF_CASES)("in a folder of AWF's: %s %s", (kind, step, more, said) => {
  expect(lowered(step, true)).toEqual({ node: nodeOf(kind, more), said });
});
