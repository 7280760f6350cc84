/**
 * Plays frames to a program, in batches: all of a batch is written at once, then what is still open is ended, and one
 * right request is served.
 *
 * P1. After a batch nothing is owed: every request has its answer, every refusal was given, and a probe was answered.
 */
import type { Frame } from "./frames.ts";
import { type Id, Ledger } from "./ledger.ts";
import type { Json } from "./values.ts";

/** What carries messages: a line of a pipe, or a frame of a socket. */
export type Carrier = {
  /** Hands one message over, without its newline. Resolves when more may come. */
  write(bytes: Buffer): Promise<void>;
  onLine: (line: string) => void;
  /** Rejects when it is gone. */
  readonly lost: Promise<never>;
};
const MAX_SESSIONS = 8;
const CAPABILITIES = { elicitation: { form: {} }, session: { configOptions: { boolean: {} } } };

export class Player {
  readonly ledger = new Ledger();
  readonly #carrier: Carrier;
  readonly #cwd: string;
  readonly #answers = new Map<Id, (message: { result?: { sessionId?: string } }) => void>();
  #sessions: string[] = [];
  #id = 0;
  #last: Buffer | null = null;
  /** Frames that were played. */
  played = 0;

  constructor(carrier: Carrier, cwd: string) {
    this.#carrier = carrier;
    this.#cwd = cwd;
    carrier.onLine = (line) => {
      this.ledger.heard(line);
      this.#hear(line);
    };
  }
  async begin(): Promise<void> {
    await this.#ask("initialize", { protocolVersion: 1, clientCapabilities: CAPABILITIES });
    await this.#open();
    await this.ledger.settled();
  }

  async play(batch: readonly Frame[]): Promise<void> {
    for (const frame of batch) {
      const bytes = this.#bytesOf(frame);
      if (bytes !== null) await this.#send(bytes);
      this.played++;
    }
    // Whatever waits for a person is ended, until nothing is owed.
    let isSettled = false;
    const settled = this.ledger.settled().then(() => {
      isSettled = true;
    });
    while (!isSettled) {
      for (const sessionId of this.#sessions) await this.#notify("session/cancel", { sessionId });
      for (const id of this.ledger.asked.splice(0))
        await this.#write({ jsonrpc: "2.0", id, result: { action: "cancel" } });
      await Promise.race([settled, this.#change(), this.#carrier.lost]);
    }
    await this.#tidy();
    if (this.ledger.faults.length > 0) throw new Error(this.ledger.faults.splice(0).slice(0, 5).join("\n"));
  }

  /** The probe: a new session is opened, and the ones that are too many are deleted. */
  async #tidy(): Promise<void> {
    await this.#open();
    for (const sessionId of this.#sessions.splice(0, Math.max(0, this.#sessions.length - MAX_SESSIONS)))
      await this.#ask("session/delete", { sessionId });
    await this.ledger.settled();
  }
  async #open(): Promise<void> {
    const answer = await this.#ask("session/new", { cwd: this.#cwd, mcpServers: [] });
    if (answer.result?.sessionId === undefined) throw new Error(`the probe was refused: ${JSON.stringify(answer)}`);
  }

  #hear(line: string): void {
    const { id, method, result } = JSON.parse(line) as { id?: Id; method?: string; result?: { sessionId?: unknown } };
    if (typeof result?.sessionId === "string" && !this.#sessions.includes(result.sessionId))
      this.#sessions.push(result.sessionId);
    if (method === undefined && id !== undefined) {
      this.#answers.get(id)?.({ result } as { result?: { sessionId?: string } });
      this.#answers.delete(id);
    }
    this.#onChange?.();
  }
  #onChange: (() => void) | undefined;
  /** Resolves with the next message that is heard. */
  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#onChange = resolve;
    });
  }

  async #ask(method: string, params: Json): Promise<{ result?: { sessionId?: string } }> {
    const id = `p${++this.#id}`;
    const answer = new Promise<{ result?: { sessionId?: string } }>((resolve) => this.#answers.set(id, resolve));
    await this.#write({ jsonrpc: "2.0", id, method, params });
    return await Promise.race([answer, this.#carrier.lost]);
  }
  #notify(method: string, params: Json): Promise<void> {
    return this.#write({ jsonrpc: "2.0", method, params });
  }
  #write(message: object): Promise<void> {
    return this.#send(Buffer.from(JSON.stringify(message)));
  }
  #send(bytes: Buffer): Promise<void> {
    this.ledger.sent(bytes);
    return this.#carrier.write(bytes);
  }

  #bytesOf(frame: Frame): Buffer | null {
    switch (frame.kind) {
      case "line":
        return Buffer.from(frame.bytes);
      case "again":
        return this.#last;
      case "notification":
        return this.#filled({ jsonrpc: "2.0", method: frame.method, params: frame.params });
      case "response": {
        const { asked } = this.ledger;
        const id = asked.length === 0 || frame.to === 9 ? frame.to : asked[frame.to % asked.length];
        if (frame.to % 2 === 0) asked.splice(asked.indexOf(id), 1);
        return this.#filled({
          jsonrpc: "2.0",
          id,
          ...(frame.isError ? { error: frame.body } : { result: frame.body }),
        });
      }
      case "request": {
        const { id = ++this.#id, method, params, more } = frame;
        this.#last = this.#filled({ jsonrpc: "2.0", id, method, params, ...(more as object) });
        return this.#last;
      }
      default:
        return frame satisfies never;
    }
  }
  #filled(message: object): Buffer {
    const { open } = this.ledger;
    const fill = (_: string, value: unknown): unknown => {
      if (typeof value !== "string" || !value.startsWith("$")) return value;
      if (value === "$cwd") return this.#cwd;
      const [, what, n] = /^\$(session|open):(\d+)$/.exec(value) ?? [];
      if (what === "session") return this.#sessions.at(-1 - (Number(n) % MAX_SESSIONS)) ?? "none";
      return what === "open" && open.length > 0 ? open.at(-1 - (Number(n) % open.length)) : value;
    };
    return Buffer.from(JSON.stringify(message, fill));
  }
}
