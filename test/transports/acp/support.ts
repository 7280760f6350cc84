/** A served connection in memory: lines in, messages out, and a facade whose sessions a test plays. */
import { PassThrough } from "node:stream";
import { EMPTY, Observable } from "rxjs";
import { promptInFlight } from "../../../actors/facade/refuse.ts";
import { beginning } from "../../../actors/facade/since.ts";
import type {
  Attendance,
  LogOptions,
  Missing,
  PromptRequest,
  Reservation,
  Session,
  SessionOption,
  SessionPage,
  SessionQuery,
  Setup,
  Troupe,
  Viewer,
  WorkflowSummary,
} from "../../../actors/troupe.ts";
import type { Exchange, Frame, Row } from "../../../machines/exchange.ts";
import { serveAcp } from "../../../transports/acp/stdio.ts";
import type { Sent } from "../../support/acp-schema.ts";

type Message = { [name: string]: unknown };

/** A session whose log the test writes. Frames reach followers when the test delivers them. */
export class PlayedSession implements Session {
  readonly id: string;
  readonly cwd: string;
  readonly log: Exchange[] = [];
  readonly calls: unknown[][] = [];
  /** What `prompt` does; the turn is called `t`. */
  onPrompt: (request: PromptRequest) => Promise<{ turn: string }> = () => Promise.resolve({ turn: "t" });
  onCancel: () => void = () => undefined;
  onMissing: Missing | null = null;
  lost = Promise.withResolvers<never>();
  #viewers = 0;
  /** The viewer that has prompted last. */
  #asked: string | null = null;
  #reserved: { take: () => void; over: Promise<void> } | null = null;
  readonly #followers = new Set<{ after: number; isPaused: boolean; push: (frames: readonly Frame[]) => void }>();
  constructor(id: string, cwd: string) {
    this.id = id;
    this.cwd = cwd;
    this.lost.promise.catch(() => undefined);
  }

  write(...rows: Row[]): void {
    for (const row of rows) this.log.push({ ...row, seq: this.log.length + 1, at: 0 });
  }
  /** Gives every follower what it has not had, in one batch; live frames only to those that are not paused. */
  deliver(...live: Frame[]): void {
    for (const one of this.#followers) {
      if (one.isPaused) continue;
      const frames = [...this.log.slice(one.after), ...live];
      one.after = this.log.length;
      if (frames.length > 0) one.push(frames);
    }
  }
  get followers(): number {
    return this.#followers.size;
  }
  get paused(): number {
    return [...this.#followers].filter((one) => one.isPaused).length;
  }

  title(): string {
    return "";
  }
  head(): number {
    return this.log.length;
  }
  since(at: number): number {
    return beginning(this.log.slice(0, at).reverse(), at);
  }
  /** The workflow whose run a crash cut off. */
  cutOff: string | null = null;
  interrupted(): string | null {
    return this.cutOff;
  }
  rows(after: number, limit: number): Exchange[] {
    return this.log.slice(after, after + limit);
  }
  log$({ after = 0, paused$ = EMPTY }: LogOptions = {}): Observable<readonly Frame[]> {
    return new Observable((reader) => {
      const one = { after, isPaused: false, push: (frames: readonly Frame[]) => reader.next(frames) };
      this.#followers.add(one);
      reader.add(() => this.#followers.delete(one));
      reader.add(
        paused$.subscribe((isPaused) => {
          one.isPaused = isPaused;
        }),
      );
    });
  }
  attend(_: Viewer): Attendance {
    this.#viewers += 1;
    const by = String(this.#viewers);
    const isAsked = (): boolean => this.#asked === by;
    return {
      get isAsked() {
        return isAsked();
      },
      reserve: () => this.#reserve(by),
      answered: async () => this.#reserved?.over,
      refuseAwaited: () => {
        if (this.#reserved !== null) throw promptInFlight(`session/${this.id}`);
      },
      decide: (permission, option) => this.decide(permission, option),
      leave: (options) => {
        this.calls.push(["leave", ...(options === undefined ? [] : [options])]);
        this.#reserved?.take();
      },
    };
  }
  #reserve(by: string): Reservation {
    if (this.#reserved !== null) throw promptInFlight(`session/${this.id}`);
    const taken = new AbortController();
    const { promise: over, resolve } = Promise.withResolvers<void>();
    this.#reserved = { take: () => taken.abort(), over };
    return {
      withdrawn: taken.signal,
      ended: this.lost.promise,
      prompt: (request) => {
        if (this.#reserved !== null) this.#reserved.take = () => undefined;
        this.#asked = by;
        this.calls.push(["prompt", { ...request, by }]);
        return this.onPrompt(request);
      },
      answered: () => {
        this.#reserved = null;
        resolve();
      },
    };
  }
  prompt(): never {
    throw new Error("not played");
  }
  async missing(): Promise<Missing | null> {
    return this.onMissing;
  }
  /** What is offered, and what was chosen. */
  offered: SessionOption[] = [];
  async options(): Promise<SessionOption[]> {
    return this.offered;
  }
  async choose(option: string, value: string): Promise<void> {
    this.calls.push(["choose", option, value]);
    this.offered = this.offered.map((one) => (one.id === option ? { ...one, current: value } : one));
  }
  questions(): [] {
    return [];
  }
  answer(): never {
    throw new Error("not played");
  }
  async tell(): Promise<never> {
    throw new Error("a played session has no agent at work");
  }
  async decide(permission: string, option: string | null): Promise<void> {
    this.calls.push(["decide", permission, option]);
    if (option === "none of them") throw new Error("no such option");
  }
  async cancel(): Promise<void> {
    this.calls.push(["cancel"]);
    this.#reserved?.take();
    this.onCancel();
  }
  async forget(): Promise<void> {
    this.calls.push(["forget"]);
  }
  async close(): Promise<void> {
    this.calls.push(["close"]);
    this.#reserved?.take();
  }
  ended(): Promise<never> {
    return this.lost.promise;
  }
  run(): never {
    throw new Error("not played");
  }
  rerun(): never {
    throw new Error("not played");
  }
  resume(): never {
    throw new Error("not played");
  }
}

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
