/**
 * What has happened to a session since a commit, and who waits for the next one.
 *
 * I1. A commit answers all who wait for it.
 * I2. Who waits again is kept once, in place of its last time: a session that is only read along stays as small as it is.
 */
import type { ObjectContext, ObjectSharedContext } from "@restatedev/restate-sdk";
import { COMMIT, VERSION, WAITING } from "./keys.ts";
import { type Commit, KEPT_COMMITS, NEWS_SECONDS, type News, type SinceAsked, type Version } from "./protocol.ts";
import type { Sdk, ServingHost } from "./serving-host.ts";

/** The library counts what is awaited: several at once are awaited by its own means. */
export type All = <T extends readonly unknown[]>(promises: { [I in keyof T]: Promise<T[I]> }) => Promise<T>;
/** `id`: of the awakeable that wakes it. */
export type NewsWaiter = { id: string; after: number; by?: string };
type Host = Pick<ServingHost, "delay"> & {
  all: All;
  self(ctx: ObjectSharedContext): { wait(waiting: NewsWaiter): unknown };
};

/** The handlers of a session that say what is new. */
export function newsOf(sdk: Sdk, { all, delay, self }: Host) {
  const wait = async (ctx: ObjectContext, waiting: NewsWaiter): Promise<void> => {
    const { id, after } = waiting;
    const version = await ctx.get<Version>(VERSION);
    if (version === null || version.n > after) return ctx.resolveAwakeable(id, version?.n ?? 0);
    ctx.set(WAITING, withWaiting((await ctx.get<NewsWaiter[]>(WAITING)) ?? [], waiting));
  };

  const since = async (ctx: ObjectSharedContext, asked: SinceAsked): Promise<News> => {
    const { after, waits, seconds = NEWS_SECONDS, by } = asked;
    const version = await ctx.get<Version>(VERSION);
    if (version === null) return null;
    if (version.n > after) return await commitsAfter(ctx, all, { n: version.n, after });
    if (waits) {
      const { id, promise } = ctx.awakeable<number>();
      self(ctx).wait(by === undefined ? { id, after } : { id, after, by });
      const n = await promise.orTimeout(delay(seconds * 1_000)).catch((error: unknown) => {
        if (!(error instanceof sdk.TimeoutError)) throw error;
        return after;
      });
      if (n > after) return await commitsAfter(ctx, all, { n, after });
    }
    return { n: after, commits: [] };
  };

  return { wait, since };
}

/** I2. */
export const withWaiting = (known: readonly NewsWaiter[], waiting: NewsWaiter): NewsWaiter[] => [
  ...known.filter(({ by }) => by === undefined || by !== waiting.by),
  waiting,
];

async function commitsAfter(
  ctx: ObjectSharedContext,
  all: All,
  { n, after }: { n: number; after: number },
): Promise<News> {
  if (n - after > KEPT_COMMITS) return { n, whole: true };
  const asked = Array.from({ length: n - after }, (_, i) => ctx.get<Commit>(COMMIT + (after + 1 + i)));
  const commits = await all(asked);
  const found = commits.filter((commit) => commit !== null);
  return found.length === commits.length ? { n, commits: found } : { n, whole: true };
}
