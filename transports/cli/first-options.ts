/** What one asks first, on the command line: `init`, `doctor`. */
import { type Command, Option } from "commander";
import type { CarryOut } from "./io.ts";
import { FORMATS, type Format } from "./options.ts";

type Formatted = { format: Format };

export function firstCommands(program: Command, carry: CarryOut): void {
  const command = (name: string, description: string): Command =>
    program
      .command(name)
      .description(description)
      .addOption(
        new Option("--format <format>", "text for people, json for programs").choices(FORMATS).default("text"),
      );
  command("init", "write a first workflow and a demo that needs no key")
    .option("--force", "replace files that exist")
    .action(({ format, force = false }: Formatted & { force?: boolean }) =>
      carry(format, async (context) => (await import("./commands/init.ts")).init(context, { force })),
    );
  command("doctor", "what is installed, signed in and sound here, and what to do next; starts no agent")
    .option("--json", "the same as --format json")
    .action(({ format, json = false }: Formatted & { json?: boolean }) =>
      carry(json ? "json" : format, async (context) => {
        const there = (await import("./project.ts")).inProject(context);
        return (await import("./commands/doctor.ts")).doctor(there);
      }),
    );
}
