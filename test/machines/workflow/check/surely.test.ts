import { expect, test } from "vitest";
import { surelyReached } from "../../../../machines/workflow/check/surely.ts";
import { parseWorkflow } from "../../../../machines/workflow/parse.ts";

const step = (more: object) => ({ type: "command", command: "true", ...more });
function sure(states: object): string[] {
  const source = JSON.stringify({ name: "x", states: { ...states, done: { type: "terminal" } } });
  const { workflow } = parseWorkflow(source, { file: null, awf: false });
  if (workflow === null) throw new Error("expected a workflow that can be read");
  return [...surelyReached(workflow)];
}

test("a step is sure to come where no condition stands before it (I1)", () => {
  const states = {
    initial: "a",
    a: step({ on_success: "b", on_failure: "c" }),
    b: step({ transitions: [{ goto: "p" }] }),
    c: step({ on_success: "done" }),
    p: { type: "parallel", parallel: ["q"], on_success: "l" },
    q: step({ on_success: "c" }),
    l: { type: "for_each", items: [1], body: ["m"], on_complete: "e", on_success: "c" },
    m: step({ on_success: "l" }),
    e: step({ transitions: [{ when: "inputs.x == 1", goto: "c" }], on_success: "f" }),
    f: step({ on_success: "done" }),
  };
  expect(sure(states)).toEqual(["a", "b", "p", "q", "l", "e"]);
});

test("a no that skips leaves what comes next open, and a way around comes to an end", () => {
  const asked = step({ approval: { message: "?", on_deny: "skip" }, on_success: "done", on_skip: "b" });
  expect(sure({ initial: "a", a: asked, b: step({ on_success: "done" }) })).toEqual(["a"]);
  expect(sure({ initial: "a", a: step({ on_success: "a" }) })).toEqual(["a"]);
});
