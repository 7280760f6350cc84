/** The command line: what can be asked, and in which words. Each command is a file of its own, loaded when asked for. */
import { Argument, Command, CommanderError, Option } from "commander";
import { safeText } from "../../projections/terminal/safe.ts";
import { withoutValues } from "../../projections/terminal/usage.ts";
import type { OfferSettings as OfferFlags } from "../acp/config.ts";
import type { InspectFlags } from "../inspect/inspected.ts";
import { agentsCommand } from "./agents-options.ts";
import { chatCommands } from "./chat-options.ts";
import { connectCommand } from "./connect-options.ts";
import { decideCommand } from "./decide-options.ts";
import { engineCommands } from "./engine-options.ts";
import { firstCommands } from "./first-options.ts";
import type { CarryOut, Io, TrustFlags, Work } from "./io.ts";
import { lookCommands } from "./look-options.ts";
import { mcpCommand } from "./mcp-options.ts";
import { OnEngine } from "./on-engine.ts";
import { FORMATS, type Format, UnreadableValue, wholeNumber } from "./options.ts";
import { packCommand } from "./pack-options.ts";
import { type PagerFlag, paged, pagerOption } from "./paged.ts";
import { pictureCommands } from "./picture-options.ts";
import { rerunCommand } from "./rerun-options.ts";
import { resumeCommand } from "./resume-options.ts";
import { runCommand } from "./run-options.ts";
import { schedulesCommand } from "./schedules-options.ts";
import {
  ephemeralOption,
  inspectOptions,
  permissionModeOption,
  permissionTimeoutOption,
  profileOption,
  serveCommand,
} from "./serve-options.ts";
import { tellCommand } from "./tell-options.ts";
import { terminal } from "./terminal.ts";
import { trustAgentOption, trustCommand } from "./trust-options.ts";
import { upkeepCommands } from "./upkeep-options.ts";
import { version } from "./version.ts";
import { worktreesCommand } from "./worktrees-options.ts";

const EXAMPLES = `
Examples:
  $ troupe init                        a first workflow in .troupe/workflows
  $ troupe doctor                      what is here, what is missing, what to do next
  $ troupe list                        what can be run here
  $ troupe run demo -i name=world      run a workflow
  $ troupe resume                      what a crash has interrupted, what waits for an answer, and how to resume it
  $ troupe demo                        see it as an editor would, with nothing to set up
  $ troupe acp                         for an editor: the Agent Client Protocol on standard input and output

Exit codes: 0 done, or parked until it is answered · 1 usage or input · 2 workflow · 3 execution · 4 system · 5 not trusted · 130 cancelled;
a workflow that ends in a failure of its own exits with 3, or with the code that its author wrote.`;
const USAGE_EXIT = 1;

/** Runs one command line; resolves with the exit code. */
export async function main(argv: readonly string[], io: Io = terminal()): Promise<number> {
  let code = 0;
  const json = asksForJson(argv);
  const engine = new OnEngine();
  const program = build(json ? { ...io, err: () => undefined } : io, async (format, command) => {
    code = await carryOut(engine.opening(io), format, command);
  });
  try {
    engine.listen(program, io.env);
    await program.parseAsync(argv, { from: "user" });
    return code;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    if (error instanceof CommanderError && !json) return USAGE_EXIT;
    if (!(error instanceof CommanderError || error instanceof UnreadableValue)) throw error;
    const { fail, usage } = await import("./failure.ts");
    return fail(usage(withoutValues(error.message.replace(/^error: /, ""))), io, json ? "json" : "text");
  }
}

/** Before the command line is understood: a program that asked for JSON gets its errors so too. */
function asksForJson(argv: readonly string[]): boolean {
  const own = argv.includes("--") ? argv.slice(0, argv.indexOf("--")) : argv;
  return own.some((word, index) => word === "--format=json" || (word === "--format" && own[index + 1] === "json"));
}

const FOLDER_GONE = "the folder in which this was started is not there any more: cd to one that is";

async function carryOut(io: Io, format: Format, work: Work): Promise<number> {
  try {
    if (io.cwd === "") throw Object.assign(new Error(FOLDER_GONE), { code: "SYSTEM.IO.READ_FAILED" });
    return await work({ io, format });
  } catch (error) {
    const { fail } = await import("./failure.ts");
    return fail(error, io, format);
  }
}

