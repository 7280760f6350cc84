/** Script and prompt files whose path begins with a folder are checked as those that stand beside the workflow. */
import { expect, test } from "vitest";
import { house } from "./support.ts";

const FLOW = `name: w
inputs: [{name: x}, {name: file}]
states:
  initial: a
  a: {command: "true", on_success: b}
  b: {type: command, script_file: "{{.awf.scripts_dir}}/s.sh", on_success: c}
  c: {type: agent, provider: understudy, prompt_file: "{{.awf.prompts_dir}}/p.md", on_success: e}
  e: {type: command, script_file: "{{.awf.scripts_dir}}/{{.inputs.file}}", on_success: d}
  d: {type: terminal}
`;

test("a path of folders is known, one of an input is not", async () => {
  const { catalogue, cwd, write } = house();
  write("work/.troupe/workflows/w.yaml", FLOW);
  write("work/.troupe/scripts/s.sh", "#!/bin/sh\neval {{.inputs.x}}\necho {{.inputs.y}}");
  write("work/.troupe/prompts/p.md", "Look at {{.states.a.Outptu}}");
  const { findings } = await catalogue.validate(cwd, "w");
  expect(findings.map(({ path, message }) => [path, message])).toEqual([
    [
      "states.b.script_file",
      expect.stringMatching(/^\{\{\.awf\.scripts_dir\}\}\/s\.sh:2:6: a value here becomes code/),
    ],
    ["states.b.script_file", '{{.awf.scripts_dir}}/s.sh:3:8: input "y" is not declared'],
    ["states.c.prompt_file", expect.stringContaining('p.md:1:11: a state\'s result has no "Outptu"')],
  ]);
});
