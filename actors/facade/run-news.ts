/**
 * Who looks at many runs hears that something of one has changed: it has begun, ended, asks, or is at another step.
 *
 * I1. It hears that there is news, never which: what is new it asks for, as itself.
 * I2. A principal hears of its own sessions alone. What other processes have written is news to it where its runs stand
 *     otherwise than before, those without an end and the latest; that is looked for at most once in EVERY_MS.
 * I3. Without a listener, a row costs one look at an empty set.
 */
import type { Row } from "../../machines/exchange.ts";
import type { Key } from "../../machines/model.ts";
import type { Clock } from "../base/clock.ts";
import type { Host } from "../host/host.ts";
import { END_OF_TIME, type RunStands } from "../host/reads.ts";
import { OPEN } from "./records.ts";

const NEWS: ReadonlySet<Row["type"]> = new Set([
  ...(["run.started", "run.completed", "step.started", "step.completed", "turn.completed"] as const),
  ...(["permission.requested", "permission.resolved", "input.required", "input.answered"] as const),
]);
const EVERY_MS = 500;
/** So many of its runs without an end are compared, and so many of the latest. */
const MOST_OPEN = 200;
const MOST_LATEST = 50;

/** `session`: whose row it is; null: another process has written. */
type Hear = (session: Key | null) => void;

export class RunNews {
  readonly #hearing = new Set<Hear>();

  /** Calls `hear` at each news, until the answer is called. */
  hear(hear: Hear): () => void {
    this.#hearing.add(hear);
    return () => void this.#hearing.delete(hear);
  }
  note(session: Key, { type }: Pick<Row, "type">): void {
    if (this.#hearing.size > 0 && NEWS.has(type)) this.#tell(session);
  }
  /** Another process has written. */
  look(): void {
    this.#tell(null);
  }
  #tell(session: Key | null): void {
    for (const hear of this.#hearing) hear(session);
  }
}

type Heard = {
  host: Pick<Host, "listen" | "sessions" | "runs" | "head">;
  news: RunNews;
  options: { clock: Pick<Clock, "after"> };
};
type Parts = Pick<Heard, "host" | "options">;

/**
 * Listens to this process and to the others, until the answer is called. `principal`: whose news; null: everybody's.
 * Throws where the others cannot be heard.
 */
export function watchRuns({ host, news, options }: Heard, principal: string | null, changed: () => void): () => void {
  const unlisten = host.listen(); // where it throws, nothing is left
  const others = principal === null ? null : new Others({ host, options }, principal, changed);
  const unhear = news.hear((session) => {
    if (others === null) changed();
    else if (session === null) others.look();
    else if (host.sessions.find(session)?.principal === principal) changed();
  });
  return () => {
    others?.end();
    unhear();
    unlisten();
  };
}

/** What other processes have written of one principal's runs (I2). */
class Others {
  readonly #parts: Parts;
  readonly #principal: string;
  readonly #changed: () => void;
  /** How they stood. */
  #known: Promise<string>;
  #unset: (() => void) | null = null;
  #isOver = false;
  constructor(parts: Parts, principal: string, changed: () => void) {
    this.#parts = parts;
    this.#principal = principal;
    this.#changed = changed;
    this.#known = this.#standing();
  }

  look(): void {
    if (this.#isOver) return;
    this.#unset ??= this.#parts.options.clock.after(EVERY_MS, () => {
      this.#unset = null;
      void this.#compare();
    });
  }
  end(): void {
    this.#isOver = true;
    this.#unset?.();
  }

  async #compare(): Promise<void> {
    const before = this.#known;
    this.#known = this.#standing();
    const [was, is] = await Promise.all([before, this.#known]);
    if (!this.#isOver && was !== is) this.#changed();
  }
  /** Of what cannot be read it is not known whether it has changed. */
  async #standing(): Promise<string> {
    const { host } = this.#parts;
    const found: string[] = [];
    const add = async (stands: readonly RunStands[] | null, most: number): Promise<void> => {
      const all = { principal: this.#principal, until: END_OF_TIME, workflow: null, stands, within: null };
      let left = most;
      for await (const { run, stands: as, session } of host.runs.latest(all)) {
        found.push(`${run} ${as} ${host.head(session)}`);
        left -= 1;
        if (left === 0) break;
      }
    };
    try {
      await add(OPEN, MOST_OPEN);
      await add(null, MOST_LATEST);
    } catch {
      return "";
    }
    return found.join(",");
  }
}
