/**
 * What a client is owed, and what it was given. It reads lines as JSON-RPC and the page on hostile input say, with none
 * of the program's own code.
 *
 * L1. Every request is answered exactly once; where an id was used again, each use is answered or refused.
 * L2. What is wrong as a message is refused once with id null; everything else is met with silence.
 * L3. Whatever is written is a message, and valid by the protocol's schema.
 */
import { faultOf, faultOfPart } from "../../support/acp-schema.ts";

type Message = { [name: string]: unknown };
export type Id = string | number;
type Due = "nothing" | "refusal" | { id: Id; method: string };
/** Served beside the stable schema. */
const UNSTABLE = ["session/fork", "session/set_model"];
const MAX_DEPTH = 128;
const MAX_BYTES = 10 * 1024 * 1024;

function isDeeper(value: unknown, than: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return than === 0 || Object.values(value).some((inner) => isDeeper(inner, than - 1));
}
const isId = (id: unknown): id is Id =>
  typeof id === "string" ? Buffer.byteLength(id) <= 1024 : Number.isSafeInteger(id);
const has = (message: Message, ...names: string[]): boolean => names.some((name) => Object.hasOwn(message, name));

function dueFor(bytes: Buffer): Due {
  const text = bytes.toString("utf8").trim();
  if (text === "") return "nothing";
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return "refusal";
  }
  if (bytes.length > MAX_BYTES || isDeeper(value, MAX_DEPTH)) return "refusal";
  if (typeof value !== "object" || value === null || Array.isArray(value)) return "refusal";
  const message = value as Message;
  if (!has(message, "jsonrpc") || message["jsonrpc"] !== "2.0") return "refusal";
  if (!has(message, "method")) return has(message, "result", "error") ? "nothing" : "refusal";
  const { id, method } = message;
  if (typeof method !== "string") return "refusal";
  if (!has(message, "id")) return "nothing";
  return isId(id) ? { id, method } : "refusal";
}

type Use = { id: Id; method: string; sent: number; answered: number };
const keyOf = (id: Id): string => JSON.stringify(id);

export class Ledger {
  readonly #uses = new Map<string, Use>();
  readonly faults: string[] = [];
  /** The program's own requests that the client has not answered. */
  readonly asked: unknown[] = [];
  #refusals = { due: 0, had: 0 };
  #onHeard: (() => void) | undefined;

  sent(bytes: Buffer): void {
    const due = dueFor(bytes);
    if (due === "nothing") return;
    if (due === "refusal") {
      this.#refusals.due++;
      return;
    }
    const use = this.#uses.get(keyOf(due.id)) ?? { ...due, sent: 0, answered: 0 };
    use.sent++;
    // An answer to one of two methods under one id would not tell which it is.
    if (use.method !== due.method) use.method = "";
    this.#uses.set(keyOf(due.id), use);
  }
  heard(line: string): void {
    try {
      this.#hear(JSON.parse(line) as Message);
    } catch (error) {
      this.#report(`${String(error)} in ${line.slice(0, 400)}`);
    }
    this.#onHeard?.();
  }
  /** Ids of requests without an answer. */
  get open(): Id[] {
    return [...this.#uses.values()].filter(({ answered }) => answered === 0).map(({ id }) => id);
  }
  /** Whether everything that is owed was given. */
  get isSettled(): boolean {
    let again = 0;
    for (const { sent, answered } of this.#uses.values()) {
      if (answered === 0) return false;
      again += sent - answered;
    }
    return this.#refusals.had >= this.#refusals.due + again;
  }
  /** Resolves when it is settled; then a new page begins. */
  async settled(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#onHeard = () => {
        if (this.isSettled) resolve();
      };
      this.#onHeard();
    });
    this.#onHeard = undefined;
    const again = [...this.#uses.values()].reduce((sum, { sent, answered }) => sum + sent - answered, 0);
    const { due, had } = this.#refusals;
    if (had !== due + again) this.#report(`${had} refusals where ${due} + ${again} were due`);
    this.#uses.clear();
    this.#refusals = { due: 0, had: 0 };
  }
  /** What it waits for, in words. */
  get state(): string {
    const { due, had } = this.#refusals;
    const open = [...this.#uses.values()].filter(({ answered }) => answered === 0);
    return `${had} of ${due} refusals; open: ${open.map(({ id, method }) => `${method} ${keyOf(id)}`).join(", ")}`;
  }

  #report(fault: string | null): void {
    if (fault !== null) this.faults.push(fault);
  }
  #hear(message: Message): void {
    const { jsonrpc, id, method, params, result, error } = message;
    if (jsonrpc !== "2.0") this.#report(`no jsonrpc in ${JSON.stringify(message)}`);
    if (typeof method === "string") {
      if (has(message, "id")) this.asked.push(id);
      const what = has(message, "id") ? "Request" : "Notification";
      return this.#report(faultOfPart("client", method, what, params));
    }
    if (has(message, "result") === has(message, "error")) this.#report(`neither or both: ${JSON.stringify(message)}`);
    if (error !== undefined) this.#report(faultOf("Error", error));
    if (id === null) {
      this.#refusals.had++;
      return;
    }
    const use = this.#uses.get(keyOf(id as Id));
    if (use === undefined || use.answered === use.sent)
      return this.#report(`an answer to nothing: ${JSON.stringify(message).slice(0, 400)}`);
    use.answered++;
    if (error !== undefined || use.method === "" || use.method.startsWith("_troupe/")) return;
    if (!UNSTABLE.includes(use.method)) this.#report(faultOfPart("agent", use.method, "Response", result));
  }
}
