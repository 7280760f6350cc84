/** The words of `troupe agents`. */
import { type Command, InvalidArgumentError, Option } from "commander";
import type { AddFlags } from "./commands/agents.ts";
import type { CarryOut } from "./io.ts";
import { FORMATS, type Format, folderPath } from "./options.ts";

const EXAMPLES = `
Examples:
  $ troupe agents add claude-agent-acp              the version that was tried
  $ troupe agents add gemini --installed --as gem   the program on your PATH
  $ troupe agents add mine --env KEY=from_env:MY_KEY -- my-agent --acp
  $ troupe agents add goose --registry r.json       from a file of a registry`;

type Formatted = { format: Format };
const several = (value: string, all: readonly string[]): string[] => [...all, value];
function variable(value: string, all: AddFlags["env"]): AddFlags["env"] {
  const [, name, given] = /^([^=]+)=(.*)$/s.exec(value) ?? [];
  if (name === undefined || given === undefined) throw new InvalidArgumentError("Expected NAME=value.");
  const from = /^from_env:(.+)$/.exec(given)?.[1];
  const secret = /^secret_ref:(.+)$/.exec(given)?.[1];
  if (secret !== undefined) return { ...all, [name]: { secret_ref: attributes(secret) } };
  return { ...all, [name]: from === undefined ? given : { from_env: from } };
}

function attributes(given: string): { [attribute: string]: string } {
  const pairs = given.split(",").map((pair) => /^([^=]+)=(.+)$/.exec(pair));
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, name = "", value = ""] = pair ?? [];
      if (name !== "" && value !== "") return [name, value];
      throw new InvalidArgumentError("Expected NAME=secret_ref:attribute=value, with commas between several.");
    }),
  );
}

export function agentsCommand(program: Command, carry: CarryOut): void {
  const agents = program.command("agents").description("your agents that speak ACP: add, list, rename and remove them");
  const load = () => import("./commands/agents.ts");
  const command = (name: string, description: string): Command =>
    agents
      .command(name)
      .description(description)
      .addOption(
        new Option("--format <format>", "text for people, json for programs").choices(FORMATS).default("text"),
      );

  command("list", "your agents, and those that were removed").action(({ format }: Formatted) =>
    carry(format, async (context) => (await load()).listAgents(context)),
  );
  command("presets", "the agents that are known, with their versions").action(({ format }: Formatted) =>
    carry(format, async (context) => (await load()).listPresets(context)),
  );
  command("show", "all that is known of one agent")
    .argument("<agent>", "its slug, a slug that it had, or its id")
    .action((name: string, { format }: Formatted) =>
      carry(format, async (context) => (await load()).showAgent(context, name)),
    );
  command("add", "add a known agent, one of a registry's file, or a command")
    .argument("<name>", "a preset, an agent of the registry, or the name of your own")
    .argument("[command...]", "after --: a program and its arguments, passed as they are")
    .option("--as <slug>", "the name in workflows and here, if not the first")
    .option("--name <name>", "what people call it")
    .option("--installed", "the preset's program on your PATH, rather than its package")
    .option("--registry <file>", "a file in the form of the ACP registry, or its URL")
    .option("--fetch", "fetch the archive that the registry names, where it is no package")
    .option("--sha256 <digits>", "what the archive must be; else what the registry's file pins")
    .option("--id <id>", "the id of a removed agent, to continue its conversations")
    .addOption(
      new Option(
        "--env <name=value>",
        "a variable; NAME=from_env:OTHER takes yours, NAME=secret_ref:attribute=value one of your store of secrets; repeat it for others",
      )
        .argParser(variable)
        .default({}, "none"),
    )
    .option("--cwd <folder>", "where its process runs, if not in the run's folder")
    .addOption(
      new Option("--files <access>", "what it may do to files through Troupe").choices(["none", "read", "write"]),
    )
    .addOption(
      new Option(
        "--sandbox <what>",
        "workspace: it can write the workspace and nothing else, or does not start",
      ).choices(["none", "workspace"]),
    )
    .option("--terminal", "let it run commands through Troupe")
    .option("--auth <method>", "the method it is authenticated by")
    .addOption(
      new Option("--mcp <server>", "an MCP server that is passed on to it; repeat it")
        .argParser(several)
        .default([], "none"),
    )
    .addHelpText("after", EXAMPLES)
    .action((known: string, program: string[], { format, ...flags }: Formatted & AddFlags) =>
      carry(format, async (context) => (await load()).addAgent(context, { known, program, ...flags })),
    );
  const proposals = () => import("./commands/proposals.ts");
  command("proposals", "the agents that this project proposes; none of them runs").action(({ format }: Formatted) =>
    carry(format, async (context) => (await proposals()).listProposals(context)),
  );
  command("accept", "take an agent that this project proposes into your own file, after you have seen it")
    .argument("<proposal>", "its name in the project")
    .option("--as <slug>", "another name for it")
    .option("--yes", "agree without being asked, to what is written")
    .action((name: string, { format, ...flags }: Formatted & { as?: string; yes?: boolean }) =>
      carry(format, async (context) => (await proposals()).acceptProposal(context, name, flags)),
    );
  command("rename", "give an agent another slug; sessions, answers and consent stay, and the old slug still names it")
    .argument("<agent>")
    .argument("<slug>")
    .option("--name <name>", "what people call it from now on")
    .action((agent: string, slug: string, { format, name }: Formatted & { name?: string }) =>
      carry(format, async (context) => (await load()).renameAgent(context, agent, { slug, ...(name ? { name } : {}) })),
    );
  command("remove", "remove an agent; what it said can still be viewed")
    .argument("<agent>")
    .action((agent: string, { format }: Formatted) =>
      carry(format, async (context) => (await load()).removeAgent(context, agent)),
    );
  command("doctor", "start an agent, see what it says of itself, and end it: no prompt is sent")
    .argument("<agent>")
    .action((agent: string, { format }: Formatted) =>
      carry(format, async (context) => (await load()).examineAgent(context, agent)),
    );
  command("login", "sign in to an agent, by a way that it offers; no prompt is sent")
    .argument("<agent>")
    .argument("[method]", "which way, by its id; else you are asked")
    .action((agent: string, method: string | undefined, { format }: Formatted) =>
      carry(format, async (context) => (await import("./commands/login.ts")).loginTo(context, agent, method)),
    );
  command("trust", "let an agent start in this directory without a question, as it is shown now")
    .argument("<agent>")
    .option("--yes", "agree without being asked, to what is written")
    .action((agent: string, { format, yes = false }: Formatted & { yes?: boolean }) =>
      carry(format, async (context) => (await load()).trustAgent(context, agent, yes)),
    );
  command("revoke", "have an agent ask again, in every directory or in one")
    .argument("<agent>")
    .argument("[directory]", "every one by default", folderPath)
    .action((agent: string, directory: string | undefined, { format }: Formatted) =>
      carry(format, async (context) => (await load()).revokeAgent(context, agent, directory)),
    );
  for (const [name, enabled] of [
    ["enable", true],
    ["disable", false],
  ] as const)
    command(name, enabled ? "let a disabled agent start again" : "keep an agent, and never start it")
      .argument("<agent>")
      .action((agent: string, { format }: Formatted) =>
        carry(format, async (context) => (await load()).enableAgent(context, agent, enabled)),
      );
}
