import { expect, it } from "vitest";
import { parseWorkflow } from "../../../../machines/workflow/parse.ts";

const said = (first: string, fan = "", awf = false) =>
  parseWorkflow(
    `name: w
states:
  initial: first
  first: {type: step, command: x, on_success: loop, depends_on: [${first}]}
  loop: {type: for_each, items: [1], body: [inner], on_complete: last${fan}}
  inner: {type: step, command: x}
  last: {type: step, command: x, depends_on: [first, inner], on_success: done}
  done: {type: terminal}
`,
    { file: null, awf },
  ).findings.map(({ severity, code, line, message }) => `${severity} ${line} ${code.split(".").at(-1)} ${message}`);

it("a step may depend on what runs earlier", () => expect(said("")).toEqual([]));

it.each(["last", "first", "done"])("no step depends on what cannot have completed: %s", (name) => {
  const expected = `4 FORWARD_REFERENCE "first" depends on "${name}", which cannot have completed before it`;
  expect(said(name)).toEqual([`error ${expected}`]);
  expect(said(name, "", true)).toEqual([`warning ${expected}`]);
});

it("nor on one round of many at once", () => {
  expect(said("", ", max_concurrent: 2")).toEqual([
    'error 7 FORWARD_REFERENCE "last" depends on "inner", which runs once for each item of "loop"',
  ]);
});

it("a state that is not there is told once", () => {
  expect(said("gone")).toEqual(['error 4 MISSING_STATE state "gone" does not exist']);
});
