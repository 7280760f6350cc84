/**
 * Lists of the engine's sessions and runs, from its index: whichever process asks, they are the same.
 *
 * I1. A page of sessions costs a few calls, whatever there is: shards are read from where the page begins, newest first.
 * I2. A list may be a moment behind what a session has committed.
 * I3. Whose a session is, is part of where it is listed: nobody is shown another principal's.
 */
import type { Key } from "../../../machines/model.ts";
import type { ListedSession, PageQuery, RunAbout, RunQuery, RunReads, RunStands, SessionReads } from "../reads.ts";
import { isWithin } from "../within.ts";
import type { Ingress } from "./ingress.ts";
import { idShard, type MonthShard, placeAt, shardNamed, timeOf } from "./shards.ts";
import type { ListEntry, PageAsked } from "./sorted-list.ts";

const AT_ONCE = 200;
/** How runs without an end stand. */
const OPEN: readonly RunStands[] = ["running", "parked", "interrupted"];
/** Behind every id that begins with a prefix. */
const LAST_CHARACTER = "\u007f";
/** Before every session of a list. */
const LATEST = { updated: Number.MAX_SAFE_INTEGER, id: "~" };
type Named = { session: Key; principal: string };
type Range = Pick<PageAsked, "list" | "from" | "until">;

export class IndexReads {
  readonly sessions: Pick<SessionReads, "page" | "cursorKey" | "titlesBeside"> = {
    page: (query) => this.#page(query),
    titlesBeside: (session, limit) => this.#titlesBeside(session, limit),
    cursorKey: async () => (await this.#ingress.shards()).cursorKey,
  };
  readonly runs: Pick<RunReads, "latest" | "beginning" | "gathered"> = {
    latest: (query) => this.#latest(query),
    beginning: (...asked) => this.#beginning(...asked),
    gathered: async () => undefined,
  };
  readonly #ingress: Pick<Ingress, "page" | "shards">;
  readonly #known: SessionReads["find"];
  /** `known`: a session that this process has met. */
  constructor(ingress: Pick<Ingress, "page" | "shards">, known: SessionReads["find"]) {
    this.#ingress = ingress;
    this.#known = known;
  }

  /** I1. */
  async #page({ principal, cwd, after, limit }: PageQuery): Promise<ListedSession[]> {
    const found = new Map<Key, ListedSession>();
    const from = placeAt(after.updated, after.id);
    for (const [, shards] of await this.#months(principal)) {
      for await (const { value } of this.#down(shards, { list: "sessions", from, until: null }, limit)) {
        const listed = JSON.parse(value) as ListedSession;
        if (cwd !== null && listed.cwd !== cwd) continue;
        if (!found.has(listed.session)) found.set(listed.session, listed); // one that moves from a month to the next
        if (found.size === limit) return [...found.values()];
      }
    }
    return [...found.values()];
  }

  async *#latest({ principal, until, workflow, stands, within }: RunQuery): AsyncGenerator<RunAbout> {
    const seen = new Set<string>();
    const isAsked = (about: RunAbout): boolean =>
      (workflow === null || about.workflow === workflow) &&
      (stands === null || stands.includes(about.stands)) &&
      (within === null || isWithin(about.of?.cwd ?? "", within));
    const list = stands?.every((one) => OPEN.includes(one)) === true ? "open" : "runs";
    for await (const about of this.#all(principal, { list, from: timeOf(until + 1), until: null })) {
      if (seen.has(about.run) || !isAsked(about)) continue;
      seen.add(about.run);
      yield about;
    }
  }
  async #beginning(prefix: string, principal: string | null, most: number): Promise<string[]> {
    const found: string[] = [];
    const range = { list: "ids", from: prefix, until: prefix + LAST_CHARACTER };
    for await (const { id, value } of this.#pages(idShard(prefix), { ...range, order: "up" }, AT_ONCE)) {
      if (principal !== null && (JSON.parse(value) as Named).principal !== principal) continue;
      found.push(id);
      if (found.length === most) break;
    }
    return found;
  }
  async #titlesBeside(session: Key, limit: number): Promise<(string | null)[]> {
    const own = this.#known(session);
    if (own === undefined) return [];
    const { principal, cwd } = own;
    const found = await this.#page({ principal, cwd, after: LATEST, limit });
    return found.map(({ title }) => title);
  }
  /** Undefined where there is no such run. */
  async sessionOf(run: string): Promise<Key | undefined> {
    if (run === "") return undefined;
    const asked: PageAsked = { list: "ids", order: "up", from: run, until: run, limit: 1 };
    const [entry] = (await this.#ingress.page(idShard(run), asked)).entries;
    return entry && (JSON.parse(entry.value) as Named).session;
  }

  /** Those that wait to begin come first. */
  async *#all(principal: string | null, range: Range): AsyncGenerator<RunAbout> {
    const { shards } = await this.#ingress.shards();
    const asked = shards.filter((shard) => {
      const named = shardNamed(shard);
      return named?.kind === "asked" && (principal === null || named.principal === principal);
    });
    for await (const { value } of this.#down(asked, { list: "asked", from: null, until: null }, AT_ONCE))
      yield JSON.parse(value) as RunAbout;
    for (const [, of] of monthsOf(shards, principal))
      for await (const { value } of this.#down(of, range, AT_ONCE)) yield JSON.parse(value) as RunAbout;
  }
  async #months(principal: string): Promise<[month: string, shards: string[]][]> {
    return monthsOf((await this.#ingress.shards()).shards, principal);
  }

  /** Of several shards, as of one list. */
  async *#down(shards: readonly string[], range: Range, limit: number): AsyncGenerator<ListEntry> {
    const open = await Promise.all(
      shards.map(async (shard) => {
        const entries = this.#pages(shard, { ...range, order: "down" }, limit);
        return { entries, next: await entries.next() };
      }),
    );
    for (;;) {
      const left = open.filter(({ next }) => next.done !== true);
      const [first, ...others] = left;
      if (first === undefined) return;
      const last = others.reduce((a, b) => (b.next.value.place > a.next.value.place ? b : a), first);
      yield last.next.value;
      last.next = await last.entries.next();
    }
  }
  async *#pages(shard: string, asked: Omit<PageAsked, "limit">, limit: number): AsyncGenerator<ListEntry> {
    for (let from = asked.from; ; ) {
      const { entries, next } = await this.#ingress.page(shard, { ...asked, from, limit });
      yield* entries;
      if (next === null) return;
      from = next;
    }
  }
}

/** Shards of months, the last month first. */
function monthsOf(shards: readonly string[], principal: string | null): [month: string, shards: string[]][] {
  const found = shards.flatMap((shard): (MonthShard & { shard: string })[] => {
    const named = shardNamed(shard);
    return named?.kind === "month" && (principal === null || named.principal === principal)
      ? [{ ...named, shard }]
      : [];
  });
  const months = Map.groupBy(found, ({ month }) => month);
  return [...months]
    .map(([month, of]): [string, string[]] => [month, of.map(({ shard }) => shard)])
    .sort(([a], [b]) => (a < b ? 1 : -1));
}
