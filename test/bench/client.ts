/**
 * The smallest possible client: newline-delimited JSON over a child's pipes. The same client drives Troupe and the
 * floor.
 *
 * I1. Every line is parsed as it comes, except while a stream is gathered. Then bytes are only kept, and parsed after
 *     the clock has stopped, so that the client itself is never measured.
 * I2. When an agent dies, every open request is rejected, with the end of its stderr.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";

export type Start = { argv: readonly string[]; cwd: string; env: { [name: string]: string } };
export type Update = { sessionUpdate: string; content?: { type: string; text?: string } };
type Message = {
  id?: number | string | null;
  method?: string;
  params?: { sessionId: string; update: Update };
  result?: unknown;
  error?: { code: number; message: string };
};
type Waiting = { resolve: (result: unknown) => void; reject: (error: Error) => void };
/** The messages between a prompt and its answer, and the milliseconds that this took. */
export type Gathered = { ms: number; updates: number; text: string };

const NEWLINE = 10;
const ANSWER = '"stopReason"';
const STDERR_KEPT = 4_096;
const EXIT_WITHIN_MS = 5_000;

export class Client {
  readonly #child: ChildProcess;
  readonly #stdin: Writable;
  readonly #stdout: Readable;
  readonly #waiting = new Map<number, Waiting>();
  readonly #exited: Promise<unknown>;
  #id = 0;
  #parts: Buffer[] = [];
  #stderr = "";
  #gathering: ((bytes: Buffer) => void) | undefined;
  /** Gets every update outside of `gather`. */
  onUpdate: ((session: string, update: Update) => void) | undefined;

  constructor({ argv: [file = "", ...rest], cwd, env }: Start) {
    const child = spawn(file, rest, { cwd, env, stdio: ["pipe", "pipe", "pipe"] });
    this.#child = child;
    this.#stdin = child.stdin;
    this.#stdout = child.stdout;
    this.#exited = once(child, "exit");
    child.stdout.on("data", (bytes: Buffer) => (this.#gathering ? this.#gathering(bytes) : this.#take(bytes)));
    child.stderr.on("data", (bytes: Buffer) => {
      this.#stderr = (this.#stderr + bytes.toString()).slice(-STDERR_KEPT);
    });
    child.stdin.on("error", () => undefined); // its exit says more
    child.on("exit", (code, signal) => this.#fail(`ended with ${signal ?? code}`));
    child.on("error", (error) => this.#fail(error.message));
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  request(method: string, params: object): Promise<unknown> {
    const id = ++this.#id;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    });
  }
  tell(method: string): void {
    this.#stdin.write(`${JSON.stringify({ jsonrpc: "2.0", method })}\n`);
  }
  initialize(): Promise<unknown> {
    return this.request("initialize", { protocolVersion: 1, clientCapabilities: {} });
  }
  async session(cwd: string): Promise<string> {
    return ((await this.request("session/new", { cwd, mcpServers: [] })) as { sessionId: string }).sessionId;
  }
  prompt(sessionId: string, text: string): Promise<unknown> {
    return this.request("session/prompt", { sessionId, prompt: [{ type: "text", text }] });
  }

  /** Sends a prompt and keeps all bytes until its answer, unread (I1). */
  async gather(sessionId: string, text: string): Promise<Gathered> {
    const buffers: Buffer[] = [];
    const begun = performance.now();
    const answered = new Promise<number>((resolve) => {
      let tail = "";
      this.#gathering = (bytes) => {
        buffers.push(bytes);
        const found = bytes.includes(ANSWER) || (tail + bytes.toString("latin1", 0, ANSWER.length)).includes(ANSWER);
        if (found) resolve(performance.now());
        tail = bytes.toString("latin1", Math.max(0, bytes.length - ANSWER.length));
      };
    });
    const answer = this.prompt(sessionId, text);
    const ms = (await Promise.race([answered, answer.then(() => performance.now())])) - begun;
    this.#gathering = undefined;
    const heard = this.onUpdate;
    let updates = 0;
    let said = "";
    this.onUpdate = (session, update) => {
      if (session !== sessionId || update.sessionUpdate !== "agent_message_chunk") return;
      updates++;
      said += update.content?.text ?? "";
    };
    this.#take(Buffer.concat(buffers));
    await answer; // the last bytes may still be on their way
    this.onUpdate = heard;
    return { ms, updates, text: said };
  }

  /** Stops reading: the pipe fills, and the agent's reader does not read. */
  stopReading(): void {
    this.#stdout.pause();
  }
  goOnReading(): void {
    this.#stdout.resume();
  }
  /** Ends the agent as an editor does, by closing its input, and after a while by force. */
  async end(): Promise<void> {
    this.#stdin.end();
    const force = setTimeout(() => this.#child.kill("SIGKILL"), EXIT_WITHIN_MS);
    await this.#exited;
    clearTimeout(force);
  }

  #take(bytes: Buffer): void {
    let start = 0;
    for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, start)) {
      this.#parts.push(bytes.subarray(start, at));
      const line = this.#parts.length === 1 ? bytes.toString("utf8", start, at) : Buffer.concat(this.#parts).toString();
      this.#parts = [];
      start = at + 1;
      if (line !== "") this.#hear(JSON.parse(line) as Message);
    }
    if (start < bytes.length) this.#parts.push(bytes.subarray(start));
  }
  #hear({ id, method, params, result, error }: Message): void {
    if (method === "session/update" && params) return this.onUpdate?.(params.sessionId, params.update);
    if (method !== undefined || typeof id !== "number") return;
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error) waiting?.reject(new Error(`${error.code} ${error.message}`));
    else waiting?.resolve(result);
  }
  #fail(what: string): void {
    const error = new Error(`the agent ${what}${this.#stderr === "" ? "" : `: ${this.#stderr.trim()}`}`);
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}
