/**
 * Commands that reach sessions of an engine: each has the option `--engine`, and what it opens is opened there.
 *
 * I1. `TROUPE_ENGINE` stands for the option wherever a command has it; the option itself wins.
 * I2. Who has written the option and is told of a command that needs it too hears so once, at the end.
 */
import type { Command } from "commander";
import { engineOption, urlsOf, workerTagOption } from "./engine-options.ts";
import type { Io } from "./io.ts";

const VARIABLE = "TROUPE_ENGINE";
const REACHING: ReadonlySet<string> = new Set([
  ...["status", "history", "logs", "resume", "decide", "cancel", "tell", "rerun", "ui", "record", "export", "acp"],
]);
/** A command that reaches sessions, as words for people name it: `troupe resume <run>`. */
const NAMED = new RegExp(`\\btroupe (${[...REACHING].join("|")})\\b`);
const MAKING: ReadonlySet<string> = new Set(["run", "acp", "serve"]);

/** Where what a command opens is opened, once its command line is read. */
export class OnEngine {
  #engine: string | undefined;
  #workerTag: string | undefined;
  #isWritten = false;
  #hasNamed = false;

  /** Gives commands their option, and listens to it. Throws what the parser knows, where the variable holds no URL. */
  listen(program: Command, env: Io["env"]): void {
    const standing = env[VARIABLE] || undefined;
    for (const command of program.commands)
      if (REACHING.has(command.name())) command.addOption(engineOption("sessions live on an engine: docs/cluster.md"));
    for (const command of [...program.commands, ...program.commands.flatMap(({ commands }) => commands)])
      if (MAKING.has(command.name()) && command.options.some(({ long }) => long === "--engine"))
        command.addOption(workerTagOption());
    program.hook("preSubcommand", (_, command) => {
      if (standing !== undefined) stand(command, standing);
    });
    program.hook("preAction", (_, command) => {
      const { engine, workerTag } = command.optsWithGlobals<{ engine?: string; workerTag?: string }>();
      if (workerTag !== undefined && engine === undefined) command.error("error: --worker-tag needs --engine");
      this.#engine = engine;
      this.#isWritten = engine !== undefined && command.getOptionValueSourceWithGlobals("engine") === "cli";
      this.#workerTag = workerTag;
    });
  }

  /** The same, over sessions of the engine. */
  opening(io: Io): Io {
    const heard = (write: (text: string) => void) => (text: string) => {
      this.#hasNamed ||= this.#isWritten && NAMED.test(text);
      write(text);
    };
    return {
      ...io,
      out: heard((text) => io.out(text)),
      err: heard((text) => io.err(text)),
      open: (opening) => {
        if (this.#engine === undefined) return io.open(opening);
        const tag = this.#workerTag === undefined ? {} : { workerTag: this.#workerTag };
        return io.open({ engine: this.#engine, ...tag, ...opening });
      },
    };
  }

  /** I2. */
  remind(io: Io): void {
    if (this.#hasNamed) io.err(`troupe: add the same --engine to that, or set ${VARIABLE}\n`);
  }
}

/** What the variable says; ends the command where that is no URL. */
function standingUrls(command: Command, engine: string): string {
  try {
    return urlsOf(engine);
  } catch (error) {
    return command.error(`error: ${VARIABLE}: ${(error as Error).message}`);
  }
}

/** I1. */
function stand(command: Command, engine: string): void {
  for (const one of [command, ...command.commands])
    if (one.options.some(({ long }) => long === "--engine"))
      one.setOptionValueWithSource("engine", standingUrls(one, engine), "env");
}
