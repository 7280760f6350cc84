/**
 * The stage of hosts over an engine: each host is a process of a cluster, with a port on which the engine calls it. All
 * hosts of a stage share that port, as workers of one machine do, and a name, so that stages share one engine. It is the
 * real one where `npm run test:cluster` has started that, and one in memory elsewhere.
 */
import { randomBytes } from "node:crypto";
import { createServer } from "node:net";
import type { Serving } from "../../actors/base/engine-port.ts";
import { EmbeddedHost } from "../../actors/host/embedded.ts";
import type { Delivery, Follower, Host } from "../../actors/host/host.ts";
import { MemoryStorage } from "../../actors/host/memory/memory-storage.ts";
import { EngineHost } from "../../actors/host/restate/engine-host.ts";
import type { EngineOptions } from "../../actors/host/restate/engine-options.ts";
import { Ingress } from "../../actors/host/restate/ingress.ts";
import { servicesOf } from "../../actors/host/restate/protocol.ts";
import { engineSdk, serve } from "../../actors/host/restate/serving.ts";
import type { SessionCell } from "../../actors/host/restate/session-cell.ts";
import { NO_MASKING } from "../../actors/masking/masking.ts";
import { START } from "../../machines/exchange.ts";
import type { Key } from "../../machines/model.ts";
import { MACHINES, type Machines } from "./host-machines.ts";
import { type Actor, Jobs, type Stage, TestClock } from "./host-stage.ts";
import type { EngineOf, EngineUsed } from "./memory-engine/engine-used.ts";
import { memoryEngine } from "./memory-engine/stage.ts";

const LOOPBACK = "127.0.0.1";
const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, LOOPBACK, () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });

/** Two URLs, with a space between them: of the ingress, and of the admin interface. */
const [INGRESS = "", ADMIN = ""] = (process.env["TROUPE_TEST_ENGINE"] ?? "").split(" ");

/** Waits that it is part of are real; the others are the stage's. */
const realEngine: EngineOf = () => {
  const sdk = engineSdk([]);
  const port = freePort();
  return {
    url: INGRESS,
    fetch,
    serve: async (host, { log, tags }) =>
      await serve(sdk, host, {
        ...{ host: LOOPBACK, port: await port, isShared: true, admin: ADMIN, log, tags },
        live: { host: LOOPBACK, port: 0 },
      }),
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        const timeout = setTimeout(resolve, ms);
        signal?.addEventListener("abort", () => {
          clearTimeout(timeout);
          reject(signal.reason);
        });
      }),
    passes: async () => undefined,
  };
};
const ENGINE = INGRESS === "" ? memoryEngine() : realEngine;

/** How a worker differs from what it is: other machines, or a fault in its code. */
export type Entering = {
  machines?: Machines;
  /** What its cells are in place of what they would be. */
  cell?: (cell: SessionCell) => SessionCell;
  /** It calls no other process. */
  refuses?: boolean;
  /** It does work with one of them alone. */
  tags?: readonly string[];
} & Partial<Pick<EngineOptions, "tag" | "mask" | "onLeave">>;

/** `said`: lines of its log. `leave`: the engine cannot call it any more; `back`: it can again. */
export type Entered = Actor & {
  host: Pick<EngineHost, "reach" | "attachments">;
  said: readonly string[];
  served: Promise<unknown>;
  leave(): Promise<void>;
  back(): Promise<void>;
};

export class EngineStage implements Stage {
  readonly clock = new TestClock();
  readonly name = `t${randomBytes(6).toString("hex")}`;
  readonly #engine: EngineUsed;
  readonly #hosts = new Set<EngineHost>();
  readonly #closing: (() => Promise<void>)[] = [];
  /** What all its hosts follow. */
  readonly #sessions = new Set<Key>();
  #ids = 0;
  constructor(engine: EngineOf = ENGINE) {
    this.#engine = engine(this.clock);
  }

  enter({ machines = MACHINES, cell = (one) => one, refuses = false, tags = [], ...options }: Entering = {}): Entered {
    const jobs = new Jobs();
    const followers: Follower[] = [];
    const clock = this.#clockOf();
    const beside = new EmbeddedHost({
      storage: new MemoryStorage(),
      clock,
      id: (kind) => kind,
      owner: { self: "beside", prove: () => undefined, isAlive: () => true },
    });
    const { url, fetch: asked } = this.#engine;
    let isCut = false;
    const call: typeof fetch = (...given) =>
      isCut || (refuses && !String(given[0]).startsWith(url)) ? Promise.reject(new Error("cut off")) : asked(...given);
    const host = new EngineHost({
      url,
      name: this.name,
      self: randomBytes(6).toString("hex"),
      mask: NO_MASKING,
      clock,
      id: (kind) => `${kind}-${++this.#ids}`,
      environment: {},
      beside,
      fetch: call,
      ...options,
    });
    for (const [kind, machine] of machines) host.machine(kind, machine);
    host.work("job", jobs.work);
    const said: string[] = [];
    const serving = host.serving();
    const wrapped = { ...serving, cell: (...given: Parameters<typeof serving.cell>) => cell(serving.cell(...given)) };
    const serves = (): Promise<Serving> => this.#engine.serve(wrapped, { log: (line) => said.push(line), tags });
    let served = serves();
    served.catch(() => undefined);
    this.#hosts.add(host);
    for (const session of this.#sessions) host.follow(session, START, () => undefined);
    const close = async (): Promise<void> => await (await served).close();
    this.#closing.push(close);
    return {
      host: this.#attended(host, served),
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
      served,
      leave: close,
      back: async () => {
        served = serves();
        await served;
      },
    };
  }
  /** Calls of the engine's services, as a process has that is no host. */
  ingress(): Ingress {
    const { url, fetch: call } = this.#engine;
    return new Ingress(url, servicesOf(this.name), this.#clockOf(), call);
  }
  /** Lets so much time pass for the engine. */
  passes(ms: number): Promise<void> {
    return this.#engine.passes(ms);
  }
  async close(): Promise<void> {
    for (const host of this.#hosts) await host.stop();
    for (const close of this.#closing) await close().catch(() => undefined);
  }

  /** Nothing is sent before the engine knows the worker; and every host of the stage sees what one has made. */
  #attended(host: EngineHost, served: Promise<Serving>): EngineHost {
    let isServed = false;
    served.then(
      () => {
        isServed = true;
      },
      () => undefined,
    );
    const own = {
      create: async (key: Key, input: object): Promise<void> => {
        this.#sessions.add(key);
        if (!isServed) await served;
        await host.create(key, input);
        for (const each of this.#hosts) each.follow(key, START, () => undefined);
      },
      send: async (...given: Parameters<Host["send"]>): Promise<Delivery> => {
        if (!isServed) await served;
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
  #clockOf() {
    const { clock } = this;
    return {
      now: () => clock.now(),
      elapsed: () => performance.now(),
      after: (ms: number, act: () => void) => clock.after(ms, act),
      sleep: (ms: number, signal?: AbortSignal) => this.#engine.sleep(ms, signal),
    };
  }
}
