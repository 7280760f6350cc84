/**
 * What a worker does for the engine: takes the events of sessions, answers who follows them, and works.
 *
 * I1. What an event comes to is journaled before any of it is written: a retry, here or elsewhere, writes the same.
 * I2. A cell in memory is used only in the version that the engine names.
 * I3. A session's version is written last: who reads it finds all commits up to it.
 * I4. Work is begun once. Who is called for work that another process has begun, says that it was cut off.
 */
import type * as Restate from "@restatedev/restate-sdk";
import type {
  Context,
  ObjectContext,
  ObjectSharedContext,
  ServiceDefinition,
  VirtualObjectDefinition,
} from "@restatedev/restate-sdk";
import type { Key } from "../../../machines/model.ts";
import type { LogRow } from "../memory/tables.ts";
import {
  type Commit,
  KEPT_COMMITS,
  type NamedRow,
  type News,
  type Outcome,
  type Post,
  type Posted,
  type Services,
  type SinceAsked,
  type Talk,
  type Version,
  type Whole,
  type WorkRow,
  type WorkStart,
} from "./protocol.ts";
import type { SessionCell } from "./session-cell.ts";

/** What `require` answers for the SDK. */
export type Sdk = typeof Restate;
/** Its last rows and its result, hidden; null: nobody waits for it any more. */
export type Carried = { rows: WorkRow[]; event: string; wasCutOff?: true } | null;
export type ServingHost = {
  /** Distinct for every process. */
  self: string;
  services: Services;
  cell(session: Key, version: Version | null, rows: readonly NamedRow[]): SessionCell;
  /** Carries out work, or joins it where it runs here. `ended` aborts when the engine has let this call go. */
  carry(start: WorkStart, ended: AbortSignal): Promise<Carried>;
  /** The engine has what it came to. */
  carried(start: WorkStart): void;
  /** What work comes to that another process had begun. */
  cutOff(start: WorkStart): Carried;
  /** A text for people, without secrets. */
  shown(text: string): string;
};

const VERSION = "v";
const WAITING = "waiting";
const COMMIT = "commit ";
const LOG = "log ";
const ROW = "row ";
const LONGEST_WAIT = { seconds: 20 } as const;
/** A cell costs memory only: the engine has all of it. */
const MAX_CELLS = 256;
const OPTIONS = { enableLazyState: true, journalRetention: 0, idempotencyRetention: { minutes: 10 } } as const;
const WORK_OPTIONS = { journalRetention: 0, inactivityTimeout: { days: 7 }, abortTimeout: { days: 7 } } as const;

/** The library counts what is awaited: several at once are awaited by its own means. */
type All = <T extends readonly unknown[]>(promises: { [I in keyof T]: Promise<T[I]> }) => Promise<T>;
type Waiting = { id: string; after: number };
/** What services call of each other. */
type SessionCalls = {
  deliver(ctx: ObjectContext, post: Post): Promise<Posted>;
  wait(ctx: ObjectContext, waiting: Waiting): Promise<void>;
};
type WorkCalls = { carry(ctx: Context, start: WorkStart): Promise<void> };
type TalkCalls = { forget(ctx: ObjectContext): Promise<void> };

