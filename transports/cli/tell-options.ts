/** `troupe tell` on the command line. */
import { type Command, Option } from "commander";
import type { CarryOut } from "./io.ts";
import { RUN_WORDS } from "./look-options.ts";
import { FORMATS, type Format } from "./options.ts";

type Flags = { format: Format; step?: string };

export function tellCommand(program: Command, carry: CarryOut): void {
  program
    .command("tell")
    .description("say something to an agent of a run while it works, in any process")
    .argument("<run>", RUN_WORDS)
    .argument("<text...>", "what it is to hear")
    .option("--step <name>", "which step, where several agents work")
    .addOption(new Option("--format <format>", "text for people, json for programs").choices(FORMATS).default("text"))
    .action((run: string, words: string[], { format, step }: Flags) =>
      carry(format, async (context) =>
        (await import("./commands/tell.ts")).tell(context, { run, step: step ?? null, text: words.join(" ") }),
      ),
    );
}
