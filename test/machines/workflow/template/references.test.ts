import { describe, expect, it } from "vitest";
import { templateReferences } from "../../../../machines/workflow/template/references.ts";
import { parsed } from "./support.ts";

const found = (source: string): string[] =>
  templateReferences(parsed(source)).map(({ path, dynamic }) => path.join(".") + (dynamic ? "!" : ""));

describe("templateReferences", () => {
  it.each([
    ["{{.states.a.Output}} {{inputs.x}}", ["states.a.Output", "inputs.x"]],
    ['{{index .states "my-step" "Output"}}', ["states.my-step.Output"]],
    ['{{(index .states "a").Output}}', ["states.a.Output"]],
    ["{{index .states .inputs.which}}", ["states!", "inputs.which"]],
    ["{{with .states.a}}{{.Output}}{{end}}", ["states.a", "states.a.Output"]],
    ["{{with .states}}{{.b.Output}}{{end}}", ["states.b.Output"]],
    ["{{with .states}}{{json .}}{{end}}", ["states!"]],
    ["{{range .states}}{{.Output}}{{end}}", ["states!"]],
    ["{{range $k, $v := .states.a.JSON}}{{$v.x}}{{inputs.y}}{{end}}", ["states.a.JSON", "inputs.y"]],
    ["{{range .states.m.Rounds}}{{.Item}}{{end}}", ["states.m.Rounds", "states.m.Rounds.*.Item"]],
    [
      "{{range $i, $r := .states.m.Rounds}}{{$i}}{{$r.JSON.x}}{{end}}{{range .states.m.JSON}}{{.x}}{{end}}",
      ["states.m.Rounds", "states.m.Rounds.*.JSON.x", "states.m.JSON"],
    ],
    ["{{(index .states.m.Rounds 0).Item}} {{index .states 0}}", ["states.m.Rounds.0.Item", "states!"]],
    ["{{$s := .states}}{{$s.c.Stderr}}", ["states.c.Stderr"]],
    ["{{$s := .states.a}}{{$s = .states.b}}{{$s.Output}}", ["states.b", "states.a"]],
    ["{{range .inputs.l}}{{$.states.d.Output}}{{end}}", ["inputs.l", "states.d.Output"]],
    ["{{json .}}", ["states!"]],
    ["{{$}}", ["states!"]],
    [
      "{{if .states.a.ExitCode}}{{.states.b.Output}}{{else}}{{.states.c.Output}}{{end}}",
      ["states.a.ExitCode", "states.b.Output", "states.c.Output"],
    ],
    ["{{if eq (.inputs.a | lower) .inputs.b}}{{end}}", ["inputs.a", "inputs.b"]],
    ["{{.states.a.JSON | json}}", ["states.a.JSON"]],
  ])("%s", (source, paths) => {
    expect(found(source)).toEqual(paths);
  });

  it("names the place of a reference", () => {
    expect(templateReferences(parsed("ab{{.inputs.x}}"))).toEqual([
      { path: ["inputs", "x"], range: { start: 4, end: 13 } },
    ]);
  });
});
