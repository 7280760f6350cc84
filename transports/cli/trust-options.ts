/** `troupe trust` on the command line. */
import { type Command, Option } from "commander";
import type { CarryOut } from "./io.ts";
import { FORMATS, type Format, folderPath } from "./options.ts";

/** Agents that start without a question, this time. */
export const trustAgentOption = (): Option =>
  new Option("--trust-agent <agent>", "start this agent of yours without asking; repeat it for others")
    .argParser((agent: string, all: readonly string[]) => [...all, agent])
    .default([], "none");

export function trustCommand(program: Command, carry: CarryOut): void {
  const trust = program
    .command("trust")
    .description("what runs without a question: directories, agents, calls of tools");
  const command = (name: string, description: string): Command =>
    trust
      .command(name)
      .description(description)
      .addOption(
        new Option("--format <format>", "text for people, json for programs").choices(FORMATS).default("text"),
      );
  command("list", "what is trusted, latest first").action(({ format }: { format: Format }) =>
    carry(format, async (context) => (await import("./commands/trust.ts")).listTrust(context)),
  );
  command("add", "trust a directory and all below it, without running anything")
    .argument("[directory]", "the current one by default", folderPath)
    .action((directory: string | undefined, { format }: { format: Format }) =>
      carry(format, async (context) => (await import("./commands/trust.ts")).addTrust(context, directory ?? ".")),
    );
  command("revoke", "take the trust in a directory back")
    .argument("<directory>", "as it is listed, or a path to it", folderPath)
    .action((directory: string, { format }: { format: Format }) =>
      carry(format, async (context) => (await import("./commands/trust.ts")).revokeTrust(context, directory)),
    );
  command("forget", "take back what was answered for good about calls of tools")
    .argument("<answer>", "an answer as it is listed, or an agent: all about it")
    .action((answer: string, { format }: { format: Format }) =>
      carry(format, async (context) => (await import("./commands/trust.ts")).forgetAnswers(context, answer)),
    );
}