export function servicesFor(sdk: Sdk, host: ServingHost) {
  const { services } = host;
  const sessions: VirtualObjectDefinition<string, SessionCalls> = { name: services.session };
  const works: ServiceDefinition<string, WorkCalls> = { name: services.work };
  const talks: VirtualObjectDefinition<string, TalkCalls> = { name: services.talk };
  const all = ((promises) => sdk.RestatePromise.all(promises as never)) as All;
  const cells = new Map<Key, SessionCell>();
  const keep = (session: Key, cell: SessionCell): void => {
    cells.delete(session);
    cells.set(session, cell);
    for (const [oldest] of cells) if (cells.size > MAX_CELLS) cells.delete(oldest);
  };
  /** I2. */
  const cellOf = async (ctx: ObjectContext, version: Version | null): Promise<SessionCell> => {
    const session = ctx.key as Key;
    const known = cells.get(session);
    if (known !== undefined && known.version.stamp === (version?.stamp ?? "")) return known;
    const cell = host.cell(session, version, version === null ? [] : await rowsOf(ctx, all));
    keep(session, cell);
    return cell;
  };
  const callOf = (ctx: Context, key: string) => ctx.objectSendClient(sessions, key);

  const deliver = async (ctx: ObjectContext, post: Post): Promise<Posted> => {
    const session = ctx.key as Key;
    const [version, waiting] = await all([ctx.get<Version>(VERSION), ctx.get<Waiting[]>(WAITING)]);
    const cell = await cellOf(ctx, version);
    const outcome = await ctx.run("take", () => {
      try {
        return cell.take(post);
      } catch (error) {
        cells.delete(session);
        throw error;
      }
    });
    if (cell.version.stamp !== outcome.version.stamp) cells.delete(session); // another try, or process, took it (I1)
    const { n, rows, log, reply } = outcome;
    const isChanged = n !== (version?.n ?? 0);
    if (isChanged) write(ctx, outcome, waiting);
    for (const start of outcome.starts) ctx.serviceSendClient(works).carry(start);
    for (const { delayMs, ...due } of outcome.timers)
      callOf(ctx, session).deliver({ is: "due", ...due }, sdk.rpc.sendOpts({ delay: { milliseconds: delayMs } }));
    return { ...reply, commit: isChanged ? { n, rows, log } : null };
  };

  const wait = async (ctx: ObjectContext, { id, after }: Waiting): Promise<void> => {
    const version = await ctx.get<Version>(VERSION);
    if (version === null || version.n > after) return ctx.resolveAwakeable(id, version?.n ?? 0);
    ctx.set(WAITING, [...((await ctx.get<Waiting[]>(WAITING)) ?? []), { id, after }]);
  };

  const since = async (ctx: ObjectSharedContext, { after, waits }: SinceAsked): Promise<News> => {
    const version = await ctx.get<Version>(VERSION);
    if (version === null) return null;
    if (version.n > after) return await commitsAfter(ctx, all, { n: version.n, after });
    if (waits) {
      const { id, promise } = ctx.awakeable<number>();
      callOf(ctx, ctx.key).wait({ id, after });
      const n = await promise.orTimeout(LONGEST_WAIT).catch((error: unknown) => {
        if (!(error instanceof sdk.TimeoutError)) throw error;
        return after;
      });
      if (n > after) return await commitsAfter(ctx, all, { n, after });
    }
    return { n: after, commits: [] };
  };

  const whole = async (ctx: ObjectContext): Promise<Whole> => {
    const version = await ctx.get<Version>(VERSION);
    if (version === null) return null;
    const names = (await ctx.stateKeys()).filter((name) => name.startsWith(LOG)).sort();
    const pages = await all(names.map((name) => ctx.get<LogRow[]>(name)));
    return { n: version.n, rows: await rowsOf(ctx, all), log: pages.flatMap((page) => page ?? []) };
  };

  const remove = async (ctx: ObjectContext): Promise<"removed" | "running"> => {
    const row = await ctx.get<string>(`${ROW}session`);
    if (row !== null && (JSON.parse(row) as { owner: string | null }).owner !== null) return "running";
    for (const { id } of (await ctx.get<Waiting[]>(WAITING)) ?? []) ctx.resolveAwakeable(id, 0);
    cells.delete(ctx.key as Key);
    ctx.clearAll();
    ctx.objectSendClient(talks, ctx.key).forget();
    return "removed";
  };

  const carry = async (ctx: Context, start: WorkStart): Promise<void> => {
    const begunBy = await ctx.run("begin", () => host.self);
    const { key, id, nonce, session } = start;
    const which = { key, id, nonce };
    const call = callOf(ctx, session);
    const ended = ctx.request().attemptCompletedSignal;
    // One entry of the journal, whichever it is: a retry asks for what the first try has asked for.
    const carried = await ctx.run("work", async (): Promise<Carried> => {
      return begunBy === host.self ? await host.carry(start, ended) : host.cutOff(start);
    });
    if (carried !== null) call.deliver({ is: "work", which, ...carried });
    host.carried(start);
  };

  const talk = {
    read: async (ctx: ObjectContext, conversation: string): Promise<string[]> =>
      (await ctx.get<string[]>(conversation)) ?? [],
    add: async (ctx: ObjectContext, { conversation, messages }: Talk): Promise<void> =>
      ctx.set(conversation, [...((await ctx.get<string[]>(conversation)) ?? []), ...messages]),
    forget: async (ctx: ObjectContext): Promise<void> => ctx.clearAll(),
  };

  const { shared } = sdk.handlers.object;
  return [
    sdk.object({
      name: services.session,
      handlers: { deliver, wait, whole, remove, since: shared(since) },
      options: OPTIONS,
    }),
    sdk.object({ name: services.talk, handlers: talk, options: OPTIONS }),
    sdk.service({ name: services.work, handlers: { carry }, options: WORK_OPTIONS }),
  ];
}

/** I3. */
function write(ctx: ObjectContext, outcome: Outcome, waiting: Waiting[] | null): void {
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
