/**
 * All commands, each by the function that adds it.
 *
 * I1. Of a command line whose first word is a command that needs no other one, only what adds that one is called: all of
 *     them take longer than many a command. What it says of itself is the same.
 */
import type { Command } from "commander";
import { acpCommand, demoCommand } from "./acp-options.ts";
import { agentsCommand } from "./agents-options.ts";
import { cancelCommand } from "./cancel-options.ts";
import { chatCommands } from "./chat-options.ts";
import { decideCommand } from "./decide-options.ts";
import { engineCommands } from "./engine-options.ts";
import { firstCommands } from "./first-options.ts";
import type { CarryOut, Io } from "./io.ts";
import { historyCommand, listCommand } from "./list-options.ts";
import { lookCommands } from "./look-options.ts";
import { mcpCommand } from "./mcp-options.ts";
import { packCommand } from "./pack-options.ts";
import { pictureCommands } from "./picture-options.ts";
import { rerunCommand } from "./rerun-options.ts";
import { resumeCommand } from "./resume-options.ts";
import { runCommand } from "./run-options.ts";
import { schedulesCommand } from "./schedules-options.ts";
import { serveCommand } from "./serve-options.ts";
import { tellCommand } from "./tell-options.ts";
import { trustCommand } from "./trust-options.ts";
import { upkeepCommands } from "./upkeep-options.ts";
import { validateCommand } from "./validate-options.ts";
import { worktreesCommand } from "./worktrees-options.ts";

type Add = (program: Command, carry: CarryOut, io: Io) => void;

/**
 * In the order of the help. The names are of those that may stand alone (I1): `completion`, `complete` and `man` look at
 * all. Each is called by name here, so that no module is loaded before.
 */
const ADDING: readonly (readonly [names: string, add: Add])[] = [
  ["init import doctor error", (program, carry) => firstCommands(program, carry)],
  ["gc backup restore", (program, carry) => upkeepCommands(program, carry)],
  ["run", (program, carry) => runCommand(program, carry)],
  ["list ls", (program, carry) => listCommand(program, carry)],
  ["status logs ui inspect record export view", (program, carry) => lookCommands(program, carry)],
  ["history", (program, carry) => historyCommand(program, carry)],
  ["resume", (program, carry) => resumeCommand(program, carry)],
  ["decide", (program, carry) => decideCommand(program, carry)],
  ["cancel", (program, carry) => cancelCommand(program, carry)],
  ["tell", (program, carry) => tellCommand(program, carry)],
  ["rerun", (program, carry) => rerunCommand(program, carry)],
  ["trust", (program, carry) => trustCommand(program, carry)],
  ["agents", (program, carry) => agentsCommand(program, carry)],
  ["chat sessions", (program, carry) => chatCommands(program, carry)],
  ["pack", (program, carry) => packCommand(program, carry)],
  ["worktrees", (program, carry) => worktreesCommand(program, carry)],
  ["schedules", (program, carry) => schedulesCommand(program, carry)],
  ["engine worker", (program, carry) => engineCommands(program, carry)],
  ["validate", (program, carry) => validateCommand(program, carry)],
  ["diagram schema", (program, carry) => pictureCommands(program, carry)],
  ["demo", (program, carry) => demoCommand(program, carry)],
  ["acp", (program, carry, io) => acpCommand(program, carry, io)],
  ["mcp", (program, carry) => mcpCommand(program, carry)],
  ["serve", (program, carry, io) => serveCommand(program.command("serve"), io, carry)],
];

/** `first`: the first word of the command line. */
export function addCommands(program: Command, first: string | undefined, carry: CarryOut, io: Io): void {
  const named = ADDING.filter(([names]) => first !== undefined && names.split(" ").includes(first));
  for (const [, add] of named.length > 0 ? named : ADDING) add(program, carry, io);
}
