import { describe, expect, it } from "vitest";
import { exits, successors } from "../../../machines/workflow/graph.ts";
import { documentOf, fixture } from "./fixtures.ts";

describe("successors", () => {
  const names = (file: string, state: string): [string[], string[]] => {
    const node = documentOf(fixture(file)).states[state];
    if (node === undefined) throw new Error(state);
    return [successors(node), exits(node)];
  };

  it("names members first, then every way out, each once", () => {
    expect(names("parallel", "checks")).toEqual([["lint", "unit", "types", "report"], ["report"]]);
    expect(names("loops", "wait")).toEqual([
      ["probe", "done", "failed"],
      ["done", "failed"],
    ]);
    expect(names("transitions", "check")).toEqual([
      ["deep", "check_again", "failed"],
      ["deep", "check_again", "failed"],
    ]);
    expect(names("command", "build")).toEqual([
      ["package", "__inline_error_build"],
      ["package", "__inline_error_build"],
    ]);
    expect(names("command", "done")).toEqual([[], []]);
  });
});
