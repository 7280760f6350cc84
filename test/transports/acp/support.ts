/** A served connection in memory: lines in, messages out, and a facade whose sessions a test plays. */
import { PassThrough } from "node:stream";
import type { Session, SessionPage, SessionQuery, Setup, Troupe, WorkflowSummary } from "../../../actors/troupe.ts";
import { serveAcp } from "../../../transports/acp/stdio.ts";
import type { Sent } from "../../support/acp-schema.ts";
import { PlayedSession } from "./played-session.ts";

type Message = { [name: string]: unknown };

export class PlayedTroupe {
  readonly sessions: PlayedSession[] = [];
  readonly listed: string[] = [];
  closed = 0;
  workflows: WorkflowSummary[] = [];
  /** Rejects the next session with this. */
  fault: Error | null = null;

  async session({ cwd }: { cwd: string }): Promise<Session> {
    if (this.fault !== null) throw this.fault;
    const session = new PlayedSession(`s${this.sessions.length + 1}`, cwd);
    session.write({ type: "session.opened", payload: { cwd, principal: "u" } });
    this.sessions.push(session);
    return session;
  }
  /** What the sessions' clients brought when they were opened. */
  readonly setups: Partial<Setup>[] = [];
  async open(id: string, setup?: Partial<Setup>): Promise<Session> {
    const session = this.sessions.find((one) => one.id === id);
    if (session === undefined) throw Object.assign(new Error("no such session"), { code: "USER.SESSION.UNKNOWN" });
    if (setup !== undefined) this.setups.push(setup);
    return session;
  }
  /** What was asked for, and the page that is given. */
  readonly queries: SessionQuery[] = [];
  page: SessionPage = { sessions: [], nextCursor: null };
  readonly deleted: string[] = [];
  /** Who listens to changes of a directory. */
  readonly watching = new Map<string, () => void>();
  /** As the service knows it. */
  asTroupe(): Troupe {
    const troupe: Partial<Troupe> = {
      session: (options) => this.session(options),
      open: (id, setup) => this.open(id, setup),
      list: (cwd) => this.list(cwd),
      project: (cwd) => cwd,
      sessions: async (query = {}) => {
        this.queries.push(query);
        return this.page;
      },
      deleteSession: async (id) => void this.deleted.push(id),
      watch: (cwd, changed) => {
        this.watching.set(cwd, changed);
        return () => void this.watching.delete(cwd);
      },
      close: () => this.close(),
    };
    return troupe as Troupe;
  }
  async list(cwd: string): Promise<WorkflowSummary[]> {
    this.listed.push(cwd);
    return this.workflows;
  }
  async close(): Promise<void> {
    this.closed++;
  }
}

/** One connection. `heard` holds everything the client got, `trace` what both sides said. */
export class Client {
  readonly troupe = new PlayedTroupe();
  readonly input = new PassThrough();
  readonly output = new PassThrough({ highWaterMark: 16 * 1024 });
  readonly heard: Message[] = [];
  readonly trace: Sent[] = [];
  readonly ended: Promise<void>;
  opened = 0;
  #text = "";
  #waiting: { fits: (message: Message) => boolean; resolve: (message: Message) => void }[] = [];

  constructor() {
    this.ended = serveAcp({
      input: this.input,
      output: this.output,
      version: "0.0.0",
      open: async () => {
        this.opened++;
        return this.troupe.asTroupe();
      },
    });
    this.output.on("data", (bytes: Buffer) => this.#take(bytes.toString()));
  }

  /** Sends messages, or lines as they are, in one write. */
  send(...messages: (Message | string)[]): void {
    for (const message of messages) if (typeof message !== "string") this.trace.push({ from: "client", message });
    const lines = messages.map((one) => (typeof one === "string" ? one : JSON.stringify(one)));
    this.input.write(`${lines.join("\n")}\n`);
  }
  request(id: number | string, method: string, params: object): Promise<Message> {
    const answer = this.message((message) => message["id"] === id && !("method" in message));
    this.send({ jsonrpc: "2.0", id, method, params });
    return answer;
  }
  notify(method: string, params: object): void {
    this.send({ jsonrpc: "2.0", method, params });
  }
  /** The next message that fits, or the first that was heard already. */
  message(fits: (message: Message) => boolean): Promise<Message> {
    const known = this.heard.find(fits);
    if (known !== undefined) return Promise.resolve(known);
    return new Promise((resolve) => this.#waiting.push({ fits, resolve }));
  }
  /** Initialised, with one session open. */
  async ready(): Promise<PlayedSession> {
    await this.request("i", "initialize", { protocolVersion: 1 });
    await this.request("n", "session/new", { cwd: "/", mcpServers: [] });
    return this.troupe.sessions[0] as PlayedSession;
  }
  prompt(id: number, text: string, sessionId = "s1"): Promise<Message> {
    return this.request(id, "session/prompt", { sessionId, prompt: [{ type: "text", text }] });
  }
  /** The session updates of a kind. */
  updates(kind?: string): Message[] {
    return this.heard
      .filter(({ method }) => method === "session/update")
      .map(({ params }) => (params as { update: Message }).update)
      .filter(({ sessionUpdate }) => kind === undefined || sessionUpdate === kind);
  }
  async hangUp(): Promise<void> {
    this.input.end();
    await this.ended;
  }

  #take(text: string): void {
    const lines = (this.#text + text).split("\n");
    this.#text = lines.pop() ?? "";
    for (const line of lines) {
      const message = JSON.parse(line) as Message;
      this.heard.push(message);
      this.trace.push({ from: "agent", message });
      const waiting = this.#waiting.filter(({ fits }) => fits(message));
      this.#waiting = this.#waiting.filter((one) => !waiting.includes(one));
      for (const { resolve } of waiting) resolve(message);
    }
  }
}
