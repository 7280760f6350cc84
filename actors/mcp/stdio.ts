/**
 * An MCP server's process as a transport of the SDK: started and ended by `actors/process`, as every other.
 *
 * I1. `close` resolves when the process and all it started have gone.
 * I2. What is no JSON is dropped: a server may write words of its own on standard output. Its last line need not end.
 * I3. A message that is too long to be read, or cut, is an error for the requests that wait: the answer to one of them is
 *     lost. So is an error that names no request. An answer that is none of the protocol's is an error for its request.
 * I4. One that closes its standard output and lives on can answer nothing any more: it is ended.
 */
import type { JSONRPCMessage, RequestId, Transport } from "@modelcontextprotocol/client";
import { systemClock, type Timers } from "../base/clock.ts";
import { endOf } from "../base/end-of.ts";
import { type Fields, fieldsOf, isFields, parsed, textAt } from "../base/json.ts";
import { lines } from "../base/lines.ts";
import type { End, Running } from "../process/running.ts";
import { spawnProcess } from "../process/spawn.ts";
import { withLimit } from "../process/terminate.ts";

/** How long, in milliseconds, one may take to end that has closed its output. */
export const HANG_UP_MS = 1500;

const KEPT_STDERR = 2000;
const MAX_OUTPUT_BYTES = 4 * 1024 ** 3;

export type ServerProcess = {
  argv: readonly [string, ...string[]];
  cwd: string;
  env: { readonly [name: string]: string };
  marker: { readonly [name: string]: string };
  clock?: Timers;
};

export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** The last words on standard error. */
  stderr = "";
  /** How it ended, once it has. */
  end: End | null = null;
  /** It was ended, since it closed its output and lived on. */
  hungUp = false;
  readonly #options: ServerProcess;
  /** The ids of requests without an answer. */
  readonly #waiting = new Set<RequestId>();
  #running: Running | null = null;

  constructor(options: ServerProcess) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const stdout = lines({
      onLine: (line) => this.#read(line),
      onTooLong: () => this.#lose("the answer has more than 10 MiB, which is not read"),
    });
    const { clock: _, ...process } = this.#options;
    const running = spawnProcess({
      ...process,
      stdin: "pipe",
      maxOutputBytes: MAX_OUTPUT_BYTES,
      onOutput: (stream, text) => {
        if (stream === "stdout") stdout.push(text);
        else this.stderr = endOf(this.stderr + text, KEPT_STDERR);
      },
      onOutputEnd: (stream) => stream === "stdout" && void this.#hangUp(running),
    });
    this.#running = running;
    void running.ended.then((end) => {
      stdout.end();
      this.end = end;
      this.onclose?.();
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const input = this.#running?.stdin;
    if (input === null || input === undefined || this.end !== null) throw new Error("the server has ended");
    if ("method" in message && "id" in message) this.#waiting.add(message.id);
    await new Promise<void>((resolve, reject) => {
      input.write(`${JSON.stringify(message)}\n`, (error) => (error ? reject(error) : resolve()));
    });
  }

  async close(): Promise<void> {
    this.#running?.stdin?.end();
    await this.#running?.terminate();
    await this.#running?.ended;
  }

  /** One that is about to end says itself how. */
  async #hangUp(running: Running): Promise<void> {
    await withLimit(running.ended, HANG_UP_MS, this.#options.clock ?? systemClock);
    if (this.end !== null) return;
    this.hungUp = true;
    await running.terminate();
  }

  #lose(why: string): void {
    this.onerror?.(new Error(why));
    for (const id of [...this.#waiting]) this.#fail(id, why);
  }
  #fail(id: RequestId, message: string): void {
    this.#waiting.delete(id);
    this.onmessage?.({ jsonrpc: "2.0", id, error: { code: -32_603, message } });
  }

  #read(line: string): void {
    const value = parsed(line);
    const messages = (Array.isArray(value) ? value : [value]).filter((one) => isFields(one ?? undefined));
    for (const message of messages) this.#take(message as Fields);
    if (messages.length > 0) return;
    // A server may write words of its own; these were a message.
    if (/^\s*[{[].*"jsonrpc"/s.test(line)) return this.#lose("the server's answer is no JSON");
    this.onerror?.(new Error("a line that is no message was dropped"));
  }

  #take(message: Fields): void {
    const { method, id, error, result } = message;
    if (method === undefined) {
      const said = textAt(fieldsOf(error), "message");
      if (id == null && error !== undefined)
        return this.#lose(`the server's error names no request: ${said ?? "no reason"}`);
      const asked = [...this.#waiting].find((one) => String(one) === String(id));
      if (asked !== undefined && !isFields(result) && said === null)
        return this.#fail(asked, "the server's answer is neither a result nor an error of the protocol");
      if (asked !== undefined) this.#waiting.delete(asked);
    }
    this.onmessage?.(message as JSONRPCMessage);
  }
}
