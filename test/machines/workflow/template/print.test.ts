/** A tree as source: in its one plain form. */
import { expect, test } from "vitest";
import { printTemplate } from "../../../../machines/workflow/template/print.ts";
import { parsed } from "./support.ts";

test.each([
  ["a {{- /* note */ -}} b", "a{{/* note */}}b"],
  ["{{ .a.b }}{{.}}{{nil}}{{inputs.x}}", "{{.a.b}}{{.}}{{nil}}{{inputs.x}}"],
  ['{{ `a"b` | upper }}', '{{"a\\"b" | upper}}'],
  ["{{'a'}} {{0x10}} {{1e3}} {{-.5}} {{true}}", "{{97}} {{16}} {{1000}} {{-0.5}} {{true}}"],
  ["{{(index .a 1).b.c}}", "{{(index .a 1).b.c}}"],
  ["{{$x := 1}}{{$x = (2)}}{{$x.y}}{{$}}", "{{$x := 1}}{{$x = (2)}}{{$x.y}}{{$}}"],
  [
    "{{range $i, $v := .a}}{{break}}{{continue}}{{else}}-{{end}}",
    "{{range $i, $v := .a}}{{break}}{{continue}}{{else}}-{{end}}",
  ],
  ["{{range $v := .a}}{{end}}", "{{range $v := .a}}{{end}}"],
  ["{{if .a}}1{{else if .b}}2{{else}}3{{end}}", "{{if .a}}1{{else}}{{if .b}}2{{else}}3{{end}}{{end}}"],
  ["{{with .a}}1{{else with .b}}2{{end}}", "{{with .a}}1{{else}}{{with .b}}2{{end}}{{end}}"],
  ["{{if .a}}{{end}}", "{{if .a}}{{end}}"],
  ["{ {{- .a}}", "{ {{- .a}}"],
  ["{{/*{*/}}{ {{- /*}*/}}", "{{/*{*/}}{ {{- /*}*/}}"],
])("%s is written as %s", (source, printed) => {
  expect(printTemplate(parsed(source))).toBe(printed);
  expect(printTemplate(parsed(printed))).toBe(printed);
});

test("escapes are Go's, and a lone surrogate stays as it is", () => {
  expect(printTemplate(parsed("{{`a\n\t\\\u0001/é\ud83d\ude00`}}"))).toBe('{{"a\\n\\t\\\\\\u0001/é\ud83d\ude00"}}');
  expect(printTemplate(parsed("{{`\ud800x`}}"))).toBe('{{"\ud800x"}}');
});