type GlobalFlags = { format: Format };
type ValidateFlags = GlobalFlags & { strict?: boolean; pack?: string };
type HistoryFlags = GlobalFlags & {
  limit: number;
  workflow?: string;
  status?: string;
  resumable?: boolean;
  all?: boolean;
};

function build(io: Io, carry: CarryOut): Command {
  const program = new Command("troupe")
    .description("Workflows of AI coding agents, run inside the editor.")
    .version(version, "-V, --version")
    .addHelpText("after", EXAMPLES)
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => io.out(text),
      writeErr: (text) => io.err(text),
      outputError: (text, write) =>
        write(`troupe: ${safeText(withoutValues(text.replace(/^error: /, "")))}  [USER.CLI.USAGE] see --help\n`),
      getOutHasColors: () => io.colours,
      getErrHasColors: () => io.errColours,
    });
  const command = (name: string, description: string): Command =>
    program
      .command(name)
      .description(description)
      .addOption(
        new Option("--format <format>", "text for people, json for programs").choices(FORMATS).default("text"),
      );

  firstCommands(program, carry);
  upkeepCommands(program, carry);
  runCommand(program, carry);
  command("list", "what can be run here")
    .alias("ls")
    .addOption(pagerOption())
    .action(({ format, pager }: GlobalFlags & PagerFlag) =>
      carry(
        format,
        paged(pager, async (context) => {
          const there = (await import("./project.ts")).inProject(context);
          return (await import("./commands/list.ts")).list(there);
        }),
      ),
    );
  lookCommands(program, carry);
  command("history", "the runs of this project, newest first")
    .option("-a, --all", "those of other folders, too")
    .addOption(new Option("-n, --limit <number>", "at most so many").argParser(wholeNumber).default(20))
    .option("-w, --workflow <name>", "of this workflow only")
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
    .action(({ format, pager, ...query }: HistoryFlags & PagerFlag) =>
      carry(
        format,
        paged(pager, async (context) => (await import("./commands/history.ts")).history(context, query)),
      ),
    );
  for (const add of [
    resumeCommand,
    decideCommand,
    tellCommand,
    rerunCommand,
    trustCommand,
    agentsCommand,
    chatCommands,
    packCommand,
    worktreesCommand,
    schedulesCommand,
    engineCommands,
  ])
    add(program, carry);
  command("validate", "check workflows without running them: those named, or every one of this directory")
    .addArgument(new Argument("[workflow...]", "names from `troupe list`, paths, or globs of either"))
    .option("--pack <name>", "check every workflow of a pack")
    .option("--strict", "warnings count as errors")
    .action((workflows: string[], { format, strict = false, pack }: ValidateFlags) =>
      carry(format, async (context) => {
        if (workflows.length > 0 && pack !== undefined)
          throw (await import("./failure.ts")).usage("name workflows, or one pack with --pack");
        const asked = pack === undefined ? { workflows } : { pack };
        const there = (await import("./project.ts")).inProject(context, workflows);
        return (await import("./commands/validate.ts")).validate(there, { ...asked, strict });
      }),
    );
  pictureCommands(program, carry);
  program
    .command("demo")
    .description("a shipped workflow as an editor would show it: one process drives `troupe acp` in another")
    .addOption(
      new Option("--format <format>", "text, or what the editor gets as lines of JSON")
        .choices(FORMATS)
        .default("text"),
    )
    .action(({ format }: GlobalFlags) =>
      carry(format, async (context) => (await import("../demo/demo.ts")).demo(context)),
    );
  const acp = program
    .command("acp")
    .description("serve an editor: the Agent Client Protocol on standard input and output")
    .enablePositionalOptions()
    .addOption(ephemeralOption())
    .addOption(profileOption())
    .addOption(permissionModeOption())
    .addOption(permissionTimeoutOption())
    .addOption(trustAgentOption())
    .option("--config <file>", "what is offered, instead of acp.json in your configuration folder")
    .option("--agent-auth", "offers your agents' own sign-in, to clients that want a way to authenticate")
    .action((flags: OfferFlags & InspectFlags & TrustFlags & { engine?: string; workerTag?: string }) =>
      carry("text", async () => (await import("./commands/acp.ts")).acp(io, flags)),
    );
  for (const option of inspectOptions()) acp.addOption(option);
  connectCommand(acp.command("connect"), carry);
  mcpCommand(program, carry);
  for (const command of [program.command("serve"), acp.command("serve")]) serveCommand(command, io, carry);
  return program;
}
