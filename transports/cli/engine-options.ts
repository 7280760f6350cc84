/** What runs on more than one machine, on the command line: `engine`, `worker`, and the option of others. */
import { type Command, InvalidArgumentError, Option } from "commander";
import type { EngineFlags } from "./commands/engine.ts";
import type { WorkerFlags } from "./commands/worker.ts";
import type { CarryOut } from "./io.ts";
import { collect, type Format, formatOption, wholeNumber } from "./options.ts";

const EXAMPLES = `
Examples:
  $ troupe engine install         Restate's server and library, from npm
  $ troupe engine up              one node, for this machine alone
  $ troupe worker --engine http://127.0.0.1:8080          in another terminal
  $ troupe run demo --engine http://127.0.0.1:8080        in a third one
  $ troupe engine import --engine http://127.0.0.1:8080   moves your store there

Restate's server is under the Business Source License 1.1: docs/cluster.md says
what that means.`;

export const engineOption = (description: string): Option =>
  new Option("--engine <urls>", `${description}; several nodes with commas between them`).argParser(urlsOf);

/** Of commands that make sessions. */
export const workerTagOption = (): Option =>
  new Option("--worker-tag <tag>", "with --engine: only workers with this tag do the work").argParser(tagOf);

const adminOption = (): Option =>
  new Option("--admin <urls>", "the engine's admin interface; by default port 9070 beside its ingress").argParser(
    urlsOf,
  );
const MOVES = [
  ["import", "move the sessions of this machine's store into an engine; what stops it can be repeated"],
  ["export", "move the sessions of an engine into this machine's store; what stops it can be repeated"],
] as const;

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
    .description("run a node of an engine for this machine alone, until it is stopped: for development")
    .addOption(new Option("--port <number>", "of its ingress").argParser(wholeNumber).default(8080))
    .addOption(new Option("--admin-port <number>", "of its admin interface").argParser(wholeNumber).default(9070))
    .addOption(new Option("--node-port <number>", "for other nodes").argParser(wholeNumber).default(5122))
    .addOption(
      new Option("--cluster <ports>", "the node ports of all nodes of a cluster; the first one begins it").argParser(
        (text) => text.split(",").map((port) => wholeNumber(port)),
      ),
    )
    .option("--identity-key <file>", "its private key, Ed25519 in PEM: it signs its calls of workers")
    .option("--data <folder>", "where it keeps what it keeps")
    .action((flags: EngineFlags) =>
      carry("text", async ({ io }) => (await import("./commands/engine.ts")).up(io, flags)),
    );
  for (const [way, words] of MOVES)
    engine
      .command(way)
      .description(words)
      .addOption(engineOption("the engine's ingress").makeOptionMandatory())
      .addOption(adminOption())
      .addOption(formatOption())
      .action((flags: { engine: string; admin?: string; format: Format }) =>
        carry(flags.format, async (context) => (await import("./commands/engine.ts")).move(context, way, flags)),
      );
  program
    .command("worker")
    .description("take events of sessions from an engine, and do their work here, until it is stopped")
    .addOption(engineOption("the engine's ingress").makeOptionMandatory())
    .addOption(adminOption())
    .option(
      "--listen <host:port>",
      "where the engine calls it; workers of one machine share the port; 127.0.0.1:9080 where it has no --tag",
    )
    .addOption(
      new Option("--uri <url>", "how the engine reaches --listen, the same for all workers").argParser((text) =>
        urlOf(text),
      ),
    )
    .addOption(
      new Option(
        "--identity-key <key>",
        "a public key of the engine: calls that it has not signed are refused; repeat it",
      )
        .argParser(collect)
        .default([], "none"),
    )
    .addOption(
      new Option("--tag <tag>", "do only work of sessions that ask for this tag, at a --listen of its own; repeat it")
        .argParser((text: string, before: string[]) => [...before, tagOf(text)])
        .default([], "none"),
    )
    .option("--live <host:port>", "where gateways follow what agents say, word by word", "127.0.0.1:0")
    .addOption(new Option("--live-uri <url>", "how they reach --live, if not there").argParser((text) => urlOf(text)))
    .option("--no-live", "what agents say is seen when it is kept, four times a second")
    .action((flags: WorkerFlags) =>
      carry("text", async ({ io }) => (await import("./commands/worker.ts")).worker(io, flags)),
    );
}

/** A part of a service's name. */
function tagOf(text: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9_-]{0,62}$/.test(text)) return text;
  throw new InvalidArgumentError("expected letters, digits, - and _, at most 63");
}

export const urlsOf = (text: string): string => text.split(",").map(urlOf).join(",");

function urlOf(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) throw new InvalidArgumentError("expected an http or https URL");
  if (url.username !== "" || url.password !== "") throw new InvalidArgumentError("expected a URL without a password");
  return url.href.replace(/\/+$/, "");
}
