/** A workflow's document, read whole. */
import { describe, expect, it } from "vitest";
import { brief, documentOf, FIXTURES, fixture, parse } from "./fixtures.ts";

describe("parseWorkflow", () => {
  it.each(FIXTURES)("accepts %s without a finding", (_, source) => {
    const { workflow, findings } = parse(source);
    expect(findings).toEqual([]);
    expect(workflow?.initial).not.toBe("");
  });

  it("gives the whole document of a command workflow", () => {
    const common = { transitions: [], retry: null, recover: null, approval: null, hooks: { pre: [], post: [] } };
    expect(documentOf(fixture("command"))).toEqual({
      name: "command",
      description: "A command, a script file, a folder, and what becomes of a failure",
      version: "1.10",
      author: "troupe",
      tags: ["shell", "basics"],
      inputs: [
        {
          name: "target",
          type: "string",
          description: "What to build",
          required: true,
          validation: { pattern: "^[a-z-]+$" },
        },
      ],
      env: ["HOME"],
      outputs: {},
      hooks: { start: [], end: [], error: [], cancel: [] },
      initial: "build",
      file: null,
      states: {
        build: {
          ...common,
          type: "command",
          name: "build",
          description: "Build the target",
          run: { command: 'make "{{.inputs.target}}"' },
          dir: "{{.context.WorkingDir}}",
          timeoutMs: 90_000,
          maxOutputBytes: 2 * 1024 * 1024,
          onSuccess: "package",
          onFailure: "__inline_error_build",
          continueOnError: false,
          dependsOn: [],
          line: 14,
        },
        __inline_error_build: {
          type: "terminal",
          name: "__inline_error_build",
          status: "failure",
          message: "build failed: {{.states.build.Stderr}}",
          exitCode: 3,
          line: 14,
        },
        package: {
          ...common,
          type: "command",
          name: "package",
          run: { scriptFile: "{{.awf.scripts_dir}}/package.sh" },
          dir: null,
          timeoutMs: 500,
          maxOutputBytes: null,
          onSuccess: "done",
          onFailure: null,
          continueOnError: true,
          dependsOn: ["build"],
          line: 23,
        },
        done: {
          type: "terminal",
          name: "done",
          status: "success",
          message: "built {{.inputs.target}}",
          exitCode: 0,
          line: 30,
        },
      },
    });
  });

  it("reads retry, recover and approval with their defaults", () => {
    const { states } = documentOf(fixture("retry-and-recovery"));
    expect(states["fetch"]).toMatchObject({
      recover: "rerun",
      retry: {
        maxAttempts: 4,
        initialDelayMs: 200,
        maxDelayMs: 30_000,
        backoff: "exponential",
        multiplier: 3,
        jitter: 0.25,
        exitCodes: [7, 28],
      },
    });
    expect(states["publish"]).toMatchObject({
      retry: {
        maxAttempts: 2,
        initialDelayMs: 500,
        maxDelayMs: null,
        backoff: "constant",
        multiplier: 2,
        jitter: 0,
        exitCodes: [],
      },
      approval: { message: "Publish {{.states.fetch.Output}}?", onDeny: "skip", timeoutMs: 600_000 },
      onSkip: "done",
    });
    expect(states["announce"]).toMatchObject({
      inputs: { message: "published" },
      approval: { message: null, onDeny: "error", timeoutMs: null },
    });
  });

  it("reads flat and nested calls, with AWF's time limit where none is given", () => {
    const workflow = documentOf(fixture("calls"));
    expect(workflow.outputs).toEqual({ summary: "{{.states.count.Output}}", raw: "{{.states.child.Output}}" });
    expect(workflow.states["child"]).toMatchObject({
      workflow: "command",
      inputs: { target: "{{.inputs.message}}", deep: { list: ["{{.inputs.message}}", 2] } },
      outputs: { result: "child_result" },
      timeoutMs: 300_000,
    });
    expect(workflow.states["nested"]).toMatchObject({
      workflow: "pack/other",
      inputs: { text: "{{.states.child.Output}}" },
      timeoutMs: 5_000,
    });
  });

  it("reads agents, loops and parallels", () => {
    const agents = documentOf(fixture("agents")).states;
    expect(agents["review"]).toMatchObject({
      role: "reviewer",
      skills: ["conventions", { path: "./skills/audit" }],
      outputFormat: "json",
      mode: "single",
      conversation: { continueFrom: null },
      options: { model: "{{.inputs.model}}", allowed_tools: "Read,Grep", max_turns: 3 },
    });
    expect(agents["recall"]).toMatchObject({
      conversation: { continueFrom: "review" },
      prompt: { file: "{{.awf.prompts_dir}}/recall.md" },
    });
    const loops = documentOf(fixture("loops")).states;
    expect(loops["rows"]).toMatchObject({
      items: '["a", "b"]',
      maxIterations: "{{.inputs.rounds}} * 5",
      body: ["row", "cells"],
    });
    expect(loops["cells"]).toMatchObject({
      items: ["x", "y"],
      maxIterations: 100,
      onComplete: "rows",
      breakWhen: null,
    });
    expect(loops["wait"]).toMatchObject({
      test: "states.probe.Output != 'ready' and loop.Index < 3",
      maxIterations: "inputs.rounds + 1",
    });
    expect(documentOf(fixture("parallel")).states["checks"]).toMatchObject({
      branches: ["lint", "unit", "types"],
      strategy: "best_effort",
      maxConcurrent: 2,
    });
  });

  it("keeps states and inputs that are named like members of every object (T10)", () => {
    const workflow = documentOf(fixture("odd-names"));
    expect(Object.keys(workflow.states)).toEqual(["constructor", "hasOwnProperty", "valueOf"]);
    expect(workflow.inputs.map((input) => input.name)).toEqual(["constructor", "toString"]);
    expect(Object.getPrototypeOf(workflow.states)).toBe(Object.prototype);
    expect(brief(parse("name: x\nstates: {initial: toString, a: {type: terminal}}").findings)).toEqual([
      "2:19 MISSING_STATE",
    ]);
  });

  it("takes type in any case, and infers it", () => {
    const kinds = `name: kinds
states:
  initial: a
  a: {type: STEP, command: x, on_success: b}
  b: {type: Command, script_file: x, on_success: c}
  c: {type: step, operation: http.request, on_success: d}
  d: {provider: claude, prompt: hi, on_success: e}
  e: {workflow: other, on_success: f}
  f: {type: While, while: "true", body: [a], on_complete: g}
  g: {items: [1], body: [a], on_complete: h}
  h: {parallel: [a], on_success: q}
  q: {questions: [{name: who, prompt: Who?}], on_success: i}
  i: {status: failure}
`;
    const types = Object.values(documentOf(kinds).states).map((node) => node.type);
    expect(types).toEqual([
      "command",
      "command",
      "operation",
      "agent",
      "call_workflow",
      "while",
      "for_each",
      "parallel",
      "ask",
      "terminal",
    ]);
  });
});
