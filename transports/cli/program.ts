/** The command line: what is asked, carried out, and what is said where it cannot be. */
import { Command, CommanderError } from "commander";
import { safeText } from "../../projections/terminal/safe.ts";
import { withoutValues } from "../../projections/terminal/usage.ts";
import { helpAsked, wordsOf } from "./asked-help.ts";
import { addCommands } from "./every-command.ts";
import type { CarryOut, Io, Work } from "./io.ts";
import { listMeant } from "./list-meant.ts";
import { narrowHelp } from "./narrow-help.ts";
import { OnEngine } from "./on-engine.ts";
import { type Format, UnreadableValue } from "./options.ts";
import { terminal } from "./terminal.ts";
import { version } from "./version.ts";

const EXAMPLES = `
Examples:
  $ troupe init                    a first workflow in .troupe/workflows
  $ troupe doctor                  what is here, what is missing, what next
  $ troupe list                    what can be run here
  $ troupe run demo -i name=world  run a workflow
  $ troupe resume                  what a crash cut off, or what waits for you
  $ troupe demo                    see it as an editor would, nothing to set up
  $ troupe acp                     what your editor starts

Exit codes: 0 done, or parked until it is answered · 1 usage or input
2 workflow · 3 execution · 4 system · 5 not trusted · 130 cancelled
A workflow that ends in a failure of its own exits with 3, or with the code
that its author wrote.

More on one of them: troupe <command> --help. All of it: troupe man`;
const USAGE_EXIT = 1;

/** Runs one command line; resolves with the exit code. */
export async function main(argv: readonly string[], io: Io = terminal()): Promise<number> {
  let code = 0;
  const json = asksForJson(argv);
  const engine = new OnEngine();
  const program = build(argv, json ? { ...io, err: () => undefined } : io, async (format, command) => {
    code = await carryOut(engine.opening(io), format, command);
    if (!json) engine.remind(io);
  });
  try {
    engine.listen(program, io.env);
    await program.parseAsync(listMeant(program, helpAsked(program, argv)), { from: "user" });
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
  if (own[0] === "doctor" && own.includes("--json")) return true;
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

/** Options of other tools, by the option that a command has here, and how it is written. */
const ELSEWHERE: { readonly [option: string]: readonly [long: string, written: string] } = {
  "--json": ["--format", "--format json"],
  "--port": ["--listen", "--listen 127.0.0.1:<port>"],
  "--host": ["--listen", "--listen <host>:<port>"],
};

/** What is too unlike for a suggestion of the parser: an option of other tools, a command in capitals, a folder to trust. */
function meantIn(fault: string, argv: readonly string[], program: Command): string {
  let command = program;
  for (const word of argv) command = command.commands.find((one) => one.name() === word) ?? command;
  const [own, written] = ELSEWHERE[/^unknown option '([^']+)'\n$/.exec(fault)?.[1] ?? ""] ?? [];
  if (own !== undefined) return command.options.some(({ long }) => long === own) ? `(Did you mean ${written}?)\n` : "";
  const last = argv[argv.indexOf(command.name()) + 1] ?? "";
  if (command.name() === "trust" && /^([./~]|\w:\\)/.test(last)) return "(Did you mean trust add <directory>?)\n";
  const small = /^unknown command '(\S+)'\n$/.exec(fault)?.[1]?.toLowerCase();
  return command.commands.some((one) => one.name() === small) ? `(Did you mean ${small}?)\n` : "";
}

/** Where no terminal says how wide it is. */
const HELP_COLUMNS = 80;

function build(argv: readonly string[], io: Io, carry: CarryOut): Command {
  const program = new Command("troupe")
    .description("Workflows of AI coding agents, run inside the editor.")
    .version(version, "-V, --version")
    .addHelpText("after", EXAMPLES)
    .showSuggestionAfterError()
    .exitOverride()
    .configureHelp(narrowHelp)
    .configureOutput({
      writeOut: (text) => io.out(text),
      writeErr: (text) => io.err(text),
      outputError: (text, write) => {
        const fault = safeText(withoutValues(text.replace(/^error: /, "")));
        write(`troupe: ${fault}${meantIn(fault, argv, program)}  [USER.CLI.USAGE] see --help\n`);
      },
      getOutHelpWidth: () => io.columns ?? HELP_COLUMNS,
      getOutHasColors: () => io.colours,
      getErrHasColors: () => io.errColours,
    });
  program
    .command("version", { hidden: true })
    .description("the same as --version")
    .action(() => io.out(`${version}\n`));
  addCommands(program, wordsOf(argv)[0], carry, io);
  return program;
}
