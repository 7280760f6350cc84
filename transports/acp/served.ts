/**
 * One client of the agent, whatever carries its messages.
 *
 * I1. `initialize` is answered before anything is loaded that it does not need: the SDK comes after it, the facade
 *     with the first session, or before it where the client leaves the time.
 * I2. Of a client only requests that are worked on outlive `close`, and nothing `handled`.
 * I3. Where the agent cannot be loaded, nothing would be answered: that ends this client, and no other.
 */
import type { ConnectedAgent } from "./agent.ts";
import type { Service } from "./connection.ts";
import { EarlyInitialize } from "./early-initialize.ts";
import type { Framing } from "./framer.ts";

export type ServedOptions = Service & {
  /** Requests of the client that may be in flight. */
  maxOpen?: number;
  /** Whether the SDK is made ready with the first message, or when a message needs it. */
  prepare: "early" | "late";
  /** Called when the SDK is ready, in a turn of the event loop of its own. */
  warm?: () => void;
  /** To end the client (I3). */
  failed: (error: unknown) => void;
};

export class Served {
  readonly framing: Framing;
  readonly #service: Service;
  readonly #handover: EarlyInitialize;
  #agent: Promise<ConnectedAgent> | null = null;
  readonly #warm: () => void;
  readonly #failed: (error: unknown) => void;
  #began = false;
  #closed = false;

  constructor({ maxOpen, prepare, warm = () => undefined, failed, ...service }: ServedOptions) {
    this.#warm = warm;
    this.#failed = failed;
    this.#service = service;
    this.#handover = new EarlyInitialize({
      writer: service.writer,
      version: service.version,
      ...(service.offer === undefined ? {} : { offer: service.offer }),
      ...(maxOpen === undefined ? {} : { maxOpen }),
      ...(prepare === "late" ? { onNeeded: () => this.#connect() } : {}),
    });
    this.framing = {
      message: (message) => {
        if (this.#closed) return;
        this.#handover.take(message);
        // The answer to `initialize` is on its way before the SDK, which takes a while to load, is asked for.
        if (!this.#began && prepare === "early") setImmediate(() => this.#connect());
        this.#began = true;
      },
      refuse: (refusal) => service.writer.send(refusal),
    };
  }

  get isInitialized(): boolean {
    return this.#handover.isInitialized;
  }

  /** No more messages will come, and there is no client left to answer. */
  async close(): Promise<void> {
    this.#closed = true;
    await (await this.#agent?.catch(() => null))?.close();
    this.#handover.end();
  }
  /** To be called behind `close`: resolves when what came before it is done, or given up. */
  async handled(): Promise<void> {
    await (await this.#agent?.catch(() => null))?.handled();
  }

  #connect(): void {
    if (this.#closed || this.#agent !== null) return;
    const service = { ...this.#service, handover: this.#handover };
    this.#agent = import("./agent.ts").then(({ connectAgent }) => {
      setImmediate(() => this.#closed || this.#warm());
      return connectAgent(service);
    });
    this.#agent.catch(this.#failed);
  }
}
