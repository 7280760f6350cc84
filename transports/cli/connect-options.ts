/** The words of `troupe acp connect`. */
import { type Command, InvalidArgumentError, Option } from "commander";
import { type ConnectFlags, KINDS } from "./connect-flags.ts";
import type { CarryOut } from "./io.ts";

const EXAMPLES = `
Examples:
  $ troupe acp connect ws://127.0.0.1:8900 -p "/demo name=world"
  $ troupe acp connect -- npx some-agent --acp   an agent on this machine
  $ troupe acp connect --stdio wss://host/acp --token-file ~/token
                                        what an editor starts for a remote agent

Without -p, prompts are read: line by line from a terminal, otherwise all of
standard input as one.
Exit codes: 0 the turns ended well, or the editor hung up · 1 usage
3 the agent refused · 4 the connection failed · 130 cancelled`;

const several = (value: string, all: readonly string[]): string[] => [...all, value];
function kind(value: string, all: readonly string[]): string[] {
  if (!(KINDS as readonly string[]).includes(value))
    throw new InvalidArgumentError(`Expected one of ${KINDS.join(", ")}.`);
  return several(value, all);
}

export function connectCommand(command: Command, carry: CarryOut): void {
  command
    .description("a client of any ACP agent: behind an address, or in a program")
    .argument("<target...>", "ws://…, wss://…, http://… or https://…; or, after --, a program and its arguments")
    .addOption(
      new Option("-p, --prompt <text>", "a prompt; repeat it for others").argParser(several).default([], "none"),
    )
    .option("--stdio", "carry the protocol between standard input and output and the server")
    .option("--session <id>", "continue an earlier session")
    .option("--token-file <file>", "the server's token")
    .addOption(new Option("--allow <kind>", "allow such tool calls without asking").argParser(kind).default([], "none"))
    .addOption(
      new Option("--allow-always <kind>", "also where that is remembered, as the trust in a directory is (execute)")
        .argParser(kind)
        .default([], "none"),
    )
    .addOption(new Option("--deny <kind>", "deny such tool calls without asking").argParser(kind).default([], "none"))
    .option("--files", "let the agent read files here, and write them where you agree")
    .option("--terminals", "let the agent run commands here where you agree")
    .addHelpText("after", EXAMPLES)
    .action((target: string[], flags: ConnectFlags) =>
      carry("text", async (context) => (await import("./commands/connect.ts")).connectTo(context, target, flags)),
    );
}
