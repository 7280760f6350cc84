/** What keeps the store small and safe, on the command line: `gc`, `backup`, `restore`. */
import { type Command, Option } from "commander";
import type { CarryOut } from "./io.ts";
import { FORMATS, type Format, folderPath, wholeNumber } from "./options.ts";

const EXAMPLES = `
Examples:
  $ troupe gc --max-age 90d --dry-run   what would go
  $ troupe gc --max-runs 1000 --max-size 2GB

What runs, waits or can be resumed stays. Limits that hold for good stand in
config.yaml, under \`retention\`.`;

type GcFlags = { format: Format; maxAge?: string; maxRuns?: number; maxSize?: string; dryRun?: boolean };

export function upkeepCommands(program: Command, carry: CarryOut): void {
  program
    .command("gc")
    .description("remove what is older, or more, than you want to keep; without a limit, nothing")
    .option("--max-age <age>", "sessions that were not used for longer go: 12h, 90d, 8w, 1y")
    .addOption(new Option("--max-runs <number>", "so many runs stay at most").argParser(wholeNumber))
    .option("--max-size <size>", "so much of the store's file is in use at most: 500MB, 2GB")
    .option("--dry-run", "tell what would go, and remove nothing")
    .addOption(new Option("--format <format>", "text for people, json for programs").choices(FORMATS).default("text"))
    .addHelpText("after", EXAMPLES)
    .action(({ format, dryRun = false, maxAge, maxRuns, maxSize }: GcFlags) =>
      carry(format, async (context) => {
        const asked = { age: maxAge ?? null, runs: maxRuns ?? null, size: maxSize ?? null };
        return (await import("./commands/gc.ts")).gc(context, asked, dryRun);
      }),
    );
  const format = (): Option =>
    new Option("--format <format>", "text for people, json for programs").choices(FORMATS).default("text");
  program
    .command("backup")
    .description("copy the store as it is now, while others use it")
    .argument("<folder>", "is made, or empty", folderPath)
    .addOption(format())
    .action((folder: string, { format: as }: { format: Format }) =>
      carry(as, async (context) => (await import("./commands/backup.ts")).backup(context, folder)),
    );
  program
    .command("restore")
    .description("put a copy in the store's place, while nothing uses it")
    .argument("<folder>", "what `troupe backup` has made", folderPath)
    .option("--force", "move a store that is there aside")
    .addOption(format())
    .action((folder: string, { format: as, force = false }: { format: Format; force?: boolean }) =>
      carry(as, async (context) => (await import("./commands/backup.ts")).restore(context, folder, force)),
    );
}
