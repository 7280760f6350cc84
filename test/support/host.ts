/**
 * A stage for tests of `Host`: several hosts over one store, time that only moves when told, jobs that end when told.
 * Another implementation of `Host` joins the conformance suite by adding its stage to `STAGES`.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EmbeddedHost } from "../../actors/host/embedded.ts";
import type { Delivery, Follower, Host } from "../../actors/host/host.ts";
import { MemoryStorage } from "../../actors/host/memory/memory-storage.ts";
import { Tables } from "../../actors/host/memory/tables.ts";
import type { HostOptions } from "../../actors/host/options.ts";
import { Store } from "../../actors/host/sqlite/store.ts";
import type { Storage } from "../../actors/host/storage.ts";
import { type Mask, NO_MASKING } from "../../actors/masking/masking.ts";
import { type Exchange, type Frame, isLive, START, type TextPayload } from "../../machines/exchange.ts";
import type { Key } from "../../machines/model.ts";
import { MACHINES } from "./host-machines.ts";
import { type Actor, Jobs, type Stage, TestClock, turn } from "./host-stage.ts";

export { type Actor, type Job, Jobs, type Stage, TestClock, turn, until } from "./host-stage.ts";

type Entering = Partial<Omit<HostOptions, "storage">> & { mask?: Mask };

/** Hosts over one storage, which each of them opens for itself. */
abstract class OneStage implements Stage {
  readonly clock = new TestClock();
  readonly #alive = new Map<string, EmbeddedHost>();
  #names = 0;
  #ids = 0;
  protected abstract open(mask: Mask): Storage;
  protected abstract remove(): void;

  enter({ mask = NO_MASKING, ...options }: Entering = {}): Actor & { host: EmbeddedHost; name: string } {
    const name = `host-${++this.#names}`;
    const jobs = new Jobs();
    const followers: Follower[] = [];
    const host = new EmbeddedHost({
      storage: this.open(mask),
      clock: {
        now: () => this.clock.now(),
        elapsed: () => this.clock.elapsed(),
        after: (ms, act) => this.clock.after(ms, () => this.#alive.has(name) && act()),
      },
      id: (kind) => `${kind}-${++this.#ids}`,
      owner: { self: name, prove: () => undefined, isAlive: (other) => this.#alive.has(other) },
      ...options,
    });
    this.#alive.set(name, host);
    for (const [kind, machine] of MACHINES) host.machine(kind, machine);
    host.work("job", jobs.work);
    return {
      host,
      jobs,
      name,
      follow: (session, push, after = START) => {
        const follower = host.follow(session, after, push);
        followers.push(follower);
        return follower;
      },
      crash: () => {
        this.#alive.delete(name);
        for (const follower of followers) follower.close();
        host.store.close();
      },
      look: () => host.recheck(),
    };
  }
  async close(): Promise<void> {
    for (const host of this.#alive.values()) await host.stop();
    this.#alive.clear();
    this.remove();
  }
}

/** Over a file of SQLite. */
export class EmbeddedStage extends OneStage {
  readonly folder = mkdtempSync(join(tmpdir(), "troupe-host-"));
  readonly file = join(this.folder, "troupe.db");
  protected open(mask: Mask): Storage {
    return new Store(this.file, "normal", mask);
  }
  protected remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
/** Over tables in memory, which outlive a host here as a file does. */
export class MemoryStage extends OneStage {
  readonly #tables = new Tables();
  protected open(mask: Mask): Storage {
    return new MemoryStorage(mask, this.#tables);
  }
  protected remove(): void {
    // nothing is left
  }
}
/** Where `npm run test:cluster` runs the suite, it is over an engine. */
export const onEngine: boolean = process.env["TROUPE_TEST_ENGINE"] !== undefined;
/** `isEngine`: no process owns a session there. */
type Staged = [string, () => Stage, isEngine: boolean];
/** Those on which each session has a process that owns it. */
export const OWNING_STAGES: Staged[] = [
  ["on SQLite", () => new EmbeddedStage(), false],
  ["in memory", () => new MemoryStage(), false],
];
export const STAGES: Staged[] = onEngine
  ? [["on an engine", await engineStage(), true]]
  : [...OWNING_STAGES, ["on an engine in memory", await engineStage(), true]];

async function engineStage(): Promise<() => Stage> {
  const { EngineStage } = await import("./engine-stage.ts");
  return () => new EngineStage();
}

/** Lets the host come to rest: enough turns for anything that one event causes here. */
export async function rest(): Promise<void> {
  for (let i = 0; i < 4; i++) await turns();
  // An engine is elsewhere: what it does in so long a time, it does at all.
  if (onEngine) await new Promise((resolve) => setTimeout(resolve, ENGINE_REST_MS));
}
const ENGINE_REST_MS = 1_500;
/** As many turns as that, and no more: what is elsewhere goes on. */
export async function turns(): Promise<void> {
  for (let i = 0; i < 12; i++) await turn();
}

/** What rows say, in order: a notice's message, a text with its offset, the type of others. */
export const wordsOf = (rows: readonly Frame[]): string[] => rows.map(wordOf);
function wordOf(row: Frame): string {
  const live = isLive(row) ? "~" : "";
  if (row.type === "notice") return live + row.payload.message;
  if ("block" in row.payload) return `${live}${row.payload.block}@${row.payload.offset}:${row.payload.text}`;
  return live + row.type;
}
/** The same as a reader sees it: a text once, whether it came live or as a row, and in as many pieces as rows part it in. */
export function shownOf(frames: readonly Frame[]): string[] {
  const shown: string[] = [];
  const lengths = new Map<string, number>();
  let last: string | null = null;
  for (const frame of frames) {
    if (!("block" in frame.payload)) {
      shown.push(wordOf(frame));
      last = null;
      continue;
    }
    const { block, offset, text } = frame.payload as TextPayload;
    const length = lengths.get(block) ?? 0;
    if (offset > length) throw new Error(`a gap in ${block} at ${length}`);
    const news = text.slice(length - offset);
    if (news === "") continue;
    lengths.set(block, length + news.length);
    if (last === block) shown.push(`${shown.pop()}${news}`);
    else shown.push(`${block}@${length}:${news}`);
    last = block;
  }
  return shown;
}
export const log = (host: Pick<Host, "rows">, session: Key): Exchange[] => host.rows(session, 0, 1_000_000);
export const words = (host: Pick<Host, "rows">, session: Key): string[] => wordsOf(log(host, session));
export const ACCEPTED: Delivery = { accepted: true };
export const refusal = (reason: "refused" | "unknown" | "owned"): Delivery => ({ accepted: false, reason });
/** The head of an assistant's text block. */
export const speech = (block: string) => ({ type: "message.assistant" as const, block });
