/**
 * How work with a tag reaches a worker that has the tag.
 *
 * I1. It is handed on by a call of its own: a tag that no worker has holds up no event of the session.
 * I2. Where no worker with the tag answers, the session is told so; the work goes on when one comes.
 */
import type { Context, ServiceDefinition } from "@restatedev/restate-sdk";
import { TroupeError } from "../../errors/troupe-error.ts";
import { taggedWork, type WorkStart } from "./protocol.ts";
import type { Sdk, ServingHost } from "./serving-host.ts";

/** A worker that is there answers in milliseconds. */
const ANSWER_MS = 5_000;
type TaggedCalls = { carry(ctx: Context, start: WorkStart): Promise<void>; ping(ctx: Context): Promise<void> };
export type PlacingHost = {
  /** The service of work without a tag. */
  work: string;
  /** Whether the engine knows a service. */
  isServed(service: string): Promise<boolean>;
  /** Tells the session that a piece of its work waits. */
  say(ctx: Context, start: WorkStart, words: string): void;
  delay: ServingHost["delay"];
};

export const placing =
  (sdk: Sdk, { work, isServed, say, delay }: PlacingHost) =>
  async (ctx: Context, start: WorkStart): Promise<void> => {
    const { tag = "" } = start;
    const tagged: ServiceDefinition<string, TaggedCalls> = { name: taggedWork(work, tag) };
    const words = `no worker with the tag "${tag}" answers: this goes on when one comes (troupe worker --tag ${tag})`;
    if (!(await ctx.run("look", () => isServed(tagged.name)))) {
      say(ctx, start, words);
      // The engine takes no call of a service that it has never met: it is asked again until it has.
      await ctx.run("wait", async () => {
        if (!(await isServed(tagged.name))) throw new TroupeError("SYSTEM.ENGINE.NO_WORKER", words);
      });
    }
    ctx.serviceSendClient(tagged).carry(start);
    await ctx
      .serviceClient(tagged)
      .ping()
      .orTimeout(delay(ANSWER_MS))
      .catch((error: unknown) => {
        if (!(error instanceof sdk.TimeoutError)) throw error;
        say(ctx, start, words); // I2
      });
  };
