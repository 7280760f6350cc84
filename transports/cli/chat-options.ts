/** The words of `troupe chat` and `troupe sessions`. */
import { type Command, Option } from "commander";
import type { ChatFlags } from "./commands/chat.ts";
import type { CarryOut } from "./io.ts";
import { FORMATS, type Format } from "./options.ts";

const EXAMPLES = `
Examples:
  $ troupe chat claude-agent-acp        talk; :help says how, ctrl-d leaves
  $ troupe chat gem -p "What is here?"  one prompt, and its answer as lines
  $ troupe chat --resume                continue the one that was left last
  $ troupe sessions                     all of them, also of removed agents

Exit codes: 0 left, or the turns ended well · 1 usage · 3 the agent refused
4 the connection failed · 5 no one agreed to start it · 130 cancelled`;

const several = (value: string, all: readonly string[]): string[] => [...all, value];

/** A word that is none of its commands is refused as everywhere; the parser itself takes it for the default one's. */
function refuseUnknown(command: Command): void {
  const [word] = command.args;
  if (word === undefined || word.startsWith("-") || command.commands.some((one) => one.name() === word)) return;
  (command as Command & { unknownCommand(): never }).unknownCommand();
}

export function chatCommands(program: Command, carry: CarryOut): void {
  program
    .command("chat")
    .description("talk with one of your agents in the terminal")
    .argument("[agent]", "its slug or id; not needed where you have one")
    .addOption(
      new Option("-p, --prompt <text>", "say this, write the answer and leave; repeat it for others")
        .argParser(several)
        .default([], "none"),
    )
    .option("--resume [conversation]", "continue this one, or the last")
    .option("--from <conversation>", "begin a new one with the summary of this one")
    .addOption(
      new Option("--trust-agent <agent>", "let this agent start without a question")
        .argParser(several)
        .default([], "none"),
    )
    .option("--frames-log <file>", "write the last frames of the protocol to a file, without secrets")
    .addHelpText("after", EXAMPLES)
    .action((agent: string | undefined, flags: ChatFlags) =>
      carry("text", async (context) => (await import("./commands/chat.ts")).chat(context, agent, flags)),
    );
  const sessions = program
    .command("sessions")
    .description("conversations with your agents: list, read and remove them")
    .hook("preSubcommand", refuseUnknown);
  const load = () => import("./commands/sessions.ts");
  const format = () =>
    new Option("--format <format>", "text for people, json for programs").choices(FORMATS).default("text");
  sessions
    .command("list", { isDefault: true })
    .description("all that are kept, the latest first")
    .option("--agent <agent>", "of this agent only")
    .addOption(format())
    .action(({ format, agent }: { format: Format; agent?: string }) =>
      carry(format, async (context) => (await load()).listSessions(context, agent)),
    );
  sessions
    .command("show")
    .description("what was said; no agent is started")
    .argument("<conversation>", "its id, the beginning of it, or @last")
    .addOption(format())
    .action((name: string, { format }: { format: Format }) =>
      carry(format, async (context) => (await load()).showSession(context, name)),
    );
  sessions
    .command("remove")
    .description("remove what is kept of one here")
    .argument("<conversation>")
    .addOption(format())
    .action((name: string, { format }: { format: Format }) =>
      carry(format, async (context) => (await load()).removeSession(context, name)),
    );
}
