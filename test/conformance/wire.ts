/**
 * One client of an agent over any transport, and the lines of its trace that are shown.
 *
 * I1. A wire sees only its own scenario: earlier messages are gone.
 */
import type { Editor } from "../support/acp-editor.ts";
import { faultsOf, type Sent } from "../support/acp-schema.ts";
import type { SocketClient } from "../support/server.ts";
import type { Excerpt } from "./excerpt.ts";

export type Message = { [name: string]: unknown };
export type Answer = { result?: unknown; error?: { code: number; message: string; data?: unknown } };
export type Asked = { sessionId: string; options: { optionId: string; kind: string }[]; toolCall: Message };
export type Client = Editor | SocketClient;
/** Answers a question: the id of an option, null for a cancel, undefined for no answer. */
export type Decide = (asked: Asked) => string | null | undefined;

/** Kinds and methods that only the older specification has: no schema knows them. */
const RAW_KINDS = ["execution_state_update", "retry_update"];
const LEGACY = ["session/set_model", "session/export", "session/stop", "session/fork", "$/nothing"];

/** A trace, and the lines of it that are shown. */
export class Shown {
  readonly trace: readonly Sent[];
  readonly #excerpt: Excerpt;
  readonly #name: string;
  /** Where in the trace the search for the next message begins. */
  #shown = 0;

  constructor(trace: readonly Sent[], excerpt: Excerpt, name = "") {
    this.trace = trace;
    this.#excerpt = excerpt;
    this.#name = name === "" ? "" : `${name} `;
  }

  /**
   * Shows messages of the trace in order, each searched for after the one before: `method` is a request or a
   * notification, `=method` the answer to one, `~kind` an update. Throws where there is none, so the order is checked.
   */
  show(...wanted: readonly string[]): void {
    for (const want of wanted) {
      const at = this.trace.findIndex((sent, index) => index >= this.#shown && this.#is(sent, want));
      if (at < 0)
        throw new Error(`there is no "${want}" behind ${JSON.stringify(this.trace.slice(0, this.#shown).at(-1))}`);
      this.#shown = at + 1;
      this.#excerpt.show(this.trace[at] as Sent, this.#name);
    }
  }
  /** The next search begins here. */
  mark(): void {
    this.#shown = this.trace.length;
  }
  say(text: string): void {
    this.#excerpt.say(`${this.#name}${text}`);
  }
  /** The faults in the agent's messages. */
  faults(): string[] {
    const valid = this.trace.filter(({ message }) => {
      const { update } = (message["params"] ?? {}) as { update?: Message };
      return !RAW_KINDS.includes(String(update?.["sessionUpdate"]));
    });
    return faultsOf(valid, ["agent"], LEGACY);
  }

  #is({ from, message }: Sent, want: string): boolean {
    const { id, method, params } = message;
    if (want.startsWith("~")) {
      const { update } = (params ?? {}) as { update?: Message };
      return method === "session/update" && update?.["sessionUpdate"] === want.slice(1);
    }
    if (!want.startsWith("=")) return method === want;
    const asked = this.trace.find(
      (sent) => sent.from !== from && sent.message["id"] === id && "method" in sent.message,
    );
    return method === undefined && asked?.message["method"] === want.slice(1);
  }
}

export class Wire extends Shown {
  readonly client: Client;

  constructor(client: Client, excerpt: Excerpt, name = "") {
    super(client.trace, excerpt, name);
    this.client = client;
  }

  request(method: string, params: object): Promise<Answer> {
    return this.client.request(method, params);
  }
  /** The result; throws where there is an error. */
  async result(method: string, params: object): Promise<Message> {
    const { result, error } = await this.request(method, params);
    if (error !== undefined) throw new Error(`${method}: ${error.code} ${error.message}`);
    return result as Message;
  }
  notify(method: string, params: object): void {
    this.client.notify(method, params);
  }
  async open(cwd: string): Promise<string> {
    return (await this.result("session/new", { cwd, mcpServers: [] }))["sessionId"] as string;
  }
  prompt(sessionId: string, text: string): Promise<Answer> {
    return this.client.prompt(sessionId, text);
  }
  /** Answers a request of the agent with this result. */
  answer(id: unknown, result: object): void {
    this.client.send({ jsonrpc: "2.0", id, result });
  }
  fail(id: unknown, code: number, message: string): void {
    this.client.send({ jsonrpc: "2.0", id, error: { code, message } });
  }
  decides(decide: Decide): void {
    (this.client as { decide: Decide }).decide = decide;
  }
  sees(isIt: (sent: Sent) => boolean): Promise<Sent> {
    return this.client.sees(isIt);
  }
  /** Resolves when the commands of a session have been announced. */
  told(session: string): Promise<Sent> {
    return this.sees(({ message }) => {
      const { sessionId, update } = (message["params"] ?? {}) as { sessionId?: string; update?: Message };
      return sessionId === session && update?.["sessionUpdate"] === "available_commands_update";
    });
  }
  hears(text: string): Promise<Sent> {
    return this.sees(({ from, message }) => from === "agent" && JSON.stringify(message).includes(text));
  }
  /** The updates of a session, from a place of the trace on. */
  updates(session: string, from = 0): Message[] {
    return this.trace.slice(from).flatMap(({ message }) => {
      const { sessionId, update } = (message["params"] ?? {}) as { sessionId?: string; update?: Message };
      return message["method"] === "session/update" && sessionId === session && update ? [update] : [];
    });
  }
  /** Their kinds, with neighbours of one kind listed once. */
  kinds(session: string, from = 0): string[] {
    const kinds = this.updates(session, from).map((update) => String(update["sessionUpdate"]));
    return kinds.filter((kind, index) => kind !== kinds[index - 1]);
  }
}
