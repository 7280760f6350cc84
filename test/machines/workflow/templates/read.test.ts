/** A step template's file: its parameters, and the state that stands for the whole. */
import { expect, test } from "vitest";
import { Report } from "../../../../machines/workflow/report.ts";
import { lowerTemplate } from "../../../../machines/workflow/templates/read.ts";
import { readYaml } from "../../../../machines/workflow/yaml/read.ts";

function read(source: string) {
  const report = new Report(source, false);
  const { root } = readYaml(source);
  if (root === null) throw new Error("no YAML");
  report.root = root;
  const { written: _, ...template } = lowerTemplate(root, report, "t") ?? { written: null };
  const told = report
    .findings()
    .map(({ line, column, code, message, expected }) => [
      ...[`${line}:${column}`, code, message],
      ...(expected === undefined ? [] : [expected]),
    ]);
  const made = "states" in template ? { ...template, states: [...(template.states.entries?.keys() ?? [])] } : null;
  return { template: made, told };
}

test("parameters with what they are given by default, and whether a step must give them", () => {
  const parameters =
    "[{name: a, required: true, description: A, type: string}, {name: b, default: [1]}, {name: c, required: 'no', default: null}]";
  const source = `name: 7\ndescription: D\nversion: 1\nauthor: me\nparameters: ${parameters}\nstates: {first: {type: step}}`;
  expect(read(source)).toEqual({
    template: {
      ...{ name: "7", initial: "first", states: ["first"] },
      parameters: [
        { name: "a", required: true },
        { name: "b", required: false, default: [1] },
        { name: "c", required: false },
      ],
    },
    told: [],
  });
});

test.each([
  ["the one that initial names", "{x: {}, y: {}, t: {}, initial: y}", "y"],
  ["the one of the template's name", "{x: {}, t: {}}", "t"],
  ["the first one", "{x: {}, y: {}}", "x"],
  ["the first one where initial names none", "{initial: nope, x: {}, y: {}}", "x"],
  ["the first one where initial names itself", "{initial: initial, x: {}}", "x"],
])("%s stands for the whole", (_, states, initial) => {
  expect(read(`name: t\nstates: ${states}`).template?.initial).toBe(initial);
});

test.each([
  ["name: t", [["1:1", "WORKFLOW.PARSE.MISSING_FIELD", 'the template needs "states"', "a map of names to values"]]],
  ["name: t\nstates: {initial: x}", [["2:1", "WORKFLOW.PARSE.MISSING_FIELD", "the template has no states", "a state"]]],
  [
    "name: t\nstates: {x: {}}\nother: 1",
    [["3:1", "WORKFLOW.PARSE.UNKNOWN_FIELD", 'the template has no field "other"']],
  ],
  [
    "- t",
    [
      [
        "1:1",
        "WORKFLOW.PARSE.INVALID_FIELD",
        "the template must be a map with name and states, not a list",
        "a map with name and states",
      ],
    ],
  ],
  [
    "name: t\nparameters: [x]\nstates: {x: {}}",
    [
      [
        "2:14",
        "WORKFLOW.PARSE.INVALID_FIELD",
        'entry 1 of "parameters" must be a map with name, required and default, not "x"',
        "a map with name, required and default",
      ],
    ],
  ],
  [
    "name: t\nparameters: x\nstates: {x: {}}",
    [
      [
        "2:13",
        "WORKFLOW.PARSE.INVALID_FIELD",
        '"parameters" must be a list of parameters, each with a name, not "x"',
        "a list of parameters, each with a name",
      ],
    ],
  ],
])("%j is reported", (source, told) => {
  expect(read(source).told).toEqual(told);
});
