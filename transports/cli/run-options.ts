/** `troupe run` on the command line. */
import { type Command, Option } from "commander";
import type { InspectFlags } from "../inspect/inspected.ts";
import { engineOption } from "./engine-options.ts";
import type { CarryOut } from "./io.ts";
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
import { ephemeralOption, inspectOptions } from "./serve-options.ts";
import { trustAgentOption } from "./trust-options.ts";

const EXAMPLES = `
Examples:
  $ troupe run demo -i name=world
  $ troupe run ./path/to/workflow.yaml --dry-run
  $ troupe run demo --format json | jq .type
  $ pass show deploy | troupe run deploy -i api_token=@-
                                        a secret that stands in no command line`;

type Flags = InspectFlags & {
  format: Format;
  input: InputFlags;
  dryRun?: boolean;
  trust?: boolean;
  ephemeral?: boolean;
  output?: Output;
  quiet?: boolean;
  profile?: string | true;
  watch?: boolean;
  trustAgent: string[];
  framesLog?: string;
  allowMerge?: boolean;
  budget?: string;
  detach?: boolean;
  engine?: string;
  workerTag?: string;
  inBackground?: boolean;
};

export function runCommand(program: Command, carry: CarryOut): void {
  const command = program
    .command("run")
    .description("run a workflow")
    .argument("<workflow>", "a name from `troupe list`, or a path")
    .addOption(
      new Option(
        "-i, --input <name=value>",
        "an input; repeat it for others; name=@- reads the value from standard input",
      )
        .argParser(collectInput)
        .default({}, "none"),
    )
    .option("--dry-run", "show what would be done, and start nothing")
    .option("--detach", "leave the run to a process in the background, which ends with it")
    .addOption(new Option("--in-background", "what --detach starts").hideHelp());
  command
    .optionsGroup("What it may:")
    .option("--trust", "run without asking whether this directory is trusted")
    .addOption(trustAgentOption())
    .option("--allow-merge", "merge worktrees of steps without asking, where the file says approve: false")
    .addOption(budgetOption("what the run may spend"));
  command
    .optionsGroup("What is shown:")
    .addOption(outputOption())
    .addOption(quietOption())
    .option("--watch", "show the run in the browser as it goes")
    .addOption(new Option("--format <format>", "text for people, json for programs").choices(FORMATS).default("text"));
  command
    .optionsGroup("How it runs:")
    .addOption(ephemeralOption())
    .option("--frames-log <file>", "write the last frames to and from agents that speak ACP to a file, without secrets")
    .option("--profile [file]", "where the time goes: a CPU profile with a span for each phase")
    .addOption(engineOption("run it on an engine, where a worker takes it: docs/cluster.md"));
  for (const option of inspectOptions()) command.addOption(option);
  command
    .addHelpText("after", EXAMPLES)
    .action((workflow: string, { format, input, dryRun = false, trust = false, ephemeral = false, ...flags }: Flags) =>
      carry(format, async (context) => {
        if (flags.inBackground === true) return (await import("./commands/detach.ts")).carryInBackground(context);
        const there = (await import("./project.ts")).inProject(context, [workflow]);
        if (dryRun)
          return (await import("./commands/dry-run.ts")).dryRun(there, {
            workflow,
            inputs: input,
            budget: flags.budget,
          });
        const {
          output,
          quiet: __, // it implies an output
          profile,
          watch = false,
          trustAgent,
          framesLog,
          allowMerge = false,
          budget,
          detach,
          engine,
          workerTag: _, // of what it opens (on-engine.ts)
          ...inspecting
        } = flags;
        if (detach === true) {
          const order = { workflow, inputs: input, trust, allowMerge, budget, trustAgent };
          return (await import("./commands/detach.ts")).detach(there, order, {
            ephemeral,
            watch,
            profile,
            framesLog,
            engine,
            output,
            ...inspecting,
          });
        }
        const timed = profile === undefined ? {} : { profile: { file: profile, folder: context.io.cwd } };
        const shown = { output, ...timed, watch };
        const asked = {
          workflow,
          inputs: input,
          trust,
          ephemeral,
          ...shown,
          trustAgent,
          framesLog,
          allowMerge,
          budget,
          engine,
          inspecting,
        };
        return (await import("./commands/run.ts")).run(there, asked);
      }),
    );
}
