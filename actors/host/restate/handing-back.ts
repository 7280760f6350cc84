/**
 * Work that a worker cannot do for now, and has not begun, is asked for anew: by a call of its own, later, of whichever
 * worker is there then. Its session is told that it waits.
 */
import type { Context, ServiceDefinition } from "@restatedev/restate-sdk";
import { taggedWork, type WorkStart } from "./protocol.ts";
import type { Sdk, ServingHost } from "./serving-host.ts";

const FIRST_MS = 2_000;
const LONGEST_MS = 60_000;
type Calls = { carry(ctx: Context, start: WorkStart): Promise<void> };

type HandingBack = {
  /** The service of work without a tag. */
  work: string;
  /** Tells the session that a piece of its work waits. */
  say(ctx: Context, start: WorkStart, words: string): void;
  delay: ServingHost["delay"];
};

export const handBack =
  (sdk: Sdk, { work, say, delay }: HandingBack) =>
  (ctx: Context, start: WorkStart, words: string): void => {
    const { tag, handedBack = 0 } = start;
    say(ctx, start, words);
    const service: ServiceDefinition<string, Calls> = { name: tag === undefined ? work : taggedWork(work, tag) };
    const later = delay(Math.min(FIRST_MS * 2 ** handedBack, LONGEST_MS));
    ctx.serviceSendClient(service).carry({ ...start, handedBack: handedBack + 1 }, sdk.rpc.sendOpts({ delay: later }));
  };
