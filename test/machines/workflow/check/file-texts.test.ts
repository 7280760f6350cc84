/** What script and prompt files read, as far as it can be known beforehand. */
import { expect, it } from "vitest";
import { checkFileTexts } from "../../../../machines/workflow/check/file-texts.ts";
import { parse } from "../fixtures.ts";

const SOURCE = `name: w
inputs: [{name: who}]
states:
  initial: a
  a: {type: command, script_file: s.sh, on_success: b}
  b: {type: agent, provider: understudy, prompt_file: p.md, on_success: l}
  l: {type: for_each, items: [1], body: [c], on_complete: e}
  c: {type: command, script_file: s.sh}
  e: {type: command, script_file: "{{.awf.scripts_dir}}/s.sh", on_success: d}
  d: {type: terminal}
`;
function told(files: { [path: string]: string }, awf = false): string[] {
  const { workflow } = parse(SOURCE, { awf });
  if (workflow === null) throw new Error("no workflow");
  return checkFileTexts(workflow, SOURCE, (path) => files[path] ?? null).map(
    ({ severity, line, path, message, suggestion }) =>
      `${severity} ${line} ${path} ${message}${suggestion === undefined ? "" : ` (${suggestion})`}`,
  );
}

it("says what is not there, with its place in the file", () => {
  expect(
    told({ "s.sh": "#!/bin/sh\necho {{.inputs.woh}}", "p.md": "Look at {{.states.a.Output}}, {{.states.c.Output}}" }),
  ).toEqual([
    'error 5 states.a.script_file s.sh:2:8: input "woh" is not declared (who)',
    'error 6 states.b.prompt_file p.md:1:33: "c" cannot have run before this text is read',
    'error 8 states.c.script_file s.sh:2:8: input "woh" is not declared (who)',
  ]);
  expect(told({ "p.md": "{{.inputs.who" })).toEqual([
    expect.stringMatching(/^error 6 states.b.prompt_file p.md:1:1: /),
  ]);
});

it("says it in AWF's places as a warning", () => {
  expect(told({ "p.md": "{{.inputs.woh}}" }, true)).toEqual([expect.stringMatching(/^warning 6 /)]);
});

it("says nothing of what is right, or cannot be read", () => {
  expect(told({ "p.md": "{{.inputs.who}} {{.states.a.Output}} {{.env.HOME}} {{/* {{.inputs.x}} */}}" })).toEqual([]);
  expect(told({ "s.sh": "echo {{.loop.Item}}" })).toEqual([
    'error 5 states.a.script_file s.sh:1:8: "loop" is known in the body of a loop only',
  ]);
});
