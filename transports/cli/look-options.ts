/** What looks at runs, on the command line: `status`, `logs`, `record`. */
import { type Command, Option } from "commander";
import type { CarryOut } from "./io.ts";
import { FORMATS, type Format } from "./options.ts";

export const RUN_WORDS = "its id, the beginning of it, or @last";
type LogsFlags = { format: Format; failed?: boolean; follow?: boolean; raw?: boolean; since?: string };

const formatOption = (): Option =>
  new Option("--format <format>", "text for people, json for programs").choices(FORMATS).default("text");

export function lookCommands(program: Command, carry: CarryOut): void {
  program
    .command("status")
    .description("what became of a run: its steps, what it waits for, what it failed of")
    .argument("<run>", RUN_WORDS)
    .addOption(formatOption())
    .action((run: string, { format }: { format: Format }) =>
      carry(format, async (context) => (await import("./commands/status.ts")).status(context, run)),
    );
  program
    .command("logs")
    .description("what a run said, or one of its steps")
    .argument("<run>", RUN_WORDS)
    .argument("[step]", "as `troupe status` shows it; a name means every round and visit of it")
    .option("--failed", "only the steps that failed")
    .option("-f, --follow", "what comes, too")
    .option("--raw", "the texts as they were written, without anything around them")
    .option("--since <when>", "from then on: 30s, 10m, 2h, 1d ago, or a time")
    .addOption(formatOption())
    .action((run: string, step: string | undefined, flags: LogsFlags) =>
      carry(flags.format, async (context) => {
        const { failed = false, follow = false, raw = false, since = null } = flags;
        return (await import("./commands/logs.ts")).logs(context, {
          run,
          step: step ?? null,
          failed,
          follow,
          raw,
          since,
        });
      }),
    );
  program
    .command("record")
    .description("an agent step of a run as a script that the understudy replays, in YAML")
    .argument("<run>", RUN_WORDS)
    .option("--step <path>", "which step, where the run has several with an agent")
    .action((run: string, { step }: { step?: string }) =>
      carry("text", async (context) =>
        (await import("./commands/record.ts")).record(context, { run, step: step ?? null }),
      ),
    );
}
