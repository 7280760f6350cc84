/**
 * How a server is watched over: its numbers, which are kept from its first session on, and in its log the runs, and that
 * the store cannot be written.
 *
 * I1. Numbers are loaded, and the store's files looked at, once the port is open, or earlier where somebody asks: who
 *     starts a server does not wait for them.
 * I2. The store's files are not looked at while the store is open, or being opened: who closes a file that a process has
 *     open takes away the locks that SQLite has on it for that process.
 */
import {
  type Environment,
  type Exchange,
  type Reporter,
  storeFault,
  type Troupe,
  troupeError,
} from "../../actors/troupe.ts";
import { FirstUse } from "../acp/first-use.ts";
import type { Mounting } from "./listener.ts";
import type { Log } from "./log.ts";
import { mountOperators } from "./operators.ts";
import type { Router } from "./router.ts";
import { Unwritten } from "./unwritten.ts";

export class WatchedOver {
  readonly #log: Log;
  readonly #version: string;
  readonly #unwritten: Unwritten;
  #sockets: () => number = () => 0;
  /** I1. */
  readonly #numbers = new FirstUse(async () => {
    const { serverNumbers } = await import("../telemetry/server-numbers.ts");
    return serverNumbers(this.#version, {
      "troupe.connections": {
        about: "Sockets of ACP that are open",
        unit: "{connection}",
        now: () => this.#sockets(),
      },
      "troupe.ready": {
        about: "1 where the store, or the engine, answered the last look at it",
        unit: "1",
        now: () => (this.#isReady ? 1 : 0),
      },
      "troupe.write.failures": {
        about: "How often the store could not be written; what waits is tried again",
        unit: "{failure}",
        now: () => this.#unwritten.failures,
      },
    });
  });
  /** What the last look has found. */
  #isReady = false;
  /** I2. */
  #isOpening = false;
  #looking: Promise<void> | null = null;

  constructor(version: string, log: Log) {
    this.#version = version;
    this.#log = log;
    this.#unwritten = new Unwritten(log, {
      elapsed: () => performance.now(),
      after: (ms, act) => {
        const timer = setTimeout(act, ms).unref();
        return () => clearTimeout(timer);
      },
    });
  }

  mount(router: Router, { open, isClosing, sockets }: Pick<Mounting, "open" | "isClosing" | "sockets">): void {
    this.#sockets = sockets;
    const look = async (): Promise<void> => {
      this.#isReady = await open(null)
        .then((troupe) => troupe.history({ limit: 1 }))
        .then(() => {
          // A look reads: of what a server meets, it finds all but a disk that is full.
          const { fault } = this.#unwritten;
          if (fault?.code === "SYSTEM.IO.WRITE_FAILED") throw Object.assign(new Error(fault.message), fault);
        })
        .then(
          () => true,
          (error: unknown) => {
            this.#isReady = false;
            throw error;
          },
        );
    };
    const numbers = async (): Promise<string> => {
      void look().catch(() => undefined); // who reads numbers does not wait for an engine that does not answer
      return await (await this.numbers()).text();
    };
    mountOperators(router, { look, isClosing, numbers });
  }
  readonly numbers = () => this.#numbers.get();
  /** Says at once of a store that cannot be used what its first request would meet (I1, I2). */
  async look(environment: Environment): Promise<void> {
    if (this.#isOpening) return;
    this.#looking = this.#look(environment);
    await this.#looking;
  }
  async #look(environment: Environment): Promise<void> {
    // A place that is none, as a TROUPE_HOME that is no whole path, is a fault like others.
    const fault = await storeFault(environment).catch(troupeError);
    if (fault !== null) this.#unwritten.failed(fault);
  }
  /** Opens what reports to this. */
  async opened(open: (report: Reporter) => Promise<Troupe>): Promise<Troupe> {
    this.#isOpening = true;
    await this.#looking; // I2
    const numbers = await this.numbers();
    return await open({
      row: (row, session) => {
        numbers.row(row, session);
        this.#unwritten.written();
        this.#note(row);
      },
      unwritten: (fault) => this.#unwritten.failed(fault),
      closed: () => numbers.end(),
    });
  }

  #note({ type, run = "", parentRun, payload }: Exchange): void {
    if (parentRun !== undefined) return;
    if (type === "run.started") this.#log("a run has begun", "info", { run, workflow: payload.workflow });
    if (type !== "run.completed") return;
    const { workflow, status, error } = payload;
    const about = { run, workflow, status, ...(error === undefined ? {} : { code: error.code }) };
    this.#log("a run has ended", status === "failed" ? "warn" : "info", about);
  }
}
