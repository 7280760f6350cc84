import { describe, expect, it } from "vitest";
import { planEntries } from "../../../machines/workflow/plan.ts";
import { documentOf, fixture } from "./fixtures.ts";

const planOf = (file: string): string[] =>
  planEntries(documentOf(fixture(file))).map(({ name, kind }) => `${name} ${kind}`);

describe("planEntries", () => {
  it("titles a step by its description, or its name", () => {
    expect(planEntries(documentOf(fixture("command")))).toEqual([
      { name: "build", title: "Build the target", kind: "command" },
      { name: "package", title: "package", kind: "command" },
    ]);
  });

  it("lists branches and bodies after their container, then the states that follow", () => {
    expect(planOf("parallel")).toEqual([
      "checks parallel",
      "lint command",
      "unit command",
      "types command",
      "report command",
    ]);
    expect(planOf("loops")).toEqual([
      "rows for_each",
      "row command",
      "cells for_each",
      "cell command",
      "wait while",
      "probe command",
    ]);
  });

  it("follows the way of success first, and lists every step once", () => {
    expect(planOf("transitions")).toEqual(["check command", "deep command", "check_again command"]);
  });

  it("walks a chain of thousands of states", () => {
    const states = Array.from({ length: 5_000 }, (_, index) => `  s${index}: {command: x, on_success: s${index + 1}}`);
    const workflow = documentOf(`name: x\nstates:\n  initial: s0\n${states.join("\n")}\n  s5000: {type: terminal}\n`);
    expect(planEntries(workflow)).toHaveLength(5_000);
  });
});
