/**
 * What a worker does for the engine: takes the events of sessions, answers who follows them, and works.
 *
 * I1. What an event comes to is journaled before any of it is written: a retry, here or elsewhere, writes the same.
 * I2. What a handler asks of the engine, and in which order, follows from its journal alone, and stays between versions:
 *     another process, also of another version, continues what this one began.
 * I3. A session's version is written last: who reads it finds all commits up to it.
 * I4. Work is begun once. Who is called for work that another process has begun, says that it was cut off.
 * I5. Work that a newer Troupe has asked for waits for a worker that knows it; work that needs a folder or a secret
 *     that is not here, for one that has it.
 */
import type { Context, ObjectContext, ServiceDefinition, VirtualObjectDefinition } from "@restatedev/restate-sdk";
import type { Key } from "../../../machines/model.ts";
import type { LogRow } from "../memory/tables.ts";
import { handBack } from "./handing-back.ts";
import { indexService, note } from "./index-service.ts";
import { COMMIT, LOG, ROW, VERSION, WAITING } from "./keys.ts";
import { forgetting, isNoted } from "./listing.ts";
import { adopt, originOf } from "./moving.ts";
import { type All, type NewsWaiter, newsOf } from "./news.ts";
import { pieceChanges, pieceReads } from "./pieces-service.ts";
import { placing } from "./placing.ts";
import {
  type Commit,
  KEPT_COMMITS,
  type NamedRow,
  type Outcome,
  type Part,
  type Post,
  type Posted,
  type Talk,
  type TimerSet,
  taggedWork,
  type Version,
  type Whole,
  type WorkStart,
} from "./protocol.ts";
import type { Carried, Sdk, ServingHost } from "./serving-host.ts";
import { Taking } from "./taking.ts";
import { newer } from "./versions.ts";

/** What cannot go on here goes on when a worker comes that can: nothing is put aside until a person looks. */
const PATIENT = { initialInterval: 500, maxInterval: 5_000, maxAttempts: 1_000_000 } as const;
const OPTIONS = {
  ...{ enableLazyState: true, journalRetention: 0, idempotencyRetention: { minutes: 10 } },
  retryPolicy: PATIENT,
} as const;
const WORK_OPTIONS = {
  ...{ journalRetention: 0, inactivityTimeout: { days: 7 }, abortTimeout: { days: 7 } },
  retryPolicy: PATIENT,
} as const;

/** What services call of each other. */
type SessionCalls = {
  deliver(ctx: ObjectContext, post: Post): Promise<Posted>;
  wait(ctx: ObjectContext, waiting: NewsWaiter): Promise<void>;
};
type WorkCalls = { [call in "carry" | "place"]: (ctx: Context, start: WorkStart) => Promise<void> };
type TalkCalls = { forget(ctx: ObjectContext): Promise<void> };

/** `tags`: the worker does work with one of them and nothing else. `isServed`: whether the engine knows a service. */
type Serves = { tags?: readonly string[]; isServed(service: string): Promise<boolean> };

