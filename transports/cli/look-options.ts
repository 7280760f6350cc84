/** What looks at runs, on the command line: `status`, `logs`, `ui`, `inspect`, `record`, `export`, `view`. */
import { type Command, Option } from "commander";
import type { CarryOut, TrustFlags, Work } from "./io.ts";
import { EXPORTS, type ExportAs, type Format, formatOption } from "./options.ts";
import { type PagerFlag, paged, pagerOption } from "./paged.ts";
import { trustAgentOption } from "./trust-options.ts";

export const RUN_WORDS = "its id, the beginning of it, or @last";
type LogsFlags = { format: Format; failed?: boolean; follow?: boolean; raw?: boolean; since?: string };

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
    .addOption(pagerOption())
    .addOption(formatOption())
    .action((run: string, step: string | undefined, flags: LogsFlags & PagerFlag) => {
      const { failed = false, follow = false, raw = false, since = null, pager } = flags;
      const asked = { run, step: step ?? null, failed, follow, raw, since };
      const work: Work = async (context) => (await import("./commands/logs.ts")).logs(context, asked);
      return carry(flags.format, paged(pager && !follow && !raw, work));
    });
  program
    .command("ui")
    .description("every run of this user on this machine, to look at and to answer")
    .option("--plain", "lines for a screen reader, instead of a screen")
    .addOption(trustAgentOption())
    .action(({ plain = false, trustAgent = [] }: { plain?: boolean } & TrustFlags) =>
      carry("text", async (context) => (await import("./commands/ui.ts")).ui(context, { plain, trustAgent })),
    );
  program
    .command("inspect")
    .description("what the machines of a run do, event by event; without a run, where processes can be inspected")
    .argument("[run]", RUN_WORDS)
    .addOption(formatOption())
    .action((run: string | undefined, { format }: { format: Format }) =>
      carry(format, async (context) => (await import("./commands/inspect.ts")).inspect(context, run ?? null)),
    );
  program
    .command("record")
    .description("an agent step of a run as a script that the understudy replays, in YAML")
    .argument("<run>", RUN_WORDS)
    .option("--step <path>", "which step, where the run has several with an agent")
    .addOption(formatOption())
    .action((run: string, { step, format }: { step?: string; format: Format }) =>
      carry(format, async (context) =>
        (await import("./commands/record.ts")).record(context, { run, step: step ?? null }),
      ),
    );
  program
    .command("export")
    .description("a run as one file for another person: a page that needs no network, Markdown, or its rows")
    .argument("<run>", RUN_WORDS)
    .option("-o, --out <file>", "which file; - is standard output (default: one named after the run, here)")
    .addOption(
      new Option("--as <kind>", "what it is to be (default: by the file's ending, else html)").choices(EXPORTS),
    )
    .action((run: string, { out, as }: { out?: string; as?: ExportAs }) =>
      carry("text", async (context) =>
        (await import("./commands/export.ts")).exported(context, { run, out: out ?? null, as: as ?? null }),
      ),
    );
  program
    .command("view")
    .description("a recorded log as one HTML file, with the graph, the timeline and the slider, in your browser")
    .argument("<file>", "rows as `troupe logs <run> --format json` writes them")
    .option("-o, --out <file>", "write it there, and open nothing")
    .action((file: string, { out }: { out?: string }) =>
      carry("text", async (context) => (await import("./commands/view.ts")).view(context, { file, out: out ?? null })),
    );
}
