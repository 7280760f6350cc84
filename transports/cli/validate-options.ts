/** The words of `troupe validate`. */
import { Argument, type Command } from "commander";
import type { CarryOut } from "./io.ts";
import { type Format, formatOption } from "./options.ts";

type ValidateFlags = { format: Format; strict?: boolean; pack?: string };

export function validateCommand(program: Command, carry: CarryOut): void {
  program
    .command("validate")
    .description("check workflows without running them: those named, or every one of this directory")
    .addOption(formatOption())
    .addArgument(new Argument("[workflow...]", "names from `troupe list`, paths, or globs of either"))
    .option("--pack <pack>", "check every workflow of a pack")
    .option("--strict", "warnings count as errors")
    .action((workflows: string[], { format, strict = false, pack }: ValidateFlags) =>
      carry(format, async (context) => {
        if (workflows.length > 0 && pack !== undefined)
          throw (await import("./failure.ts")).usage("name workflows, or one pack with --pack");
        const asked = pack === undefined ? { workflows } : { pack };
        const there = (await import("./project.ts")).inProject(context, workflows);
        return (await import("./commands/validate.ts")).validate(there, { ...asked, strict });
      }),
    );
}
