/**
 * The stage of hosts over an engine: each host is a process of a cluster, with a port on which the engine calls it. All
 * hosts of a stage share that port, as workers of one machine do, and a name, so that stages share one engine.
 */
import { randomBytes } from "node:crypto";
import { createServer } from "node:net";
import type { Serving } from "../../actors/base/engine-port.ts";
import { EmbeddedHost } from "../../actors/host/embedded.ts";
import type { Delivery, Follower, Host } from "../../actors/host/host.ts";
import { MemoryStorage } from "../../actors/host/memory/memory-storage.ts";
import { EngineHost } from "../../actors/host/restate/engine-host.ts";
import { engineSdk, serve } from "../../actors/host/restate/serving.ts";
import type { SessionCell } from "../../actors/host/restate/session-cell.ts";
import { NO_MASKING } from "../../actors/masking/masking.ts";
import { START } from "../../machines/exchange.ts";
import type { Key } from "../../machines/model.ts";
import { MACHINES, type Machines } from "./host-machines.ts";
import { type Actor, Jobs, type Stage, TestClock } from "./host-stage.ts";

const LOOPBACK = "127.0.0.1";
const sdk = engineSdk([]);

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, LOOPBACK, () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });

/** Two URLs, with a space between them: of the ingress, and of the admin interface. */
const [INGRESS = "", ADMIN = ""] = (process.env["TROUPE_TEST_ENGINE"] ?? "").split(" ");

/** How a worker differs from what it is: other machines, or a fault in its code. */
export type Entering = {
  machines?: Machines;
  /** What its cells are in place of what they would be. */
  cell?: (cell: SessionCell) => SessionCell;
  /** It calls no other process. */
  refuses?: boolean;
};

/** `said`: lines of its log. `leave`: the engine cannot call it any more; `back`: it can again. */
export type Entered = Actor & {
  host: Pick<EngineHost, "reach">;
  said: readonly string[];
  served: Promise<unknown>;
  leave(): Promise<void>;
  back(): Promise<void>;
};

export const ENGINE_URL = INGRESS;

export class EngineStage implements Stage {
  readonly clock = new TestClock();
  readonly name = `t${randomBytes(6).toString("hex")}`;
  readonly #port = freePort();
  readonly #hosts = new Set<EngineHost>();
  readonly #closing: (() => Promise<void>)[] = [];
  /** What all its hosts follow. */
  readonly #sessions = new Set<Key>();
  #ids = 0;

  enter({ machines = MACHINES, cell = (one) => one, refuses = false }: Entering = {}): Entered {
    const jobs = new Jobs();
    const followers: Follower[] = [];
    const clock = this.#clockOf();
    const beside = new EmbeddedHost({
      storage: new MemoryStorage(),
      clock,
      id: (kind) => kind,
      owner: { self: "beside", prove: () => undefined, isAlive: () => true },
    });
    let isCut = false;
    const call: typeof fetch = (...given) =>
      isCut || (refuses && !String(given[0]).startsWith(INGRESS))
        ? Promise.reject(new Error("cut off"))
        : fetch(...given);
    const host = new EngineHost({
      url: INGRESS,
      name: this.name,
      self: randomBytes(6).toString("hex"),
      mask: NO_MASKING,
      clock,
      id: (kind) => `${kind}-${++this.#ids}`,
      environment: {},
      beside,
      fetch: call,
    });
    for (const [kind, machine] of machines) host.machine(kind, machine);
    host.work("job", jobs.work);
    const said: string[] = [];
    const serves = (): Promise<Serving> => this.#serve(host, cell, (line) => said.push(line));
    let serving = serves();
    serving.catch(() => undefined);
    this.#hosts.add(host);
    for (const session of this.#sessions) host.follow(session, START, () => undefined);
    const close = async (): Promise<void> => await (await serving).close();
    this.#closing.push(close);
    return {
      host: this.#attended(host, serving),
      jobs,
      follow: (session, push, after = START) => {
        const follower = host.follow(session, after, push);
        followers.push(follower);
        return follower;
      },
      crash: () => {
        isCut = true;
        this.#hosts.delete(host);
        for (const follower of followers) follower.close();
        void close();
        void host.stop().catch(() => undefined);
      },
      look: () => undefined,
      said,
      served: serving,
      leave: async () => await (await serving).close(),
      back: async () => {
        serving = serves();
        await serving;
      },
    };
  }
  async close(): Promise<void> {
    for (const host of this.#hosts) await host.stop();
    for (const close of this.#closing) await close().catch(() => undefined);
  }

  async #serve(host: EngineHost, wrap: (cell: SessionCell) => SessionCell, log: (line: string) => void) {
    const port = await this.#port;
    const serving = host.serving();
    const cell: typeof serving.cell = (...given) => wrap(serving.cell(...given));
    return await serve(
      sdk,
      { ...serving, cell },
      {
        ...{ host: LOOPBACK, port, isShared: true, admin: ADMIN, log },
        live: { host: LOOPBACK, port: 0 },
      },
    );
  }
  /** Nothing is sent before the engine knows the worker; and every host of the stage sees what one has made. */
  #attended(host: EngineHost, serving: Promise<Serving>): Host & Pick<EngineHost, "read" | "reach"> {
    let isServed = false;
    serving.then(
      () => {
        isServed = true;
      },
      () => undefined,
    );
    const own = {
      create: async (key: Key, input: object): Promise<void> => {
        this.#sessions.add(key);
        if (!isServed) await serving;
        await host.create(key, input);
        for (const each of this.#hosts) each.follow(key, START, () => undefined);
      },
      send: async (...given: Parameters<Host["send"]>): Promise<Delivery> => {
        if (!isServed) await serving;
        return await host.send(...given);
      },
    };
    return new Proxy(host, {
      get: (_, name) => {
        const found: unknown = Reflect.get(name in own ? own : host, name);
        return typeof found === "function" ? found.bind(host) : found;
      },
    });
  }
  /** Waits that the engine is part of are real; the others are this stage's. */
  #clockOf() {
    const { clock } = this;
    return {
      now: () => clock.now(),
      elapsed: () => performance.now(),
      after: (ms: number, act: () => void) => clock.after(ms, act),
      sleep: (ms: number, signal?: AbortSignal) =>
        new Promise<void>((resolve, reject) => {
          if (signal?.aborted) return reject(signal.reason);
          const timeout = setTimeout(resolve, ms);
          signal?.addEventListener("abort", () => {
            clearTimeout(timeout);
            reject(signal.reason);
          });
        }),
    };
  }
}
