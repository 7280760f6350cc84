/** What runs on more than one machine, on the command line: `engine`, `worker`, and the option of others. */
import { type Command, InvalidArgumentError, Option } from "commander";
import type { CarryOut } from "./io.ts";
import { wholeNumber } from "./options.ts";

const EXAMPLES = `
Examples:
  $ troupe engine install                                  Restate's server and library, from npm
  $ troupe engine up                                       one node, for this machine alone
  $ troupe worker --engine http://127.0.0.1:8080           in another terminal, or several
  $ troupe run demo --engine http://127.0.0.1:8080

Restate's server is under the Business Source License 1.1: docs/cluster.md says what that means.`;

export const engineOption = (description: string): Option =>
  new Option("--engine <url>", description).argParser((text) => urlOf(text));

export function engineCommands(program: Command, carry: CarryOut): void {
  const engine = program
    .command("engine")
    .description("the engine that workflows run on where one machine is not enough")
    .addHelpText("after", EXAMPLES);
  engine
    .command("install")
    .description("fetch Restate's server and library from npm, about 225 MB")
    .action(() => carry("text", async ({ io }) => (await import("./commands/engine.ts")).install(io)));
  engine
    .command("up")
    .description("run an engine of one node for this machine alone, until it is stopped: for development")
    .addOption(new Option("--port <number>", "of its ingress").argParser(wholeNumber).default(8080))
    .addOption(new Option("--admin-port <number>", "of its admin interface").argParser(wholeNumber).default(9070))
    .addOption(new Option("--node-port <number>", "for other nodes").argParser(wholeNumber).default(5122))
    .option("--data <folder>", "where it keeps what it keeps")
    .action((flags: { port: number; adminPort: number; nodePort: number; data?: string }) =>
      carry("text", async ({ io }) => (await import("./commands/engine.ts")).up(io, flags)),
    );
  program
    .command("worker")
    .description("take events of sessions from an engine, and do their work here, until it is stopped")
    .addOption(engineOption("the engine's ingress").makeOptionMandatory())
    .addOption(
      new Option("--admin <url>", "the engine's admin interface; by default port 9070 beside its ingress").argParser(
        (text) => urlOf(text),
      ),
    )
    .option(
      "--listen <host:port>",
      "where the engine calls it; workers of one machine share the port",
      "127.0.0.1:9080",
    )
    .addOption(
      new Option("--uri <url>", "how the engine reaches --listen, the same for all workers").argParser((text) =>
        urlOf(text),
      ),
    )
    .action((flags: { engine: string; admin?: string; listen: string; uri?: string }) =>
      carry("text", async ({ io }) => (await import("./commands/worker.ts")).worker(io, flags)),
    );
}

function urlOf(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) throw new InvalidArgumentError("expected an http or https URL");
  if (url.username !== "" || url.password !== "") throw new InvalidArgumentError("expected a URL without a password");
  return url.href.replace(/\/+$/, "");
}
