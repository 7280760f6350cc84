/**
 * An agent behind HTTP: the SDK's stream on our network, in order.
 *
 * I1. What is sent may have arrived from the moment on in which its request has begun; the next message waits until
 *     the server has taken the one before.
 * I2. What a session is sent again comes before the answer of `session/load`, though both come on streams of their
 *     own: the answer is kept until the session's stream has answered a question that was asked after it.
 * I3. A message that is nested too deep is dropped, and none has a key "__proto__".
 */
import type { AnyMessage } from "@agentclientprotocol/sdk";
import { type AcpCookieStore, createHttpStream } from "@agentclientprotocol/sdk/experimental/http-client";
import { systemClock, type Timers } from "../../actors/acp-client/client.ts";
import type { ClientError } from "../../actors/acp-client/errors.ts";
import { MAX_DEPTH } from "../../actors/acp-client/shape.ts";
import type { Address } from "./address.ts";
import { CLOSE_MS, Network, type NetworkEnd } from "./http-network.ts";
import { MAX_FRAME_BYTES } from "./socket.ts";

/** No agent knows it: each answers that it does not, in its turn. */
const FENCE = "_troupe/fence";

export type HttpLine = {
  /** What the server says; read on as it is asked for. */
  readable: ReadableStream<AnyMessage>;
  /** Resolves when the message may have arrived. Rejects when it certainly has not. */
  send(message: AnyMessage): Promise<void>;
  ended: Promise<NetworkEnd>;
  /** Why no further try can mend it, or null. */
  refusal(): ClientError | null;
  /** Sends what waits, says goodbye; a second call waits for the first. */
  end(): Promise<void>;
};

/** A connection that begins with the first message, which is `initialize`. `cookieStore` outlives it. */
export function openHttp(address: Address, cookieStore: AcpCookieStore, clock: Timers = systemClock): HttpLine {
  const network = new Network(address, clock);
  const { fetch } = network;
  const stream = createHttpStream(address.url.href, {
    ...{ fetch, cookieStore, headers: address.headers, maxMessageBytes: MAX_FRAME_BYTES },
  });
  const writer = stream.writable.getWriter();
  writer.closed.catch(() => undefined);
  const reader = stream.readable.getReader();
  const fences = new Fences((message) => send(message));
  let free: Promise<unknown> = Promise.resolve();
  const send = (message: AnyMessage): Promise<void> => {
    const begun = free.then(async () => {
      const onItsWay = Promise.withResolvers<void>();
      network.onPost = onItsWay.resolve;
      const taken = writer.write(message);
      await Promise.race([onItsWay.promise, taken]);
      return { taken };
    });
    free = begun.then(({ taken }) => taken).catch(() => undefined);
    return begun.then(() => undefined);
  };
  const readable = new ReadableStream<AnyMessage>(
    {
      async pull(controller) {
        for (;;) {
          const reading = reader.read();
          let isThere = false;
          const there = (): void => {
            isThere = true;
          };
          reading.then(there, there);
          await null;
          if (!isThere) network.isHungry = true;
          const { value, done } = await reading;
          network.isHungry = false;
          if (done) return controller.close();
          const passed = isTame(value) ? fences.pass(value) : null;
          if (passed !== null) return controller.enqueue(passed);
        }
      },
      cancel: (reason) => reader.cancel(reason).catch(() => undefined),
    },
    { highWaterMark: 0 },
  );
  const end = async (): Promise<void> => {
    const late = new AbortController();
    await Promise.race([free, network.ended, wait(CLOSE_MS, late.signal)]);
    late.abort();
    network.leave();
    await reader.cancel().catch(() => undefined);
    network.end();
  };
  let ending: Promise<void> | undefined;
  return {
    ...{ readable, ended: network.ended },
    send: (message) => {
      fences.note(message);
      return send(message);
    },
    refusal: () => network.refusal,
    end: () => {
      ending ??= end();
      return ending;
    },
  };
}

/** Keeps the answers of `session/load` until what belongs before them has come (I2). */
class Fences {
  readonly #send: (message: AnyMessage) => Promise<void>;
  readonly #loads = new Map<unknown, string>();
  readonly #kept = new Map<unknown, AnyMessage>();
  #count = 0;
  constructor(send: (message: AnyMessage) => Promise<void>) {
    this.#send = send;
  }
  note(message: AnyMessage): void {
    if (!("method" in message) || message.method !== "session/load" || !("id" in message)) return;
    const { sessionId } = (message.params ?? {}) as { sessionId?: unknown };
    if (typeof sessionId === "string") this.#loads.set(message.id, sessionId);
  }
  /** The message to be shown now, or null. */
  pass(message: AnyMessage): AnyMessage | null {
    if ("method" in message || !("id" in message)) return message;
    const kept = this.#kept.get(message.id);
    if (kept !== undefined) {
      this.#kept.delete(message.id);
      return kept;
    }
    const sessionId = this.#loads.get(message.id);
    this.#loads.delete(message.id);
    if (sessionId === undefined || "error" in message) return message;
    const id = `${FENCE}/${++this.#count}`;
    this.#kept.set(id, message);
    this.#send({ jsonrpc: "2.0", id, method: FENCE, params: { sessionId } }).catch(() => undefined); // it ends, then
    return null;
  }
}

/** I3. Removes what is not to be there. */
function isTame(value: unknown, depth = 0): boolean {
  if (typeof value !== "object" || value === null) return true;
  if (depth >= MAX_DEPTH) return false;
  if (Object.hasOwn(value, "__proto__")) Reflect.deleteProperty(value, "__proto__");
  return Object.values(value).every((each) => isTame(each, depth + 1));
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
  });
}
