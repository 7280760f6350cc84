/** A workflow with a step of every kind. */
import type { Workflow } from "../../../machines/workflow/document.ts";
import { parse } from "../../machines/workflow/fixtures.ts";

/** Its first state has an otherwise beside its way after a failure, which is never followed, and is drawn. */
export const { workflow: TOUR } = parse(`
name: tour
states:
  initial: build
  build:
    type: command
    command: make
    transitions: [{when: "states.build.Output contains '\\"x\\"'", goto: fan}, {goto: each}]
    on_failure: {message: "build <failed>", status: 3}
  fan: {type: parallel, parallel: [lint, unit], on_success: each, on_failure: bad}
  lint: {type: command, command: lint, on_success: each}
  unit: {type: operation, operation: http.request, on_success: each}
  each: {type: for_each, items: [a], body: [one, two], on_complete: talk}
  one: {type: command, command: one, on_success: two, on_failure: each}
  two: {type: call_workflow, workflow: other, on_success: each}
  talk: {type: agent, provider: understudy, prompt: hi, on_success: done}
  done: {type: terminal}
  bad: {type: terminal, status: failure}
`) as { workflow: Workflow };
