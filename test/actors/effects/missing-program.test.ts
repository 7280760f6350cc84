import { expect, it } from "vitest";
import { missingProgram } from "../../../actors/effects/missing-program.ts";

it.each([
  ["/bin/bash: line 1: frobnicate: command not found", "frobnicate"],
  ["warming up\nsh: 1: gh: not found", "gh"],
  ["zsh:1: command not found: jq", "jq"],
  ["env: ‘deno’: No such file or directory", "deno"],
])("names the program in %j", (stderr, name) => {
  const message = `there is no program "${name}" here: install ${name}, or add its folder to PATH`;
  expect(missingProgram(127, stderr)).toEqual({ code: "EXECUTION.COMMAND.NOT_FOUND", message });
});

it("sends nobody to install a script of theirs, whose first line may name what is not there", () => {
  const message =
    'there is no program "./a/b.sh", or none that its first line names: look at that file and at its first line';
  expect(missingProgram(127, "/bin/sh: 1: ./a/b.sh: not found")).toEqual({
    code: "EXECUTION.COMMAND.NOT_FOUND",
    message,
  });
});

it("says nothing of another exit code, or of other words", () => {
  expect(missingProgram(1, "sh: 1: gh: not found")).toBeNull();
  expect(missingProgram(127, "page not found, it seems\n404")).toBeNull();
});
