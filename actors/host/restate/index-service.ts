/**
 * The index of an engine, as a worker serves it: sorted lists in shards, each an object of its own, and one object beside
 * them that knows the shards.
 *
 * I1. What sessions note comes as messages of the commits that caused it: it is taken once, in their order.
 * I2. A shard is known before it is first written to.
 * I3. Who reads does not stand behind who writes: a write that hangs, at a worker that has gone, holds up no list.
 */

import type { ObjectContext, ObjectSharedContext, VirtualObjectDefinition } from "@restatedev/restate-sdk";
import { randomWord } from "../../base/random.ts";
import type { Note, Shards } from "./protocol.ts";
import type { Sdk } from "./serving-host.ts";
import { type EntryPage, type PageAsked, type Put, pageOf, putAll } from "./sorted-list.ts";

/** The object that knows all shards. */
export const ALL_SHARDS = "all";
const KNOWN = "known";
const SHARDS = "shards";
const CURSOR_KEY = "cursor key";

export type IndexCalls = {
  put(ctx: ObjectContext, puts: Put[]): Promise<void>;
  know(ctx: ObjectContext, shard: string): Promise<void>;
  secret(ctx: ObjectContext): Promise<string>;
};

export function indexService(sdk: Sdk, name: string) {
  const { shared } = sdk.handlers.object; // I3
  const index: VirtualObjectDefinition<string, IndexCalls> = { name };
  return {
    put: async (ctx: ObjectContext, puts: Put[]): Promise<void> => {
      if ((await ctx.get<boolean>(KNOWN)) === null) {
        await ctx.objectClient(index, ALL_SHARDS).know(ctx.key); // I2
        ctx.set(KNOWN, true);
      }
      await putAll(shelfOf(ctx), puts);
    },
    page: shared(
      (ctx: ObjectSharedContext, asked: PageAsked): Promise<EntryPage | null> =>
        pageOf({ get: (key) => ctx.get(key) }, asked),
    ),
    know: async (ctx: ObjectContext, shard: string): Promise<void> => {
      const known = (await ctx.get<string[]>(SHARDS)) ?? [];
      if (!known.includes(shard)) ctx.set(SHARDS, [...known, shard]);
    },
    /** The key of cursors; made by who asks first. */
    secret: async (ctx: ObjectContext): Promise<string> => {
      const known = await ctx.get<string>(CURSOR_KEY);
      if (known !== null) return known;
      const made = await ctx.run("cursor key", () => randomWord(32, "hex"));
      ctx.set(CURSOR_KEY, made);
      return made;
    },
    shards: shared(async (ctx: ObjectSharedContext): Promise<Shards> => {
      const cursorKey = (await ctx.get<string>(CURSOR_KEY)) ?? (await ctx.objectClient(index, ALL_SHARDS).secret());
      return { shards: (await ctx.get<string[]>(SHARDS)) ?? [], cursorKey };
    }),
  };
}

/** Sends what a commit has noted, a message a shard. */
export function note(ctx: ObjectContext, name: string, notes: readonly Note[]): void {
  const index: VirtualObjectDefinition<string, IndexCalls> = { name };
  for (const [shard, of] of Map.groupBy(notes, (one) => one.shard))
    ctx.objectSendClient(index, shard).put(of.map(({ put }) => put));
}

const shelfOf = (ctx: ObjectContext) => ({
  get: <Value>(name: string): Promise<Value | null> => ctx.get<Value>(name),
  set: (name: string, value: unknown): void => ctx.set(name, value),
  clear: (name: string): void => ctx.clear(name),
});
