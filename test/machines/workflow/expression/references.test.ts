import { describe, expect, test } from "vitest";
import { references } from "../../../../machines/workflow/expression/references.ts";
import { read } from "./reading.ts";

function found(source: string): [string, string, "dynamic"?][] {
  return references(read(source)).map(({ path, range, dynamic }) => {
    const entry: [string, string] = [path.join("/"), source.slice(range.start, range.end)];
    return dynamic ? [...entry, "dynamic"] : entry;
  });
}

describe("references", () => {
  test.each<[string, [string, string, "dynamic"?][]]>([
    ["1 + 2", []],
    [
      "let a = inputs.n; a + b",
      [
        ["inputs/n", "inputs.n"],
        ["b", "b"],
      ],
    ],
    [
      "let x = states.a; let y = x.JSON; y.b and x",
      [
        ["states/a", "states.a"],
        ["states/a/JSON", "x.JSON"],
        ["states/a/JSON/b", "y.b"],
      ],
    ],
    [
      "let x = states[inputs.s]; x.Output",
      [
        ["states", "states[inputs.s]", "dynamic"],
        ["inputs/s", "inputs.s"],
      ],
    ],
    [
      "inputs.x[states.a.ExitCode:2]",
      [
        ["inputs/x", "inputs.x"],
        ["states/a/ExitCode", "states.a.ExitCode"],
      ],
    ],
    ["inputs.mode", [["inputs/mode", "inputs.mode"]]],
    ["states.a.exit_code == 0", [["states/a/exit_code", "states.a.exit_code"]]],
    ["states['my-step'].Output", [["states/my-step/Output", "states['my-step'].Output"]]],
    ["inputs.list[0].x", [["inputs/list/0/x", "inputs.list[0].x"]]],
    [
      "states[inputs.s].Output",
      [
        ["states", "states[inputs.s]", "dynamic"],
        ["inputs/s", "inputs.s"],
      ],
    ],
    [
      "a[b[c]][d].e",
      [
        ["a", "a[b[c]]", "dynamic"],
        ["b", "b[c]", "dynamic"],
        ["c", "c"],
        ["d", "d"],
      ],
    ],
    [
      "(x ?? y).z",
      [
        ["x", "x"],
        ["y", "y"],
      ],
    ],
    [
      "{k: a.b}.k[c]",
      [
        ["a/b", "a.b"],
        ["c", "c"],
      ],
    ],
    [
      "a ? [b] : not len(c.d)",
      [
        ["a", "a"],
        ["b", "b"],
        ["c/d", "c.d"],
      ],
    ],
    ["a?.b?.['c']", [["a/b/c", "a?.b?.['c']"]]],
    ["(states.a).Output", [["states/a/Output", "(states.a).Output"]]],
    ["constructor.__proto__", [["constructor/__proto__", "constructor.__proto__"]]],
  ])("%s", (source, expected) => {
    expect(found(source)).toEqual(expected);
  });
});
