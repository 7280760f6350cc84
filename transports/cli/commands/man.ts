/** `troupe man`: the manual page of the commands as they are; or a page of the docs. */
import type { Argument, Command } from "commander";
import { commandsPage } from "../../../projections/shells/commands-page.ts";
import { type Described, manPage } from "../../../projections/shells/man.ts";
import type { CommandContext } from "../io.ts";
import { version } from "../version.ts";

export async function man({ io }: CommandContext, program: Command, markdown = false): Promise<number> {
  io.out((markdown ? commandsPage : manPage)(described(program, ""), version));
  return 0;
}

function argumentWord(argument: Argument): string {
  const name = argument.name() + (argument.variadic ? "..." : "");
  return argument.required ? `<${name}>` : `[${name}]`;
}

function described(command: Command, above: string): Described {
  const help = command.createHelp();
  const name = `${above} ${command.name()}`.trim();
  return {
    name,
    usage: command.registeredArguments.map(argumentWord).join(" "),
    description: command.description(),
    options: help.visibleOptions(command).map((option) => ({
      flags: help.optionTerm(option),
      description: help.optionDescription(option),
    })),
    commands: help
      .visibleCommands(command)
      .filter((one) => one.name() !== "help")
      .map((one) => described(one, above === "" && command.parent === null ? "troupe" : name)),
  };
}
