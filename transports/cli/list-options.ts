/** What lists, on the command line: `list` and `history`. */
import { type Command, Option } from "commander";
import type { CarryOut } from "./io.ts";
import { type Format, formatOption, wholeNumber } from "./options.ts";
import { type PagerFlag, paged, pagerOption } from "./paged.ts";

type ListFlags = { format: Format } & PagerFlag;
type HistoryFlags = ListFlags & {
  limit: number;
  workflow?: string;
  status?: string;
  resumable?: boolean;
  all?: boolean;
};

export function listCommand(program: Command, carry: CarryOut): void {
  program
    .command("list")
    .description("what can be run here")
    .addOption(formatOption())
    .alias("ls")
    .addOption(pagerOption())
    .action(({ format, pager }: ListFlags) =>
      carry(
        format,
        paged(pager, async (context) => {
          const there = (await import("./project.ts")).inProject(context);
          return (await import("./commands/list.ts")).list(there);
        }),
      ),
    );
}

export function historyCommand(program: Command, carry: CarryOut): void {
  program
    .command("history")
    .description("the runs of this project, newest first")
    .addOption(formatOption())
    .option("-a, --all", "those of other folders, too")
    .addOption(new Option("-n, --limit <number>", "at most so many").argParser(wholeNumber).default(20))
    .option("-w, --workflow <workflow>", "of this workflow only")
    .addOption(
      new Option("-s, --status <status>", "in this state only").choices([
        "running",
        "waiting",
        "interrupted",
        "parked",
        "completed",
        "failed",
        "cancelled",
        "skipped",
      ]),
    )
    .option("--resumable", "only what can be resumed")
    .addOption(pagerOption())
    .action(({ format, pager, ...query }: HistoryFlags) =>
      carry(
        format,
        paged(pager, async (context) => (await import("./commands/history.ts")).history(context, query)),
      ),
    );
}
