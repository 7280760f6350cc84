/**
 * One client on a socket, from its upgrade to its end.
 *
 * I1. A client that has not initialised in time, that answers no ping, that takes nothing, or that does not end what it
 *     has begun to say, is closed with a reason.
 * I2. While a client does not read, nothing of it is read either.
 * I3. When it has gone, nothing of it is left.
 * I4. Where its agent cannot be loaded it alone is closed, with a reason.
 */

import type { Duplex } from "node:stream";
import { type RawData, WebSocket } from "ws";
import type { Troupe } from "../../actors/troupe.ts";
import type { BroadcastGroup } from "../acp/broadcast.ts";
import type { Environment } from "../acp/config.ts";
import { takeMessage } from "../acp/framer.ts";
import type { Offer } from "../acp/offer.ts";
import type { Pausable } from "../acp/outgoing.ts";
import { Served } from "../acp/served.ts";
import { watchBegun } from "./begun.ts";
import { FrameWriter } from "./frames.ts";
import type { ServeLimits } from "./limits.ts";
import type { Log } from "./log.ts";

const MISSED_PINGS = 2;
const POLICY = 1008;
const UNEXPECTED = 1011;
const TRY_AGAIN = 1013;

export type SocketOptions = {
  ws: WebSocket;
  socket: Duplex;
  /** Whose it is. */
  subject: string | null;
  limits: ServeLimits;
  version: string;
  /** The facade, as its principal sees it. */
  open: () => Promise<Troupe>;
  log: Log;
  defaultWorkflow?: string;
  offer?: Offer;
  environment?: Environment;
  /** Where the connections of its principal hear of each other. */
  room?: BroadcastGroup;
};

export class ServedSocket {
  /** Resolves when nothing of it is left. */
  readonly gone: Promise<void>;
  readonly subject: string | null;
  readonly #served: Served;
  readonly #socket: Duplex;
  readonly #ws: WebSocket;
  readonly #writer: FrameWriter;
  #missed = 0;

  constructor({ ws, socket, subject, limits, log, ...service }: SocketOptions) {
    this.#ws = ws;
    this.#socket = socket;
    this.subject = subject;
    const closed = Promise.withResolvers<void>();
    const input: Pausable = { pause: () => ws.pause(), resume: () => ws.resume() };
    this.#writer = new FrameWriter({
      ws,
      socket,
      stallMs: limits.stallMs,
      onStalled: () => {
        ws.resume(); // its side of the closing handshake is to be heard
        const reason = `nothing was read for ${limits.stallMs / 1000} s: connect again and load the session`;
        log(`closed a connection: ${reason}`, "warn");
        this.close(TRY_AGAIN, reason);
      },
      onClosed: closed.resolve,
    });
    const served = new Served({
      ...service,
      writer: this.#writer,
      // A connection that is to hear of others has to be there before it asks for anything.
      prepare: service.offer?.switches.notify === "broadcast" ? "early" : "late",
      failed: (error) => {
        log(`closed a connection: the agent cannot be loaded: ${error}`, "error");
        this.close(UNEXPECTED, "the agent cannot be loaded");
      },
      maxOpen: limits.requestsInFlight,
      graceMs: limits.disconnectGraceMs,
    });
    this.#served = served;
    const late = setTimeout(() => {
      if (!served.isInitialized) this.close(POLICY, `initialize was not sent within ${limits.initializeMs / 1000} s`);
    }, limits.initializeMs);
    const forget = watchBegun({
      ...{ socket, ms: limits.bodyMs, isPaused: () => ws.isPaused },
      late: () => this.close(POLICY, `a message was not whole within ${limits.bodyMs / 1000} s`),
    });
    ws.on("message", (data: RawData) => {
      this.#missed = 0;
      if (this.#writer.isClosed) return;
      takeMessage(data as Buffer, served.framing);
      this.#writer.throttle(input);
    });
    ws.on("pong", () => {
      this.#missed = 0;
    });
    ws.on("error", () => undefined); // its close says the same
    this.gone = closed.promise.then(async () => {
      clearTimeout(late);
      forget();
      await served.close();
      await served.handled();
    });
  }

  /** To be called every `pingMs`. A client that does not read is left to the clock of its writer. */
  beat(): void {
    if (this.#writer.isBlocked || this.#ws.readyState !== WebSocket.OPEN) return;
    if (this.#missed >= MISSED_PINGS) return this.#ws.terminate();
    this.#missed++;
    this.#ws.ping();
  }

  get isInitialized(): boolean {
    return this.#served.isInitialized;
  }
  /** Ends it at once; resolves when its place is free. */
  async cut(): Promise<void> {
    if (this.#socket.closed) return;
    const closed = new Promise((resolve) => this.#socket.once("close", resolve));
    this.#ws.terminate();
    await closed;
  }

  /** Sends what is gathered and says goodbye. */
  close(code: number, reason: string): void {
    this.#writer.flush();
    this.#ws.close(code, reason);
  }
}
