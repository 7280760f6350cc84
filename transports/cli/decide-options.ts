/** `troupe decide` on the command line. */
import { type Command, Option } from "commander";
import type { CarryOut } from "./io.ts";
import { RUN_WORDS } from "./look-options.ts";
import { FORMATS, type Format, type InputFlags, secretAgainOption } from "./options.ts";

type Flags = { format: Format; permission?: string; input: InputFlags };

export function decideCommand(program: Command, carry: CarryOut): void {
  program
    .command("decide")
    .description("answer what a run asks while it runs, in any process; without an answer, show it")
    .argument("<run>", RUN_WORDS)
    .argument(
      "[answer]",
      "allow, deny, or an option by its number, id or name; to a parked run, words or a JSON object of answers",
    )
    .option("--permission <id>", "which question, where several are open")
    .addOption(secretAgainOption())
    .addOption(new Option("--format <format>", "text for people, json for programs").choices(FORMATS).default("text"))
    .action((run: string, answer: string | undefined, { format, permission, input }: Flags) =>
      carry(format, async (context) => {
        const asked = { run, answer: answer ?? null, permission: permission ?? null, inputs: input };
        return (await import("./commands/decide.ts")).decide(context, asked);
      }),
    );
}
