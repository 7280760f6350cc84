/** The words of `troupe mcp`. */
import { type Command, InvalidArgumentError, Option } from "commander";
import { type McpFlags, TOOL_GROUPS, type ToolGroup, WAIT_S } from "../mcp/settings.ts";
import type { CarryOut } from "./io.ts";
import { collect, folderPath } from "./options.ts";

const EXAMPLES = `
Examples:
  $ claude mcp add troupe -- troupe mcp   for Claude Code; more in docs/mcp.md
  $ troupe mcp --allow 'release/*' --tools workflows   some workflows alone
  $ TROUPE_INPUT_API_TOKEN=… troupe mcp   a secret input, which no model sees`;
const MOST_WAIT_S = 86_400;

export function mcpCommand(program: Command, carry: CarryOut): void {
  const command = program
    .command("mcp")
    .description("serve an MCP host: the workflows of a trusted directory as tools, on standard input and output");
  for (const option of mcpOptions("--", "")) command.addOption(option);
  command
    .option("--cwd <directory>", "whose workflows, instead of the one where it is started", folderPath)
    .addHelpText("after", EXAMPLES)
    .action((flags: McpFlags) => carry("text", async ({ io }) => (await import("./commands/mcp.ts")).mcp(io, flags)));
}

/** Of `troupe serve` too, with a prefix. `at`: said before each. */
export const mcpOptions = (prefix: "--" | "--mcp-", at: string): Option[] => [
  new Option(`${prefix}tools <groups>`, `${at}which tools: ${TOOL_GROUPS.join(", ")}`)
    .argParser(groupsOf)
    .default(["workflows", "runs"], "workflows,runs"),
  new Option(`${prefix}allow <glob>`, `${at}only workflows of such names; repeat it for others`)
    .argParser(collect)
    .default([], "all"),
  new Option(`${prefix}deny <glob>`, `${at}no workflows of such names; repeat it for others`)
    .argParser(collect)
    .default([], "none"),
  new Option(`${prefix}wait <seconds>`, `${at}how long a call waits for the end of its run`)
    .argParser(secondsOf)
    .default(WAIT_S),
  new Option(`${prefix}allow-decide`, `${at}the host may decide permissions itself, without a person`),
];

function groupsOf(text: string): readonly ToolGroup[] {
  const groups = text.split(",").map((name) => name.trim());
  const isGroup = (name: string): name is ToolGroup => (TOOL_GROUPS as readonly string[]).includes(name);
  if (groups.every(isGroup)) return groups;
  throw new InvalidArgumentError(`Expected some of ${TOOL_GROUPS.join(", ")}, with commas.`);
}

function secondsOf(text: string): number {
  const seconds = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && seconds <= MOST_WAIT_S) return seconds;
  throw new InvalidArgumentError(`Expected seconds, from 0 to ${MOST_WAIT_S}.`);
}
