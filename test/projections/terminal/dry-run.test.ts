import { describe, expect, it } from "vitest";
import type { Workflow } from "../../../machines/workflow/document.ts";
import { parseWorkflow } from "../../../machines/workflow/parse.ts";
import { dryRunLines, plannedSteps } from "../../../projections/terminal/dry-run.ts";

const SOURCE = `
name: tour
inputs:
  - { name: who, type: string, required: true }
  - { name: n, type: integer, default: 2 }
states:
  initial: greet
  greet:
    type: step
    description: Greet
    command: echo {{.inputs.who}} {{.inputs.n}}{{if .inputs.who}}!{{end}}
    transitions:
      - { when: "states.greet.ExitCode == 0", goto: fan }
      - { goto: bad }
  fan: { type: parallel, parallel: [a, b], strategy: any_succeed, on_success: each, on_failure: bad }
  a: { type: step, script_file: "x/{{.inputs.who}}.sh" }
  b: { type: operation, operation: http.request, inputs: {} }
  each: { type: for_each, items: ["1", "{{.inputs.who}}"], body: [one], on_complete: poll }
  one: { type: step, command: "echo {{.loop.Item}} {{.states.greet.Output | json}}" }
  poll: { type: while, while: "states.one.ExitCode != 0", body: [two], max_iterations: 2, on_complete: sub }
  two: { type: step, command: "true" }
  sub: { type: call_workflow, workflow: "child-{{.inputs.who}}", on_success: talk, on_failure: { message: no, status: 3 } }
  talk: { type: agent, provider: understudy, prompt: "Hello {{.inputs.who}}, {{.states.greet.Output}}", on_success: end }
  end: { type: terminal }
  bad: { type: terminal, status: failure }
`;

function parsed(source: string, file: string | null = null): Workflow {
  const { workflow, findings } = parseWorkflow(source, { file, awf: false });
  if (workflow === null) throw new Error(JSON.stringify(findings));
  return workflow;
}

describe("a dry run", () => {
  it("says how many run at once, and over which combinations", () => {
    const doing = (step: string): string => {
      const source = `name: w\nstates:\n  initial: s\n  s: ${step}\n  a: { type: step, command: "true" }\n  b: { type: step, command: "true" }\n  end: { type: terminal }\n`;
      return plannedSteps(parsed(source), {})[0]?.does.join() ?? "";
    };
    const each = (more: string): string => doing(`{ type: for_each, ${more}, body: [a], on_complete: end }`);
    expect(each('items: "x,y", max_concurrent: 16')).toBe("a for each of x,y, at most 16 at once (all succeed)");
    expect(each('items: "x,y", max_concurrent: 0, strategy: best_effort')).toBe(
      "a for each of x,y, at once (best effort)",
    );
    expect(each('items: "x,y", max_concurrent: 1')).toBe("a for each of x,y, one after the other (all succeed)");
    expect(each('matrix: { os: [mac, linux], node: ["22", "24"] }, max_concurrent: 2')).toBe(
      'a for each of os ["mac","linux"] × node ["22","24"], at most 2 at once (all succeed)',
    );
    expect(doing("{ type: parallel, parallel: [a, b], max_concurrent: 2, on_success: end }")).toBe(
      "a, b at most 2 at once (all succeed)",
    );
  });

  it("shows the steps of the plan, rendered as far as the inputs say", () => {
    const inputs = { who: "you", n: 2 };
    const steps = plannedSteps(parsed(SOURCE), inputs);
    expect(dryRunLines({ workflow: "tour", inputs, standIns: [], steps }, { colours: false })).toEqual([
      "tour · dry run, nothing is started · who=you n=2",
      "  → greet (command) Greet",
      "      $ echo you 2!",
      "      if states.greet.ExitCode == 0: fan",
      "      otherwise: bad",
      "  → fan (parallel)",
      "      a, b at once (any succeed)",
      "      on success: each",
      "      on failure: bad",
      "  → a (command)",
      "      $ x/you.sh (script)",
      "  → b (operation)",
      "      http.request",
      "  → each (for each)",
      '      one for each of ["1","{{.inputs.who}}"]',
      "      when done: poll",
      "  → one (command)",
      "      $ echo {{.loop.Item}} {{.states.greet.Output | json}}",
      "  → poll (while)",
      "      two while states.one.ExitCode != 0",
      "      when done: sub",
      "  → two (command)",
      "      $ true",
      "  → sub (call workflow)",
      "      workflow child-you",
      "      on success: talk",
      "      on failure: end as failed",
      "  → talk (agent)",
      "      understudy: Hello you, {{.states.greet.Output}}",
      "      on success: end",
    ]);
  });

  it("is data for programs", () => {
    expect(plannedSteps(parsed(SOURCE), { who: "you" })[0]).toEqual({
      name: "greet",
      kind: "command",
      title: "Greet",
      does: ["$ echo you {{.inputs.n}}!"],
      next: ["if states.greet.ExitCode == 0: fan", "otherwise: bad"],
    });
  });

  it("I1 gives no function that reads a file", () => {
    const workflow = parsed(
      "name: x\nstates:\n  initial: a\n  a: { type: step, command: 'echo {{readFile \"/etc/hostname\"}}', on_success: z }\n  z: { type: terminal }\n",
    );
    expect(plannedSteps(workflow, {})[0]?.does).toEqual(['$ echo {{readFile "/etc/hostname"}}']);
  });

  it("shows what is called below the step that calls, and which inputs a run needs", () => {
    const inner = plannedSteps(parsed(SOURCE), {}).filter(({ name }) => name === "two");
    const call = {
      name: "sub",
      kind: "call_workflow",
      title: "sub",
      does: ["workflow child"],
      next: ["on success: end"],
    };
    const steps = [
      { ...call, calls: { workflow: "child", inputs: {}, standIns: [], steps: inner } },
      { ...call, name: "again", calls: { cut: "not shown" } },
    ];
    expect(
      dryRunLines({ workflow: "x", inputs: { who: "<who>" }, standIns: ["who"], steps }, { colours: false }),
    ).toEqual([
      "x · dry run, nothing is started · who=<who>",
      "  a run needs who: give it with -i name=value",
      "  → sub (call workflow)",
      "      workflow child",
      "      → two (command)",
      "          $ true",
      "      on success: end",
      "  → again (call workflow) sub",
      "      workflow child",
      "      not shown",
      "      on success: end",
    ]);
  });
});
