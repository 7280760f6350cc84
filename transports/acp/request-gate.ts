/**
 * What is let through to the SDK: well-formed JSON-RPC whose answer differs from every other.
 *
 * I1. A request's id is a string of at most MAX_ID_BYTES, or a whole number that survives JSON; of two requests in
 *     flight with one id the second is refused, with id null: an answer under the id would be taken for the first
 *     one's.
 * I2. `initialize` succeeds once.
 * I3. A response to nothing that was asked is dropped, and so is nothing else.
 * I4. What is refused is not repeated in the answer.
 * I5. At most `maxOpen` requests of a client are in flight.
 */
import { type Message, type Refusal, refusal } from "./framer.ts";

export const MAX_ID_BYTES = 1024;
export const ID_FORM = `"id" must be a string of at most ${MAX_ID_BYTES} bytes or a safe integer`;
type Id = string | number;
type GateAnswer = Omit<Refusal, "id"> & { id: Id | null };
/** `answer`: what the client gets instead; null is silence. */
export type Verdict = { pass: true } | { pass: false; answer: GateAnswer | null };

const PASS: Verdict = { pass: true };
const DROP: Verdict = { pass: false, answer: null };

export class RequestGate {
  /** Requests of the client that have no answer yet, and their methods. */
  readonly #open = new Map<Id, string>();
  /** Our requests that have none. */
  readonly #asked = new Set<unknown>();
  readonly #maxOpen: number;
  #initialized = false;
  constructor(maxOpen = Number.POSITIVE_INFINITY) {
    this.#maxOpen = maxOpen;
  }

  /** Whether `initialize` was answered with a result. */
  get isInitialized(): boolean {
    return this.#initialized;
  }

  check(message: Message): Verdict {
    const { jsonrpc, id, method } = message;
    if (jsonrpc !== "2.0") return refuse('"jsonrpc" must be "2.0"');
    if (!Object.hasOwn(message, "method")) return this.#response(message);
    if (typeof method !== "string") return refuse('"method" must be a string');
    if (!Object.hasOwn(message, "id")) return PASS;
    if (!isId(id)) return refuse(ID_FORM);
    if (this.#open.has(id)) return refuse("a request with this id is in flight", "duplicate_id");
    if (method === "initialize" && (this.#initialized || [...this.#open.values()].includes("initialize"))) {
      return { pass: false, answer: { ...invalid("initialize was sent before", "already_initialized"), id } };
    }
    if (this.#open.size >= this.#maxOpen)
      return { pass: false, answer: { ...invalid("too many requests in flight", "too_many_requests"), id } };
    this.#open.set(id, method);
    return PASS;
  }

  /** What goes out to the client. */
  sent(message: { readonly id?: unknown; readonly method?: unknown; readonly result?: unknown }): void {
    if (!("id" in message)) return;
    if ("method" in message) this.#asked.add(message.id);
    else {
      if ("result" in message && this.#open.get(message.id as Id) === "initialize") this.#initialized = true;
      this.#open.delete(message.id as Id);
    }
  }

  #response(message: Message): Verdict {
    if (!Object.hasOwn(message, "result") && !Object.hasOwn(message, "error")) return refuse('"method" is missing');
    return this.#asked.delete(message["id"]) ? PASS : DROP;
  }
}

export const isId = (id: unknown): id is Id =>
  typeof id === "string" ? Buffer.byteLength(id) <= MAX_ID_BYTES : Number.isSafeInteger(id);

const invalid = (what: string, reason?: string): Refusal =>
  refusal(-32600, `Invalid request: ${what}`, reason === undefined ? undefined : { reason });
const refuse = (what: string, reason?: string): Verdict => ({ pass: false, answer: invalid(what, reason) });
