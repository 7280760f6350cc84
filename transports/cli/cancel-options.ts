/** `troupe cancel` on the command line. */
import { type Command, Option } from "commander";
import type { CarryOut } from "./io.ts";
import { RUN_WORDS } from "./look-options.ts";
import { FORMATS, type Format } from "./options.ts";

type Flags = { format: Format };

export function cancelCommand(program: Command, carry: CarryOut): void {
  program
    .command("cancel")
    .description("end a run, whichever process runs it; also one that waits for an answer, or that a crash has cut off")
    .argument("<run>", RUN_WORDS)
    .addOption(new Option("--format <format>", "text for people, json for programs").choices(FORMATS).default("text"))
    .action((run: string, { format }: Flags) =>
      carry(format, async (context) => (await import("./commands/cancel.ts")).cancel(context, run)),
    );
}
