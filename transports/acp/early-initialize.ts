/**
 * The stream between the framer and the SDK. It lets `initialize` be answered before the SDK is loaded: the answer
 * is given by hand, the same message is handed on, and the SDK's own answer to it goes nowhere.
 *
 * I1. Messages reach the SDK in the order in which they arrived.
 * I2. While the SDK has not answered an `initialize` that the client has its answer to, it is given nothing else:
 *     to the SDK a request that overtakes it would come too early.
 * I3. Exactly one answer is swallowed.
 */
import type { AnyMessage } from "@agentclientprotocol/sdk";
import type { Message } from "./framer.ts";
import { initializeResult, isPlainInitialize } from "./initialize.ts";
import { OFFER, type Offer } from "./offer.ts";
import type { Outgoing } from "./outgoing.ts";
import { RequestGate } from "./request-gate.ts";
import { namingFields } from "./wrong-params.ts";

export type EarlyInitializeOptions = {
  writer: Outgoing;
  version: string;
  offer?: Offer;
  /** Requests of the client that may be in flight. */
  maxOpen?: number;
  /** Called once, with the first message that the SDK itself has to answer. */
  onNeeded?: () => void;
};

export class EarlyInitialize {
  readonly readable: ReadableStream<AnyMessage>;
  readonly writable: WritableStream<AnyMessage>;
  readonly #writer: Outgoing;
  readonly #version: string;
  readonly #offer: Offer;
  readonly #gate: RequestGate;
  #onNeeded: (() => void) | undefined;
  #controller: ReadableStreamDefaultController<AnyMessage> | undefined;
  #isFirst = true;
  /** Set while an answer is to be swallowed: its id. */
  #swallow: string | number | null = null;
  #held: Message[] = [];
  #ended = false;

  constructor({ writer, version, offer = OFFER, maxOpen, onNeeded }: EarlyInitializeOptions) {
    this.#offer = offer;
    this.#writer = writer;
    this.#version = version;
    this.#gate = new RequestGate(maxOpen);
    this.#onNeeded = onNeeded;
    this.readable = new ReadableStream<AnyMessage>({
      start: (controller) => {
        this.#controller = controller;
      },
    });
    this.writable = new WritableStream<AnyMessage>({ write: (message) => this.#send(message) });
  }

  get isInitialized(): boolean {
    return this.#gate.isInitialized;
  }

  take(message: Message): void {
    const verdict = this.#gate.check(message);
    if (verdict.pass) this.#take(message);
    else if (verdict.answer !== null) this.#writer.send(verdict.answer);
  }

  #take(message: Message): void {
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    if (this.#swallow !== null) {
      this.#held.push(message);
      return this.#need();
    }
    if (isFirst && isPlainInitialize(message, this.#offer)) {
      this.#write({ jsonrpc: "2.0", id: message.id, result: initializeResult(this.#version, this.#offer) });
      this.#writer.flush();
      this.#swallow = message.id;
    } else this.#need();
    this.#hand(message);
  }
  #need(): void {
    this.#onNeeded?.();
    this.#onNeeded = undefined;
  }

  /** No more will arrive. */
  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    if (this.#swallow === null) this.#close();
  }

  #send(message: AnyMessage): void {
    if (this.#swallow === null || !("id" in message) || message.id !== this.#swallow || "method" in message)
      return this.#write(message);
    this.#swallow = null;
    for (const held of this.#held.splice(0)) this.#hand(held);
    if (this.#ended) this.#close();
  }

  #write(message: AnyMessage): void {
    this.#gate.sent(message);
    this.#writer.send(namingFields(message));
  }

  /** The SDK validates what it is handed. */
  #hand(message: Message): void {
    try {
      this.#controller?.enqueue(message as AnyMessage);
    } catch {
      // The SDK has closed the stream: no message is read any more.
    }
  }
  #close(): void {
    try {
      this.#controller?.close();
    } catch {
      // It is closed.
    }
  }
}
