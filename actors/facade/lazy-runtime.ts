/**
 * The runtime behind a Troupe and all views of it.
 *
 * I1. The store is opened by the first call that needs it, and once. To look at workflows needs none: without one
 *     no directory is trusted but by `TROUPE_TRUST=1`.
 * I2. When it closes, every turn of this process has ended and nothing of it runs, also where a turn's end could not be
 *     written: the first fault is thrown when all is over.
 */
import { existsSync } from "node:fs";
import type { Inspect } from "../../machines/inspection.ts";
import type { Key } from "../../machines/model.ts";
import type { Reporter } from "../api/reporter.ts";
import { type Clock, systemClock } from "../base/clock.ts";
import type { Listening, Serving } from "../base/engine-port.ts";
import { type Ids, randomIds } from "../base/ids.ts";
import type { Environment } from "../base/user-folders.ts";
import type { Workflows } from "../catalogue/catalogue.ts";
import { TroupeError } from "../errors/troupe-error.ts";
import type { Durability } from "../host/open.ts";
import type { Engine } from "../host/restate/engine.ts";
import { type Mask, NO_MASKING } from "../masking/masking.ts";
import type { Extensions } from "./extensions.ts";
import { openRuntime, type Runtime } from "./runtime.ts";
import { storeFileOf } from "./store-file.ts";
import { type Looks, looksWithoutStore } from "./workflows.ts";

/** How a Troupe is made. All of it may be left out. */
export type TroupeOptions = {
  environment?: Environment;
  clock?: Clock;
  ids?: Ids;
  /** Numbers in [0, 1) for the jitter of retries. */
  random?: () => number;
  /** `full` also survives a power cut, at the cost of a disk flush per tick. `TROUPE_DURABILITY`, else `normal`. */
  durability?: Durability;
  /**
   * Keeps everything in memory: no file of the store is made or read. Nothing can be resumed, listed or replayed after
   * the process has ended, no other process sees it, and no directory that was trusted before counts as trusted.
   */
  ephemeral?: boolean;
  /** Agents of the user's own, by slug or id, that start without a question; `TROUPE_TRUST_AGENTS` names more. */
  trustAgents?: readonly string[];
  /** Where sessions live and are worked for, instead of this process: `engines()` makes one. */
  engine?: Engine;
  /** A file for the last frames between steps and their ACP agents, masked, for who looks for a fault. */
  framesLog?: string;
  /** While a turn runs, other processes can cancel it, though no viewer attends its session here. */
  hearsCancels?: boolean;
  /** Which machine this is; by default the system says it. */
  machine?: string;
  /** Hears XState's inspection events of every durable machine. */
  inspect?: Inspect;
  /** Hears the rows of what this process does. */
  report?: Reporter;
  /** Keeps secrets out of all that is written, shown and sent; by default those of the environment and of inputs. */
  mask?: Mask;
  /** Providers and operations beside the built-in ones. */
  extensions?: Extensions;
};

const DURABILITY = "TROUPE_DURABILITY";

/** Throws USER.CLI.USAGE. */
function durabilityOf(environment: Environment): Durability {
  const chosen = environment[DURABILITY] || "normal";
  if (chosen === "normal" || chosen === "full") return chosen;
  const details = { variable: DURABILITY };
  throw new TroupeError("USER.CLI.USAGE", `${DURABILITY} must be normal or full, not "${chosen}"`, details);
}

export class LazyRuntime {
  readonly #options: TroupeOptions;
  #environment: Environment | undefined;
  #runtime: Runtime | undefined;
  #looks: Looks | undefined;
  #closed: Promise<void> | undefined;
  constructor(options: TroupeOptions) {
    this.#options = options;
  }

  /** Taken once: to read all of the process's own costs as much as a step. */
  get environment(): Environment {
    this.#environment ??= Object.freeze({ ...(this.#options.environment ?? process.env) });
    return this.#environment;
  }

  /** Whether to open the store makes nothing that is not there yet. */
  get hasStore(): boolean {
    return this.#options.ephemeral === true || existsSync(storeFileOf(this.environment));
  }

  /** What looks at directories, with the store's trust where that is open. Throws as `runtime` does. */
  looks(): Looks {
    this.#refuseClosed();
    if (this.#runtime !== undefined) return this.#runtime;
    const { environment } = this;
    const { clock = systemClock, mask = NO_MASKING, extensions = {}, ephemeral = false } = this.#options;
    this.#looks ??= looksWithoutStore({ environment, clock, mask, extensions, ephemeral });
    return this.#looks;
  }
  workflows(): Workflows {
    return this.looks().catalogue;
  }

  #refuseClosed(): void {
    if (this.#closed !== undefined) throw new TroupeError("USER.FACADE.SESSION_CLOSED", "this Troupe is closed");
  }

  /** Throws USER.FACADE.SESSION_CLOSED after `close`. */
  runtime(): Runtime {
    this.#refuseClosed();
    const { environment } = this;
    const {
      clock = systemClock,
      ids = randomIds,
      random = Math.random,
      durability = durabilityOf(environment),
      ephemeral = false,
      inspect,
      report,
      mask,
      extensions = {},
      machine,
      trustAgents,
      framesLog,
      hearsCancels = false,
      engine,
    } = this.#options;
    this.#runtime ??= openRuntime({
      environment,
      clock,
      ids,
      random,
      durability,
      ephemeral,
      extensions,
      hearsCancels,
      ...(machine ? { machine } : {}),
      ...(trustAgents ? { trustAgents } : {}),
      ...(framesLog === undefined ? {} : { framesLog }),
      ...(engine === undefined ? {} : { engine }),
      ...(inspect ? { inspect } : {}),
      ...(report ? { report } : {}),
      ...(mask ? { mask } : {}),
    });
    return this.#runtime;
  }

  /** Works for the engine until it is closed. Throws SYSTEM.ENGINE.*. */
  async work(listening: Listening): Promise<Serving> {
    const { engine } = this.#options;
    if (engine === undefined) throw new TroupeError("USER.CLI.USAGE", "a worker needs an engine: --engine URL");
    this.runtime();
    return await engine.work(listening);
  }

  async rest(signal: AbortSignal): Promise<void> {
    await this.#runtime?.live.rest(signal);
  }
  /** `endTurn` cancels what runs in a session and waits for its end. Idempotent. */
  close(endTurn: (runtime: Runtime, session: Key) => Promise<void>): Promise<void> {
    this.#closed ??= this.#end(endTurn);
    return this.#closed;
  }
  async #end(endTurn: (runtime: Runtime, session: Key) => Promise<void>): Promise<void> {
    try {
      if (this.#runtime !== undefined) await this.#endRuntime(this.#runtime, endTurn);
    } finally {
      await this.#options.report?.closed();
    }
  }
  async #endRuntime(runtime: Runtime, endTurn: (runtime: Runtime, session: Key) => Promise<void>): Promise<void> {
    const faults: unknown[] = [];
    const over = (work: Promise<unknown>): Promise<unknown> => work.catch((error: unknown) => faults.push(error));
    await Promise.all(runtime.live.prompted.map((key) => over(endTurn(runtime, key))));
    runtime.live.close();
    await over(runtime.swept());
    await over(runtime.host.stop());
    await over(runtime.endAgents());
    runtime.guard.dismiss();
    if (faults.length > 0) throw faults[0];
  }
}
