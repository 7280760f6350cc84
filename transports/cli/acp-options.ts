/** What serves an editor, on the command line: `acp` with all below it, and `demo`, which drives it. */
import { type Command, Option } from "commander";
import type { OfferSettings as OfferFlags } from "../acp/config.ts";
import type { InspectFlags } from "../inspect/inspected.ts";
import { connectCommand } from "./connect-options.ts";
import type { CarryOut, Io, TrustFlags } from "./io.ts";
import { FORMATS, type Format } from "./options.ts";
import { inspectOptions, offerOptions, serveCommand } from "./serve-options.ts";

export function demoCommand(program: Command, carry: CarryOut): void {
  program
    .command("demo")
    .description("a shipped workflow as an editor would show it: one process drives `troupe acp` in another")
    .addOption(
      new Option("--format <format>", "text, or what the editor gets as lines of JSON")
        .choices(FORMATS)
        .default("text"),
    )
    .action(({ format }: { format: Format }) =>
      carry(format, async (context) => (await import("../demo/demo.ts")).demo(context)),
    );
}

export function acpCommand(program: Command, carry: CarryOut, io: Io): void {
  const acp = program
    .command("acp")
    .description("serve an editor: the Agent Client Protocol on standard input and output")
    .enablePositionalOptions();
  offerOptions(acp)
    .option("--agent-auth", "offers your agents' own sign-in, to clients that want a way to authenticate")
    .action((flags: OfferFlags & InspectFlags & TrustFlags & { engine?: string; workerTag?: string }) =>
      carry("text", async () => (await import("./commands/acp.ts")).acp(io, flags)),
    );
  for (const option of inspectOptions()) acp.addOption(option);
  connectCommand(acp.command("connect"), carry);
  serveCommand(acp.command("serve"), io, carry);
}
