/**
 * What this process has of the engine's sessions, in tables: a reader of them sees commits as those of another process.
 *
 * I1. The commits of a session are put in one by one, in order, each in one transaction; none is left out.
 * I2. A session is followed while something of it runs, or somebody here follows it.
 * I3. What the engine cannot answer now is asked again, until the replica is stopped.
 * I4. Where nothing happens, little is asked: one session waits for news for NEWS_SECONDS, and finds an engine that hangs;
 *     the others wait for QUIET_SECONDS.
 * I5. Sessions are let go of that nothing runs in, nobody follows, and nobody has asked for in IDLE_MS, those first that
 *     were asked for longest ago, where the logs of all take more than `most` characters. Who asks again gets them whole.
 */
import type { Key } from "../../../machines/model.ts";
import type { Clock } from "../../base/clock.ts";
import { MemoryStorage } from "../memory/memory-storage.ts";
import type { LogRow, Tables } from "../memory/tables.ts";
import type { Ingress } from "./ingress.ts";
import { type Commit, type NamedRow, NEWS_SECONDS } from "./protocol.ts";
import { addLog, goneRows, putRows } from "./rows.ts";

export type ReplicaHost = {
  tables: Tables;
  ingress: Pick<Ingress, "since" | "whole">;
  /** Who asks, for the engine. */
  self: string;
  clock: Pick<Clock, "sleep" | "elapsed">;
  /** A commit is in: readers may look. */
  changed(session: Key, rows: readonly NamedRow[], log: readonly LogRow[]): void;
  most?: number;
};
/** `n`: the commit that it is at. `waits`: so many ask that it be followed. `asked`: when it was of use last. */
type Held = {
  n: number;
  waits: number;
  pulling: Promise<void> | null;
  isLooping: boolean;
  listening: Listening;
  asked: number;
  chars: number;
};
/** How long it waits for news, and what gives that up. */
type Listening = { seconds: number; call: AbortController };
/** Below the five minutes after which `fetch` gives up by itself. */
const QUIET_SECONDS = 240;
const AGAIN_MS = 250;
const MOST_CHARS = 64 * 1024 * 1024;
/** Far longer than who was answered reads. */
export const IDLE_MS = 10 * 60_000;
/** What a session takes beside its log. */
const ROWS_CHARS = 8 * 1024;

export class Replica {
  readonly #host: ReplicaHost;
  readonly #writer: MemoryStorage;
  /** What was of use last comes last. */
  readonly #held = new Map<Key, Held>();
  #chars = 0;
  #stopped = new AbortController();
  /** The one that finds an engine that hangs (I4). */
  #lookout: Held | null = null;
  constructor(host: ReplicaHost) {
    this.#host = host;
    this.#writer = new MemoryStorage(undefined, host.tables);
  }

