/**
 * An editor for tests: drives a real `troupe acp` over its pipes and keeps every message of both sides, in order.
 *
 * I1. A wait names what it waits for and looks at the whole trace: who asks late misses nothing.
 * I2. An agent that ends rejects what is waited for.
 */
import type { Sent } from "./acp-schema.ts";
import type { Started } from "./started.ts";

export type Message = { [name: string]: unknown };
export type Answer = { result?: unknown; error?: { code: number; message: string; data?: unknown } };
export type Asked = { options: { optionId: string; kind: string }[]; toolCall: Message; _meta?: Message };
type Wanted = { isIt: (sent: Sent) => boolean; resolve: (sent: Sent) => void; reject: (error: Error) => void };

export class Editor {
  readonly agent: Started;
  readonly trace: Sent[] = [];
  /** Answers a permission request with the id of an option, null for a cancel, or not at all. */
  decide: (asked: Asked) => string | null | undefined = () => null;
  #id = 0;
  #wanted: Wanted[] = [];

  constructor(agent: Started) {
    this.agent = agent;
    agent.onLine = (line) => this.#hear(JSON.parse(line) as Message);
    void agent.ended.then(() => {
      for (const { reject } of this.#wanted) reject(new Error(`the agent has ended; stderr: ${agent.stderr}`));
    });
  }

  /** Sends a request; resolves with its answer, whichever it is. */
  request(method: string, params: object): Promise<Answer> {
    const id = ++this.#id;
    this.send({ jsonrpc: "2.0", id, method, params });
    const answer = this.sees(({ from, message }) => from === "agent" && message["id"] === id && !("method" in message));
    const answered = answer.then(({ message }) => message as Answer);
    answered.catch(() => undefined);
    return answered;
  }
  notify(method: string, params: object): void {
    this.send({ jsonrpc: "2.0", method, params });
  }
  initialize(): Promise<Answer> {
    return this.request("initialize", { protocolVersion: 1, clientCapabilities: {} });
  }
  async open(cwd: string): Promise<string> {
    const { result } = await this.request("session/new", { cwd, mcpServers: [] });
    return (result as { sessionId: string }).sessionId;
  }
  prompt(sessionId: string, text: string): Promise<Answer> {
    return this.request("session/prompt", { sessionId, prompt: [{ type: "text", text }] });
  }
  /** Resolves with the first message of the trace from `from` on for which `isIt` holds. */
  sees(isIt: (sent: Sent) => boolean, from = 0): Promise<Sent> {
    const there = this.trace.slice(from).find(isIt);
    if (there !== undefined) return Promise.resolve(there);
    const seen = new Promise<Sent>((resolve, reject) => this.#wanted.push({ isIt, resolve, reject }));
    seen.catch(() => undefined); // the one who waits handles it
    return seen;
  }
  /** Resolves when the updates so far hold this text. */
  async hears(text: string): Promise<void> {
    await this.sees(({ from, message }) => from === "agent" && JSON.stringify(message).includes(text));
  }
  /** Hangs up and waits for the agent's end. */
  async leave(): Promise<{ code: number | null; signal: string | null }> {
    this.agent.child.stdin.end();
    return await this.agent.ended;
  }

  send(message: Message): void {
    this.trace.push({ from: "client", message });
    this.agent.child.stdin.write(`${JSON.stringify(message)}\n`);
  }
  #hear(message: Message): void {
    const sent: Sent = { from: "agent", message };
    this.trace.push(sent);
    const met = this.#wanted.filter(({ isIt }) => isIt(sent));
    this.#wanted = this.#wanted.filter((one) => !met.includes(one));
    for (const { resolve } of met) resolve(sent);
    if (message["method"] !== "session/request_permission") return;
    const optionId = this.decide(message["params"] as Asked);
    if (optionId !== undefined) this.answer(message["id"], optionId);
  }
  /** Answers the permission request of this id, again if need be. */
  answer(id: unknown, optionId: string | null): void {
    const outcome = optionId === null ? { outcome: "cancelled" } : { outcome: "selected", optionId };
    this.send({ jsonrpc: "2.0", id, result: { outcome } });
  }
}

/** The updates of a trace, with the place of each in it. */
export function updatesOf(trace: readonly Sent[]): { at: number; session: string; update: Message }[] {
  return trace.flatMap(({ message }, at) => {
    if (message["method"] !== "session/update") return [];
    const { sessionId, update } = message["params"] as { sessionId: string; update: Message };
    return [{ at, session: sessionId, update }];
  });
}
/** The text of all message chunks of a trace, joined. */
export const saidIn = (trace: readonly Sent[]): string =>
  updatesOf(trace)
    .filter(({ update }) => update["sessionUpdate"] === "agent_message_chunk")
    .map(({ update }) => (update["content"] as { text: string }).text)
    .join("");
