/** `troupe rerun` on the command line. */
import { type Command, Option } from "commander";
import type { CarryOut } from "./io.ts";
import { RUN_WORDS } from "./look-options.ts";
import {
  budgetOption,
  collectInput,
  FORMATS,
  type Format,
  type InputFlags,
  type Output,
  outputOption,
  quietOption,
} from "./options.ts";
import { trustAgentOption } from "./trust-options.ts";

type Flags = {
  format: Format;
  from?: string;
  failed?: boolean;
  force?: boolean;
  trust?: boolean;
  input: InputFlags;
  output?: Output;
  trustAgent: string[];
  budget?: string;
};

export function rerunCommand(program: Command, carry: CarryOut): void {
  program
    .command("rerun")
    .description("do a run again that has ended, as a new run that takes over what stands before its beginning")
    .argument("<run>", RUN_WORDS)
    .option("--from <step>", "begin with this step, and take over the results of those before it")
    .option("--failed", "begin with what failed; of a for_each only those rounds run again")
    .option("--force", "take over also what the workflow does otherwise now, with a list of that")
    .option("--trust", "trust this run's directory without asking")
    .addOption(budgetOption("what the run may spend; without it what the earlier one might"))
    .addOption(trustAgentOption())
    .addOption(
      new Option("-i, --input <name=value>", "an input with another value, or a secret one again")
        .argParser(collectInput)
        .default({}, "none"),
    )
    .addOption(outputOption())
    .addOption(quietOption())
    .addOption(new Option("--format <format>", "text for people, json for programs").choices(FORMATS).default("text"))
    .action((run: string, { format, from, failed = false, force = false, trust = false, ...flags }: Flags) =>
      carry(format, async (context) => {
        const { input: inputs, output, trustAgent, budget } = flags;
        const asked = { run, from: from ?? null, failed, force, trust, inputs, output, trustAgent, budget };
        return (await import("./commands/rerun.ts")).rerun(context, asked);
      }),
    );
}
