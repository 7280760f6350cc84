/** A call of another workflow: what it is born with, and when it is refused. */
import { describe, expect, it } from "vitest";
import type { EffectOptions } from "../../../actors/effects/options.ts";
import { TroupeError } from "../../../actors/errors/troupe-error.ts";
import { faultOf, prepared } from "./prepared.ts";
import { workflowOf, workspace } from "./support.ts";

describe("a call", () => {
  const called = workflowOf(
    [
      "name: child",
      "inputs:",
      "  - {name: msg, type: string, required: true}",
      "  - {name: n, type: integer, default: 2}",
      "  - {name: file, type: string, default: there.txt, validation: {file_exists: true}}",
      "states:",
      "  initial: a",
      "  a: {type: command, command: 'true', transitions: [{when: \"env.COLOR == 'red'\", goto: end}, {goto: end}]}",
      "  end: {type: terminal}",
    ].join("\n"),
  );
  const call = (inputs: string) =>
    `{type: call_workflow, workflow: "{{.inputs.which}}", inputs: ${inputs}, on_success: end}`;
  const asked: unknown[] = [];
  const options: Partial<EffectOptions> = {
    loadWorkflow: async (identifier, from) => {
      asked.push({ identifier, from });
      return { workflow: called };
    },
  };
  const scope = { inputs: { which: "child", x: "hi" }, file: "/repo/flows/w.yaml" };

  it("is born with the checked inputs and the variables that its expressions name", async () => {
    const cwd = workspace({ "there.txt": "" });
    expect(await prepared(call(`{msg: "{{.inputs.x}}", more: [1]}`), { options, scope, cwd })).toEqual({
      type: "call",
      run: "called",
      workflow: called,
      inputs: { msg: "hi", n: 2, file: "there.txt", more: [1] },
      env: { COLOR: "red" },
    });
    expect(asked).toEqual([{ identifier: "child", from: { cwd, file: "/repo/flows/w.yaml" } }]);
  });

  it.each(["/evil/it.yaml", "./it.yaml", "../evil/it", "~/it", "it.yml", "C/it.yaml"])(
    "is never a file that a template names: %s",
    async (which) => {
      const fault = await faultOf(prepared(call("{}"), { options, scope: { ...scope, inputs: { which } } }));
      expect(fault.code).toBe("USER.FACADE.IDENTIFIER_MALFORMED");
      expect(fault.message).toContain("a template may give the name of a workflow");
    },
  );

  it("is the file that the document names, where that stands in it as it is", async () => {
    const node = `{type: call_workflow, workflow: ./other/it.yaml, inputs: {msg: a}, on_success: end}`;
    await prepared(node, { options, scope, cwd: workspace({ "there.txt": "" }) });
    expect(asked.at(-1)).toMatchObject({ identifier: "./other/it.yaml" });
  });

  it("with wrong inputs names all of them", async () => {
    const fault = await faultOf(prepared(call("{n: many}"), { options, scope, cwd: workspace() }));
    expect(fault.code).toBe("USER.INPUT.MISSING");
    expect(fault.message).toMatch(/^states\.it: calling "child": .*"msg".*; .*"n".*; .*"file"/);
  });

  it("of a workflow whose variables are not set is refused, and names them", async () => {
    const loadWorkflow = async () => ({ workflow: { ...called, env: ["COLOR", "NONE", "TROUPE_TOKEN"] } });
    const cwd = workspace({ "there.txt": "" });
    expect(await faultOf(prepared(call("{msg: a}"), { options: { loadWorkflow }, scope, cwd }))).toEqual({
      code: "USER.INPUT.MISSING",
      message: 'states.it: calling "child": not set in the environment, and needed: NONE, TROUPE_TOKEN',
    });
  });

  it("under ten others is too deep, and nothing is loaded", async () => {
    asked.length = 0;
    const cwd = workspace({ "there.txt": "" });
    expect(await prepared(call("{msg: a}"), { options, scope, depth: 9, cwd })).toMatchObject({ type: "call" });
    expect(asked.length).toBe(1);
    expect((await faultOf(prepared(call("{msg: a}"), { options, scope, depth: 10 }))).code).toBe(
      "WORKFLOW.CALL.TOO_DEEP",
    );
    expect(asked.length).toBe(1);
  });

  it("of the workflow itself is refused", async () => {
    const loadWorkflow = async () => ({ workflow: { ...called, file: "/w/it.yaml" } });
    const options = { loadWorkflow };
    expect(await faultOf(prepared(call("{msg: a}"), { options, scope: { ...scope, file: "/w/it.yaml" } }))).toEqual({
      code: "WORKFLOW.CALL.CIRCULAR",
      message: 'states.it: workflow "child" calls itself; use a while state to do something again',
    });
  });

  it("of a workflow above it is refused at once, and the circle named", async () => {
    const loadWorkflow = async () => ({ workflow: { ...called, file: "/w/one.yaml" } });
    const callers = ["zero", "one", "two"].map((name) => ({ name, file: `/w/${name}.yaml` }));
    const here = { ...scope, file: "/w/three.yaml", workflow: { ID: "r", Name: "three", StartedAt: 0 } };
    expect(await faultOf(prepared(call("{msg: a}"), { options: { loadWorkflow }, scope: here, callers }))).toEqual({
      code: "WORKFLOW.CALL.CIRCULAR",
      message:
        'states.it: workflow "child" calls its way back here: one, then two, then three, then child; use a while state to do something again',
    });
  });

  it("tells why a workflow was not found", async () => {
    const loadWorkflow = () => Promise.reject(new TroupeError("USER.FACADE.WORKFLOW_NOT_FOUND", "no child"));
    expect(await faultOf(prepared(call("{msg: a}"), { options: { loadWorkflow }, scope }))).toEqual({
      code: "USER.FACADE.WORKFLOW_NOT_FOUND",
      message: "no child",
    });
  });
});
