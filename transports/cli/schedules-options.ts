/** The words of `troupe schedules`. */
import { type Command, Option } from "commander";
import type { CarryOut } from "./io.ts";
import { FORMATS, type Format, folderPath } from "./options.ts";

type Formatted = { format: Format };

export function schedulesCommand(program: Command, carry: CarryOut): void {
  const schedules = program
    .command("schedules")
    .description("workflows that start by themselves while troupe serve --schedules runs");
  const load = () => import("./commands/schedules.ts");
  const command = (name: string, description: string): Command =>
    schedules
      .command(name)
      .description(description)
      .addOption(
        new Option("--format <format>", "text for people, json for programs").choices(FORMATS).default("text"),
      );
  command("list", "yours, and the workflows of this directory that could be").action(({ format }: Formatted) =>
    carry(format, async (context) => (await load()).listSchedules(context)),
  );
  command("enable", "let a workflow start by itself, as its file says now")
    .argument("<workflow>", "its name as troupe list shows it")
    .action((workflow: string, { format }: Formatted) =>
      carry(format, async (context) => (await load()).enableSchedule(context, workflow)),
    );
  command("disable", "let it start by itself no more; a run that goes on is not ended")
    .argument("<workflow>", "its name as troupe schedules list shows it")
    .option("--in <directory>", "of that directory, which may be gone, instead of this one", folderPath)
    .action((workflow: string, { format, in: directory }: Formatted & { in?: string }) =>
      carry(format, async (context) => (await load()).disableSchedule(context, workflow, directory ?? null)),
    );
}
