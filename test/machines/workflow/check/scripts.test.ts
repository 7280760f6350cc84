/** Values in the script files of a workflow: reported before anything runs. */
import { expect, it } from "vitest";
import { checkScripts } from "../../../../machines/workflow/check/scripts.ts";
import { brief, parse, underlined } from "../fixtures.ts";

const SOURCE = `name: w
inputs: [{name: x}, {name: n, type: integer}]
states:
  initial: a
  a: {type: command, script_file: "s", on_success: d}
  d: {type: terminal}
`;
function found(script: string, awf = false) {
  const { workflow } = parse(SOURCE, { awf });
  if (workflow === null) throw new Error("no workflow");
  const findings = checkScripts(workflow, SOURCE, () => script);
  return { codes: brief(findings), at: underlined(SOURCE, findings), says: findings[0]?.message };
}

it.each([
  ["code of Python", "#!/usr/bin/env python3\nprint({{.inputs.x}})", "s:2:7: a run takes a number, true or false here"],
  [
    "a comment of JavaScript",
    "#!/usr/bin/env node\n// {{.inputs.x}}",
    "s:2:4: a run takes a number, true or false here",
  ],
  ["a script that cannot be read", '#!/usr/bin/env python3\nq"{{.inputs.x}}"', "cannot be read from line 2 on"],
  ["code in a shell's script", "#!/bin/sh\neval {{.inputs.x}}", "s:2:6: a value here becomes code"],
  ["code in a branch", '#!/usr/bin/env python3\n{{if .inputs.n}}""{{else}}{{.inputs.x}}{{end}}', "s:2:27: a run takes"],
])("is an error for %s, a warning in AWF's folders", (_, script, says) => {
  const { codes, at, says: said } = found(script);
  expect([codes, at]).toEqual([[expect.stringMatching(/^5:\d+ VALUE_AS_CODE$/)], ['"s"']]);
  expect(said).toContain(says);
  expect(found(script, true).codes).toEqual([expect.stringMatching(/VALUE_AS_CODE \(warning\)$/)]);
});

it.each([
  ["a raw string", '#!/usr/bin/env python3\nr"{{.inputs.x}}"', "this string is raw"],
  ["another language", "#!/usr/bin/env ruby\nputs '{{.inputs.x}}'", "a run takes a plain word here"],
])("is a warning for %s, which takes some values", (_, script, says) => {
  const { codes, says: said } = found(script);
  expect([codes, said]).toEqual([[expect.stringMatching(/VALUE_AS_CODE \(warning\)$/)], expect.stringContaining(says)]);
});

it.each([
  ["a string", '#!/usr/bin/env python3\nprint("{{.inputs.x}}")'],
  ["a number in code", "#!/usr/bin/env node\nlog({{.inputs.n}})"],
  ["the author's raw", "#!/usr/bin/env node\nlog({{.inputs.x | raw}})"],
  ["a script without a value", "#!/usr/bin/env node\n}{"],
])("is no finding for %s", (_, script) => {
  expect(found(script).codes).toEqual([]);
});
