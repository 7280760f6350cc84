/** The words of `troupe serve`, which is `troupe acp serve` too. */
import { type Command, InvalidArgumentError, Option } from "commander";
import type { OfferSettings as OfferFlags } from "../acp/config.ts";
import type { InspectFlags } from "../inspect/inspected.ts";
import type { McpServeFlags } from "../mcp/settings.ts";
import type { ServeFlags } from "../serve/config.ts";
import { LOG_FORMATS, LOG_LEVELS, type LogFlags } from "../serve/log.ts";
import { engineOption } from "./engine-options.ts";
import type { CarryOut, Io, TrustFlags } from "./io.ts";
import { mcpOptions } from "./mcp-options.ts";
import { collect, collectPairs } from "./options.ts";
import { trustAgentOption } from "./trust-options.ts";

const EXAMPLES = `
Examples:
  $ troupe serve               for this machine: ws://127.0.0.1:8900/acp
  $ troupe serve --open        and the page of runs in your browser
  $ troupe serve --schedules   and what you let start by itself starts
  $ troupe serve --allow-origin https://app.example   for that web page too
  $ troupe serve --listen 0.0.0.0:8900 --token-file ~/troupe.tokens \\
      --tls-cert c.pem --tls-key k.pem                for other machines`;

/** Of `troupe run` and `troupe acp` too. */
export const ephemeralOption = (): Option =>
  new Option("--ephemeral", "write nothing to the store: no history, and nothing to resume, once it has ended");
/** Of `troupe run` and `troupe acp` too. */
export const inspectOptions = (): Option[] => [
  new Option("--inspect", "let receivers of Stately's inspector look on: `troupe inspect` shows where"),
  new Option("--inspect-origin <origin>", "and one web page, of this origin"),
];
/** Of `troupe acp` too. */
export const profileOption = (): Option =>
  new Option("--profile <profile>", "how the protocol is spoken").choices(["acp", "ski"]);
export const permissionModeOption = (): Option =>
  new Option("--permission-mode <mode>", "whether a prompt runs once where its client cannot be asked").choices([
    "required",
    "permissive",
  ]);

export const permissionTimeoutOption = (): Option =>
  new Option("--permission-timeout-ms <ms>", "how long a prompt waits for consent to run").argParser((text) => {
    const ms = Number(text);
    if (!/^[0-9]+$/.test(text) || ms < 1 || ms > MOST_MS) throw new InvalidArgumentError(`expected 1 to ${MOST_MS}`);
    return ms;
  });
/** The longest that a timer can be set for. */
const MOST_MS = 2_147_483_647;

type CommandFlags = ServeFlags &
  OfferFlags &
  InspectFlags &
  McpServeFlags &
  TrustFlags &
  LogFlags & { ephemeral?: boolean; engine?: string; workerTag?: string } & {
    transport: "ws" | "stdio";
    open?: boolean;
    schedules?: boolean;
  };

/** What means nothing without a port. */
const OF_A_PORT = [
  ...["listen", "allowOrigin", "allowHost", "tokenFile", "requireToken", "tlsCert", "tlsKey", "insecureNoTls", "limit"],
  ...["open", "schedules", "logLevel", "logFormat"],
  ...["mcpTools", "mcpAllow", "mcpDeny", "mcpWait", "mcpAllowDecide"],
];

/** An option that would not be heeded is refused: who gave a token file believes that it is asked for. Throws USER.CLI.USAGE. */
async function refuseUnheeded(command: Command): Promise<void> {
  const [first] = command.options.filter(
    (option) =>
      OF_A_PORT.includes(option.attributeName()) && command.getOptionValueSource(option.attributeName()) === "cli",
  );
  if (first === undefined) return;
  const { usage } = await import("./failure.ts");
  throw usage(`${first.long} has no meaning with --transport stdio: leave one of them out`);
}

/** What whoever is served is offered, and what it may. */
export const offerOptions = (command: Command): Command =>
  command
    .addOption(ephemeralOption())
    .addOption(profileOption())
    .addOption(permissionModeOption())
    .addOption(permissionTimeoutOption())
    .addOption(trustAgentOption())
    .option("--config <file>", "what is offered, instead of acp.json in your configuration folder");

export function serveCommand(command: Command, io: Io, carry: CarryOut): void {
  command
    .description(
      "serve many clients: the Agent Client Protocol on a WebSocket (/, /acp), the page of runs, the API and MCP over HTTP",
    )
    .option("--listen <host:port>", "where; port 0 takes a free one", "127.0.0.1:8900")
    .option("--open", "open the page of runs in your browser")
    .option("--schedules", "start workflows by themselves that you have enabled: troupe schedules")
    .addOption(new Option("--log-level <level>", "how much the log says").choices(LOG_LEVELS).default("info"))
    .addOption(new Option("--log-format <format>", "how it says it").choices(LOG_FORMATS).default("text"));
  command
    .optionsGroup("Who may connect:")
    .option("--token-file <file>", 'who may connect: a line for each, "token" or "subject token"')
    .option("--require-token", "refuse to start without a token file")
    .addOption(
      new Option("--allow-origin <origin>", "a web page that may connect; repeat it for others")
        .argParser(collect)
        .default([], "none"),
    )
    .addOption(
      new Option("--allow-host <name>", "another name of this server; repeat it for others")
        .argParser(collect)
        .default([], "none"),
    )
    .option("--tls-cert <file>", "certificate, PEM")
    .option("--tls-key <file>", "its key, PEM")
    .option("--insecure-no-tls", "listen beyond this machine without TLS")
    .addOption(
      new Option("--limit <name=number>", "a limit of the server; repeat it for others")
        .argParser(collectPairs("--limit", "name=number"))
        .default({}, "see docs/serve.md"),
    );
  offerOptions(command.optionsGroup("What is served:"))
    .option("--default-workflow <workflow>", "what a prompt without a command runs")
    .addOption(
      new Option("--transport <transport>", "what carries the protocol").choices(["ws", "stdio"]).default("ws"),
    );
  command.optionsGroup("MCP:");
  for (const option of mcpOptions("--mcp-", "at /mcp: ")) command.addOption(option);
  command.optionsGroup("How it runs:");
  for (const option of inspectOptions()) command.addOption(option);
  command
    .addOption(engineOption("sessions live on an engine, and workers work for them: docs/cluster.md"))
    .addHelpText("after", EXAMPLES)
    .action((_: CommandFlags, self: Command) =>
      carry("text", async () => {
        // Of `troupe acp serve` the parser gives `acp` the options that it has too.
        const { transport, ...flags } = self.optsWithGlobals<CommandFlags>();
        if (transport === "ws") return (await import("./commands/serve.ts")).serve(io, flags);
        await refuseUnheeded(self);
        return (await import("./commands/acp.ts")).acp(io, flags);
      }),
    );
}
