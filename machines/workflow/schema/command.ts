/** `type: step` or `command`. */
import { z } from "zod";
import { commonFields } from "./common.ts";
import { choice, opt, text } from "./fields.ts";

export const commandStep = z
  .strictObject({
    type: opt(choice(["step", "command"])).describe("A shell command or a script file."),
    ...commonFields,
    command: opt(text()).describe("The command line, run by the shell; a template whose values are quoted for you."),
    script_file: opt(text()).describe("A script to run instead of a command; at most 1 MiB, a template itself."),
    dir: opt(text()).describe("The folder it runs in; a template."),
  })
  .describe("Runs a shell command.");
