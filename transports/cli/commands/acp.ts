/** `troupe acp`: serves one editor on standard input and output until it hangs up. */
import type { Readable } from "node:stream";
import { ConfigFault, type OfferSettings, offerOf } from "../../acp/config.ts";
import { readStdin } from "../../acp/input.ts";
import { type Offer, PERMISSIVE } from "../../acp/offer.ts";
import { serveAcp } from "../../acp/stdio.ts";
import { type Inspected, type InspectFlags, inspectedBy } from "../../inspect/inspected.ts";
import { ServeFault } from "../../serve/fault.ts";
import { giveBack } from "../give-back.ts";
import type { Environment, TrustFlags } from "../io.ts";
import { reporterWith } from "../reporters.ts";
import { startedIn } from "../started-in.ts";
import { stopBetweenTurns } from "../suspend.ts";
import { version } from "../version.ts";

const FOR_EDITORS =
  "troupe: this is for an editor, which starts it and speaks the Agent Client Protocol on standard input: " +
  "docs/editors.md says how. To see it at work: troupe demo. To run a workflow here: troupe run <workflow>. " +
  "Ctrl-D ends it.";
/** How long, in milliseconds, a client that has hung up may take to read what is left for it. */
const LAST_WORDS_MS = 5_000;
const HANG_UP = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * The user's configuration and these flags say what is offered; a fault of them ends the start. `ephemeral`: sessions
 * last as long as the process.
 */
export async function acp(
  io: { env: Environment; err: (text: string) => void },
  {
    ephemeral = false,
    trustAgent = [],
    engine,
    workerTag,
    ...flags
  }: OfferSettings & InspectFlags & TrustFlags & { engine?: string; workerTag?: string } = {},
): Promise<number> {
  const { env: environment } = io;
  let offer: Offer;
  let inspected: Inspected | undefined;
  // Known once something was opened: nothing is asked before.
  let served: Offer["page"] = () => null;
  try {
    offer = { ...offerOf(environment, { ...flags, ephemeral }), page: () => served() };
    const log = (line: string): void => io.err(`troupe: ${line}\n`);
    const told = { environment, command: "troupe acp", isAnnounced: !ephemeral, asks: false, log };
    inspected = await inspectedBy(flags, told);
  } catch (error) {
    if (!(error instanceof ConfigFault || error instanceof ServeFault)) throw error;
    io.err(`troupe: ${error.code}: ${error.message}\n`);
    return 1;
  }
  if (offer.permissionMode === "permissive") io.err(`troupe: ${PERMISSIVE}\n`);
  if (process.stdin.isTTY) io.err(`${FOR_EDITORS}\n`);
  const likely = startedIn();
  let input: Readable | undefined;
  // Asked to end, it ends what it started first; asked twice, it ends at once.
  const hangUp = (): void => {
    for (const signal of HANG_UP) process.off(signal, hangUp);
    input?.destroy();
  };
  for (const signal of HANG_UP) process.on(signal, hangUp);
  await serveAcp({
    input: (take) => {
      input = readStdin(take);
      return input;
    },
    output: process.stdout,
    // What it does not read would keep the process for ever.
    onEnded: () => void setTimeout(() => process.exit(0), LAST_WORDS_MS).unref(),
    version,
    offer,
    environment,
    ...(likely === null ? {} : { likely }),
    open: async () => {
      const { createTroupe, engines, servedPage } = await import("../../../actors/troupe.ts");
      served = () => servedPage(environment);
      stopBetweenTurns();
      giveBack();
      const report = await reporterWith(environment);
      const troupe = await createTroupe({
        environment,
        ephemeral,
        trustAgents: trustAgent,
        ...(engine === undefined ? {} : { engine: (await engines()).engineOf(engine, environment, workerTag) }),
        ...(inspected === undefined ? {} : { inspect: inspected.inspect }),
        ...(report === undefined ? {} : { report }),
      });
      if (trustAgent.length > 0) {
        const { tellUnknownAgents } = await import("../trusted-agents.ts");
        await tellUnknownAgents(troupe, trustAgent, likely ?? "/", (line) => io.err(`troupe: ${line}\n`));
      }
      return troupe;
    },
  });
  await inspected?.end();
  return 0;
}
