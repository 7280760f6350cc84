/** What a person is shown of a step that asks for approval. */
import { describe, expect, it } from "vitest";
import { deedOf } from "../../../actors/effects/prepare.ts";
import { Rendering } from "../../../actors/effects/rendering.ts";
import type { Scope } from "../../../machines/scope.ts";
import type { StepNode } from "../../../machines/workflow/document.ts";
import { optionsFor, scopeIn, workflowOf } from "./support.ts";

/** Of the first state of a document, given as YAML. */
function deed(node: string, scope: Partial<Scope> = {}) {
  const workflow = workflowOf(
    [
      "name: demo",
      "states:",
      "  initial: it",
      `  it: ${node}`,
      "  one: {type: command, command: 'true', on_success: end}",
      "  end: {type: terminal}",
    ].join("\n"),
  );
  const rendering = new Rendering(scopeIn("/repo", scope), optionsFor(), () => undefined);
  return deedOf(workflow.states["it"] as StepNode, rendering);
}
const inputs = (x: string) => ({ inputs: { x } });
const DEPLOY = `{type: command, command: 'deploy "V={{.inputs.x}}"', dir: "{{.inputs.x}}", on_success: end}`;

describe("what a step would do", () => {
  it("is its command with the values in it, where they are plain (I1)", () => {
    expect(deed(DEPLOY, inputs("1.2.0"))).toEqual({ command: 'deploy "V=1.2.0"', dir: "1.2.0" });
  });

  it.each(["1; rm -rf /", '"', "$(id)", "a b"])("is the script and its values apart for %j (I1)", (x) => {
    expect(deed(DEPLOY, inputs(x))).toEqual({ command: 'deploy "V=${T1}"', $T1: x, dir: x });
  });

  it("names an input that a command of AWF's gets as a variable (I1)", () => {
    const node = `{type: command, command: 'make $x', on_success: end}`;
    expect(deed(node, { ...inputs("1.2.0"), awf: true })).toEqual({ command: "make $x", $x: "1.2.0" });
  });

  it.each([
    [`{type: command, script_file: "scripts/{{.inputs.x}}.sh", on_success: end}`, { script_file: "scripts/v.sh" }],
    [
      `{type: operation, operation: http.request, inputs: {url: "http://h/{{.inputs.x}}", method: POST}, on_success: end}`,
      { operation: "http.request", "inputs.url": "http://h/v", "inputs.method": "POST" },
    ],
    [`{type: agent, provider: claude, prompt: "{{.inputs.x}}", on_success: end}`, { provider: "claude" }],
    [`{type: call_workflow, workflow: "{{.inputs.x}}", on_success: end}`, { workflow: "v" }],
    [`{type: parallel, parallel: [one], on_success: end}`, { branches: ["one"] }],
    [`{type: for_each, items: [1], body: [one], on_complete: end}`, { body: ["one"] }],
  ])("of %s is %j", (node, does) => {
    expect(deed(node, inputs("v"))).toEqual(does);
  });
});
