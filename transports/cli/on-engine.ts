/**
 * Commands that reach sessions of an engine: each has the option `--engine`, and what it opens is opened there.
 *
 * I1. `TROUPE_ENGINE` stands for the option wherever a command has it; the option itself wins.
 */
import type { Command } from "commander";
import { engineOption, urlsOf } from "./engine-options.ts";
import type { Io } from "./io.ts";

const VARIABLE = "TROUPE_ENGINE";
const REACHING: ReadonlySet<string> = new Set([
  ...["status", "history", "logs", "resume", "decide", "tell", "rerun", "ui", "record", "export", "acp"],
]);

/** Where what a command opens is opened, once its command line is read. */
export class OnEngine {
  #engine: string | undefined;

  /** Gives commands their option, and listens to it. Throws what the parser knows, where the variable holds no URL. */
  listen(program: Command, env: Io["env"]): void {
    const standing = env[VARIABLE] || undefined;
    for (const command of program.commands)
      if (REACHING.has(command.name())) command.addOption(engineOption("sessions live on an engine: docs/cluster.md"));
    program.hook("preSubcommand", (_, command) => {
      if (standing !== undefined) stand(command, standing);
    });
    program.hook("preAction", (_, command) => {
      this.#engine = command.optsWithGlobals<{ engine?: string }>().engine;
    });
  }

  /** The same, over sessions of the engine. */
  opening(io: Io): Io {
    return {
      ...io,
      open: (opening) => io.open(this.#engine === undefined ? opening : { engine: this.#engine, ...opening }),
    };
  }
}

/** I1. */
function stand(command: Command, engine: string): void {
  for (const one of [command, ...command.commands])
    if (one.options.some(({ long }) => long === "--engine"))
      one.setOptionValueWithSource("engine", urlsOf(engine), "env");
}
