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
import { errorCommand, firstCommands } from "./first-options.ts";
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
 * The groups of the help, in the order and with the titles of docs/commands.md. The names are of the commands that may
 * stand alone (I1): `completion`, `complete` and `man` look at all. Each is called by name here, so that no module is
 * loaded before.
 */
const GROUPS: readonly (readonly [title: string, adding: readonly (readonly [names: string, add: Add])[]])[] = [
  [
    "Begin in a project",
    [
      ["init import doctor", (program, carry) => firstCommands(program, carry)],
      ["demo", (program, carry) => demoCommand(program, carry)],
    ],
  ],
  [
    "Look at workflows",
    [
      ["list ls", (program, carry) => listCommand(program, carry)],
      ["validate", (program, carry) => validateCommand(program, carry)],
      ["diagram schema", (program, carry) => pictureCommands(program, carry)],
      ["error", (program, carry) => errorCommand(program, carry)],
    ],
  ],
  [
    "Run",
    [
      ["run", (program, carry) => runCommand(program, carry)],
      ["resume", (program, carry) => resumeCommand(program, carry)],
      ["rerun", (program, carry) => rerunCommand(program, carry)],
      ["cancel", (program, carry) => cancelCommand(program, carry)],
      ["decide", (program, carry) => decideCommand(program, carry)],
      ["tell", (program, carry) => tellCommand(program, carry)],
    ],
  ],
  [
    "Look at runs",
    [
      ["history", (program, carry) => historyCommand(program, carry)],
      ["status logs ui inspect record export view", (program, carry) => lookCommands(program, carry)],
    ],
  ],
  [
    "Let others use it",
    [
      ["acp", (program, carry, io) => acpCommand(program, carry, io)],
      ["serve", (program, carry, io) => serveCommand(program.command("serve"), io, carry)],
      ["mcp", (program, carry) => mcpCommand(program, carry)],
      ["schedules", (program, carry) => schedulesCommand(program, carry)],
      ["engine worker", (program, carry) => engineCommands(program, carry)],
    ],
  ],
  [
    "Talk with agents",
    [
      ["agents", (program, carry) => agentsCommand(program, carry)],
      ["chat sessions", (program, carry) => chatCommands(program, carry)],
    ],
  ],
  [
    "Keep things in order",
    [
      ["trust", (program, carry) => trustCommand(program, carry)],
      ["worktrees", (program, carry) => worktreesCommand(program, carry)],
      ["pack", (program, carry) => packCommand(program, carry)],
      ["gc backup restore", (program, carry) => upkeepCommands(program, carry)],
    ],
  ],
];

/** `first`: the first word of the command line. */
export function addCommands(program: Command, first: string | undefined, carry: CarryOut, io: Io): void {
  const all = GROUPS.flatMap(([title, adding]) => adding.map(([names, add]) => ({ title, names, add })));
  const named = all.filter(({ names }) => first !== undefined && names.split(" ").includes(first));
  for (const { title, add } of named.length > 0 ? named : all) add(program.commandsGroup(`${title}:`), carry, io);
  program.commandsGroup(`${GROUPS[0]?.[0]}:`).helpCommand("help [command]", "what --help of a command says");
}
