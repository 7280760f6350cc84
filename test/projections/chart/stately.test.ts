import { expect, test } from "vitest";
import { stately } from "../../../projections/chart/stately.ts";
import { documentOf } from "../../machines/workflow/fixtures.ts";

test("ways out of a loop and of branches, guards, and who does the work", () => {
  const tour = documentOf(`
name: tour
states:
  initial: each
  each: {type: for_each, items: [a], body: [one, two], on_complete: fan, on_failure: bad}
  one: {type: command, description: the first, command: one, transitions: [{when: "states.one.Output == 'x'", goto: each}]}
  two: {type: call_workflow, workflow: other, on_failure: {message: "two failed"}}
  fan: {type: parallel, parallel: [lint], on_success: done}
  lint: {type: command, command: lint}
  done: {type: terminal, message: bye}
  bad: {type: terminal, status: failure}
`);
  expect(
    JSON.stringify(stately(tour), null, 1)
      .split("\n")
      .map((line) => line.trim())
      .join(""),
  ).toMatchInlineSnapshot(
    `"{"id": "tour","initial": "each","states": {"each": {"id": "tour/each","tags": ["for_each"],"initial": "one","states": {"one": {"id": "tour/each/one","tags": ["command"],"description": "the first","invoke": {"src": "command","onDone": [{"target": "#tour/each/two","guard": "states.one.Output == 'x'"},{"target": "#tour/each/two"}]}},"two": {"id": "tour/each/two","tags": ["call_workflow"],"invoke": {"src": "call_workflow","onDone": [{"target": "#tour/each/ended"}],"onError": [{"target": "#tour/__inline_error_two"}]}},"ended": {"id": "tour/each/ended","type": "final"}},"onDone": [{"target": "#tour/bad","guard": "failed"},{"target": "#tour/fan"}]},"fan": {"id": "tour/fan","tags": ["parallel"],"type": "parallel","states": {"lint": {"id": "tour/fan/lint","initial": "run","states": {"run": {"id": "tour/fan/lint/run","tags": ["command"],"invoke": {"src": "command","onDone": [{"target": "#tour/fan/lint/ended"}],"onError": [{"target": "#tour/fan/lint/ended"}]}},"ended": {"id": "tour/fan/lint/ended","type": "final"}}}},"onDone": [{"target": "#tour/done"}]},"done": {"id": "tour/done","tags": ["terminal"],"description": "bye","type": "final"},"bad": {"id": "tour/bad","tags": ["terminal"],"type": "final"},"__inline_error_two": {"id": "tour/__inline_error_two","tags": ["terminal"],"description": "two failed","type": "final"}}}"`,
  );
});