export function servicesFor(sdk: Sdk, host: ServingHost, { tags = [], isServed }: Serves) {
  const { services } = host;
  const sessions: VirtualObjectDefinition<string, SessionCalls> = { name: services.session };
  const works: ServiceDefinition<string, WorkCalls> = { name: services.work };
  const pieces: VirtualObjectDefinition<string, TalkCalls> = { name: services.piece };
  const talks: VirtualObjectDefinition<string, TalkCalls> = { name: services.talk };
  const all = ((promises) => sdk.RestatePromise.all(promises as never)) as All;
  const taking = new Taking(sdk, host);
  const callOf = (ctx: Context, key: string) => ctx.objectSendClient(sessions, key);
  const say = (ctx: Context, { key, id, nonce, session }: WorkStart, words: string): void =>
    void callOf(ctx, session).deliver({ is: "waits", which: { key, id, nonce }, words });
  const again = handBack(sdk, { work: services.work, say, delay: host.delay });

  const { wait, since } = newsOf(sdk, { all, delay: host.delay, self: (ctx) => callOf(ctx, ctx.key) });

  const arm = (ctx: ObjectContext, { delayMs, ...due }: TimerSet): void => {
    callOf(ctx, ctx.key).deliver({ is: "due", ...due }, sdk.rpc.sendOpts({ delay: host.delay(delayMs) }));
  };

  const deliver = async (ctx: ObjectContext, post: Post): Promise<Posted> => {
    const [version, waiting] = await all([ctx.get<Version>(VERSION), ctx.get<NewsWaiter[]>(WAITING)]);
    const outcome = await taking.take(ctx, { post, version, rows: () => rowsOf(ctx, all) });
    const { n, rows, log, reply } = outcome;
    const isChanged = n !== (version?.n ?? 0);
    note(ctx, services.index, outcome.notes);
    if (isChanged) write(ctx, outcome, waiting);
    for (const start of outcome.starts)
      if (start.tag === undefined) ctx.serviceSendClient(works).carry(start);
      else ctx.serviceSendClient(works).place(start);
    for (const timer of outcome.timers) arm(ctx, timer);
    return { ...reply, commit: isChanged ? { n, rows, log } : null };
  };

  const whole = async (ctx: ObjectContext): Promise<Whole> => {
    const version = await ctx.get<Version>(VERSION);
    if (version === null) return null;
    const names = (await ctx.stateKeys()).filter((name) => name.startsWith(LOG)).sort();
    const pages = await all(names.map((name) => ctx.get<LogRow[]>(name)));
    return { n: version.n, rows: await rowsOf(ctx, all), log: pages.flatMap((page) => page ?? []) };
  };

  /** `only`: the one version that may go. */
  const remove = async (ctx: ObjectContext, only?: number): Promise<"removed" | "running"> => {
    if (only !== undefined && (await ctx.get<Version>(VERSION))?.n !== only) return "running";
    const row = await ctx.get<string>(`${ROW}session`);
    if (row !== null && (JSON.parse(row) as { owner: string | null }).owner !== null) return "running";
    for (const { id } of (await ctx.get<NewsWaiter[]>(WAITING)) ?? []) ctx.resolveAwakeable(id, 0);
    taking.forget(ctx.key as Key);
    const noted = (await rowsOf(ctx, all)).filter(([name]) => isNoted(name));
    const { n = 0 } = (await ctx.get<Version>(VERSION)) ?? {};
    note(ctx, services.index, forgetting(noted, n + 1));
    ctx.clearAll();
    for (const kept of [talks, pieces]) ctx.objectSendClient(kept, ctx.key).forget();
    return "removed";
  };

  const carry = async (ctx: Context, start: WorkStart): Promise<void> => {
    const unknown = host.unknown(start);
    if (unknown !== null) throw newer(unknown); // I5
    const begunBy = await ctx.run("begin", () => host.begins(start));
    const { key, id, nonce, session } = start;
    const which = { key, id, nonce };
    const ended = ctx.request().attemptCompletedSignal;
    // One entry of the journal, whichever it is: a retry asks for what the first try has asked for.
    const carried = await ctx.run("work", async (): Promise<Carried> => {
      return begunBy === host.self ? await host.carry(start, ended) : host.cutOff(start);
    });
    if (carried !== null && "waits" in carried) again(ctx, start, carried.waits);
    else if (carried !== null) callOf(ctx, session).deliver({ is: "work", which, ...carried });
    host.carried(start);
  };

  const talk = {
    read: async (ctx: ObjectContext, conversation: string): Promise<string[]> =>
      (await ctx.get<string[]>(conversation)) ?? [],
    add: async (ctx: ObjectContext, { conversation, messages }: Talk): Promise<void> =>
      ctx.set(conversation, [...((await ctx.get<string[]>(conversation)) ?? []), ...messages]),
    /** In place of what is there. */
    put: async (ctx: ObjectContext, { conversation, messages }: Talk): Promise<void> => ctx.set(conversation, messages),
    all: async (ctx: ObjectContext): Promise<Talk[]> => {
      const names = await ctx.stateKeys();
      const talks = await all(names.map((name) => ctx.get<string[]>(name)));
      return names.map((conversation, i) => ({ conversation, messages: talks[i] ?? [] }));
    },
    forget: async (ctx: ObjectContext): Promise<void> => ctx.clearAll(),
  };

  const place = placing(sdk, { work: services.work, isServed, say, delay: host.delay });
  if (tags.length > 0)
    return tags.map((tag) =>
      sdk.service({
        name: taggedWork(services.work, tag),
        handlers: { carry, ping: async () => undefined },
        options: WORK_OPTIONS,
      }),
    );

  const { shared } = sdk.handlers.object;
  return [
    sdk.object({
      name: services.session,
      handlers: {
        ...{ deliver, wait, whole, remove, since: shared(since), origin: shared(originOf) },
        adopt: (ctx: ObjectContext, part: Part) =>
          adopt(ctx, part, {
            arm: (timer) => arm(ctx, timer),
            note: (notes) => note(ctx, services.index, notes),
          }),
      },
      options: OPTIONS,
    }),
    sdk.object({ name: services.index, handlers: indexService(sdk, services.index), options: OPTIONS }),
    sdk.object({
      name: services.piece,
      handlers: { ...pieceChanges, pieces: shared(pieceReads.pieces), part: shared(pieceReads.part) },
      options: OPTIONS,
    }),
    sdk.object({ name: services.talk, handlers: talk, options: OPTIONS }),
    sdk.service({ name: services.work, handlers: { carry, place }, options: WORK_OPTIONS }),
  ];
}

/** I3. */
function write(ctx: ObjectContext, outcome: Outcome, waiting: NewsWaiter[] | null): void {
  const { n, rows, log, version } = outcome;
  for (const [name, row] of rows)
    if (row === null) ctx.clear(ROW + name);
    else ctx.set(ROW + name, row);
  if (log.length > 0) ctx.set(LOG + String(n).padStart(12, "0"), log);
  ctx.set(COMMIT + n, { n, rows, log } satisfies Commit);
  if (n > KEPT_COMMITS) ctx.clear(COMMIT + (n - KEPT_COMMITS));
  ctx.set(VERSION, version);
  for (const { id } of waiting ?? []) ctx.resolveAwakeable(id, n);
  if (waiting !== null) ctx.clear(WAITING);
}

async function rowsOf(ctx: ObjectContext, all: All): Promise<NamedRow[]> {
  const names = (await ctx.stateKeys()).filter((name) => name.startsWith(ROW));
  const rows = await all(names.map((name) => ctx.get<string>(name)));
  return names.map((name, i): NamedRow => [name.slice(ROW.length), rows[i] ?? null]);
}
