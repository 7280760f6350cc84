import { describe, expect, it } from "vitest";
import { stateReads, workflowReads } from "../../../machines/workflow/reads.ts";
import { documentOf, fixture, parse } from "./fixtures.ts";

function readsOf(file: string, state: string): "all" | string[] {
  const { states } = documentOf(fixture(file));
  const node = states[state];
  if (node === undefined) throw new Error(state);
  return stateReads(node, states);
}

/** The reads of a command step with this text. */
function readsOfText(command: string): "all" | string[] {
  const { workflow } = parse(
    `name: x\nstates:\n  initial: a\n  a: {command: '${command}', on_success: d}\n  d: {type: terminal}\n`,
    { awf: true },
  );
  const node = workflow?.states["a"];
  if (workflow === null || node === undefined) throw new Error("no document");
  return stateReads(node, workflow.states);
}

describe("stateReads", () => {
  it("names what templates, conditions and hooks read, and what a step depends on", () => {
    expect(readsOf("parallel", "report")).toEqual(["lint", "unit", "types"]);
    expect(readsOf("transitions", "check")).toEqual(["check"]);
    expect(readsOf("hooks", "only")).toEqual(["only"]);
    expect(readsOf("calls", "nested")).toEqual(["child"]);
    expect(readsOf("transitions", "failed")).toEqual(["check"]);
  });

  it("names every state for a step whose text is in a file, since the file is a template too", () => {
    expect(readsOf("command", "package")).toEqual("all");
  });

  it("includes what the states below a container read", () => {
    expect(readsOf("loops", "rows")).toEqual(["cell"]);
    expect(readsOf("loops", "wait")).toEqual(["probe"]);
    expect(readsOf("parallel", "checks")).toEqual([]);
  });

  it.each([
    ["{{.states}}", "all"],
    ["{{index .states .inputs.which}}", "all"],
    ["{{range .states}}x{{end}}", "all"],
    ["{{ unreadable", "all"],
    ['{{index .states "my-step" "Output"}}', ["my-step"]],
    ["{{.inputs.a}} {{.env.B}}", []],
    ["no template", []],
  ])("of %s is %j (I1)", (text, expected) => {
    expect(readsOfText(text)).toEqual(expected);
  });
});

describe("workflowReads", () => {
  it("adds what outputs and hooks read", () => {
    expect(
      workflowReads(documentOf(fixture("calls")))
        .toString()
        .split(",")
        .sort(),
    ).toEqual(["child", "count"]);
    expect(workflowReads(documentOf(fixture("retry-and-recovery")))).toEqual(["fetch"]);
  });
});