  /** The commit that it is at; 0: it is not here. */
  at(session: Key): number {
    return this.#held.get(session)?.n ?? 0;
  }
  /** Resolves when commit `n` of it is here; 0: whatever the engine has by now. So it does where it was taken out. */
  async reach(session: Key, n = 0): Promise<void> {
    const held = this.#of(session);
    if (n === 0) await this.#pull(session, held);
    while (held.n < n && !this.#stopped.signal.aborted) {
      await this.#pull(session, held);
      // A call may outlive its session: no commit of it comes any more.
      if (held.n === 0 || this.#held.get(session) !== held) break;
    }
    this.#loop(session, held);
  }
  /** A commit that was answered to who caused it. Resolves when it is here. */
  async put(session: Key, commit: Commit | null): Promise<void> {
    if (commit === null) return await this.reach(session);
    const held = this.#of(session);
    if (commit.n === held.n + 1) {
      this.#put(session, held, commit);
      // A worker that has gone may never answer for the time that was quiet: from now on it is asked anew.
      if (held.listening.seconds > NEWS_SECONDS) held.listening.call.abort();
    }
    await this.reach(session, commit.n);
  }
  /** Follows it, until the answer is called. */
  follow(session: Key): () => void {
    const held = this.#of(session);
    held.waits++;
    this.#loop(session, held);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      held.waits--;
      this.#touch(session, held);
    };
  }
  /** It was taken out. */
  drop(session: Key): void {
    if (this.#forget(session)) this.#host.changed(session, [["session", null]], []);
  }
  stop(): void {
    this.#stopped.abort();
  }

  #of(session: Key): Held {
    const known = this.#held.get(session);
    const idle = { waits: 0, pulling: null, isLooping: false, listening: listening(NEWS_SECONDS) };
    const held: Held = known ?? { n: 0, ...idle, asked: 0, chars: ROWS_CHARS };
    if (known === undefined) this.#chars += held.chars;
    this.#held.set(session, held);
    this.#touch(session, held);
    return held;
  }
  #touch(session: Key, held: Held): void {
    if (this.#held.get(session) !== held) return;
    held.asked = this.#host.clock.elapsed();
    this.#held.delete(session);
    this.#held.set(session, held);
  }
  /** True where it was here. */
  #forget(session: Key): boolean {
    this.#chars -= this.#held.get(session)?.chars ?? 0;
    this.#held.delete(session);
    const { tables } = this.#host;
    if (!tables.sessions.has(session)) return false;
    this.#writer.begin();
    for (const [key] of tables.read(session).actors.entries()) {
      tables.sessionOf.delete(key);
      tables.seen.delete(key);
    }
    this.#writer.sessions.drop(session);
    this.#writer.commit();
    return true;
  }
  /** I5. */
  #letGo(): void {
    const { clock, changed, most = MOST_CHARS } = this.#host;
    if (this.#chars <= most) return;
    const before = clock.elapsed() - IDLE_MS;
    for (const [session, held] of this.#held) {
      if (this.#chars <= most || held.asked > before) return;
      if (held.pulling !== null || held.isLooping || this.#isWanted(session, held)) continue;
      if (this.#forget(session)) changed(session, [], []);
    }
  }

  /** One at a time: who comes while one is under way gets one that begins after it was asked for. */
  async #pull(session: Key, held: Held): Promise<void> {
    while (held.pulling !== null) await held.pulling.catch(() => undefined); // its own caller hears of it
    held.pulling = this.#take(session, held, null).finally(() => {
      held.pulling = null;
    });
    await held.pulling;
  }
  async #take(session: Key, held: Held, heard: Listening | null): Promise<void> {
    const { ingress } = this.#host;
    const { n } = held;
    const asked = { after: n, waits: heard !== null };
    const { seconds = NEWS_SECONDS, call } = heard ?? {};
    const waiting = heard === null ? asked : { ...asked, seconds, by: this.#host.self };
    const news = n === 0 ? await ingress.whole(session) : await ingress.since(session, waiting, call?.signal);
    if (news === null) return held.n === 0 ? undefined : this.drop(session);
    if ("commits" in news) return news.commits.forEach((commit) => void this.#put(session, held, commit));
    this.#putWhole(session, held, "rows" in news ? news : await ingress.whole(session));
  }

  /** I1. */
  #put(session: Key, held: Held, { n, rows, log }: Commit): void {
    if (n !== held.n + 1) return; // it came by another way meanwhile
    this.#write(session, held, { rows, log });
    this.#touch(session, held); // what ran in it may have ended just now
    held.n = n;
    this.#host.changed(session, rows, log);
    this.#letGo();
  }
  #putWhole(session: Key, held: Held, whole: Commit | null): void {
    if (whole === null || whole.n <= held.n) return;
    const { tables } = this.#host;
    const known = tables.read(session).log.all.length;
    const rows = [...goneRows(tables, session, new Set(whole.rows.map(([name]) => name))), ...whole.rows];
    this.#write(session, held, { rows, log: whole.log });
    held.n = whole.n;
    this.#host.changed(session, rows, whole.log.slice(known));
    this.#letGo();
  }
  #write(session: Key, held: Held, { rows, log }: Pick<Commit, "rows" | "log">): void {
    const { tables } = this.#host;
    const known = tables.read(session).log.all.length;
    this.#writer.begin();
    putRows(tables, session, rows);
    addLog(tables, session, log);
    this.#writer.commit();
    const added = log.reduce((sum, { seq, json }) => (seq > known ? sum + json.length : sum), 0);
    held.chars += added;
    this.#chars += added;
  }

  #loop(session: Key, held: Held): void {
    if (held.isLooping) return;
    held.isLooping = true;
    void this.#follow(session, held).finally(() => {
      held.isLooping = false;
      if (this.#lookout === held) this.#lookout = null;
      if (this.#isWanted(session, held)) this.#loop(session, held);
    });
  }
  async #follow(session: Key, held: Held): Promise<void> {
    const { clock } = this.#host;
    while (this.#isWanted(session, held)) {
      try {
        if (held.n === 0) await this.#pull(session, held);
        else await this.#hear(session, held);
        if (held.n === 0) await clock.sleep(AGAIN_MS, this.#stopped.signal);
      } catch {
        if (held.listening.call.signal.aborted) {
          held.listening = listening(NEWS_SECONDS);
          continue;
        }
        await clock.sleep(AGAIN_MS, this.#stopped.signal).catch(() => undefined); // I3
      }
    }
  }
  /** I4. What was quiet once is taken to stay so. */
  async #hear(session: Key, held: Held): Promise<void> {
    const { n } = held;
    await this.#take(session, held, held.listening);
    const isQuiet = held.n === n;
    if (isQuiet) this.#lookout ??= held;
    held.listening = listening(isQuiet && this.#lookout !== held ? QUIET_SECONDS : NEWS_SECONDS);
  }
  /** I2. */
  #isWanted(session: Key, held: Held): boolean {
    if (this.#stopped.signal.aborted || this.#held.get(session) !== held) return false;
    return held.waits > 0 || (held.n > 0 && this.#host.tables.sessions.get(session)?.owner !== null);
  }
}

const listening = (seconds: number): Listening => ({ seconds, call: new AbortController() });
