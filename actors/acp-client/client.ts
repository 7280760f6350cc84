/**
 * A client of one ACP agent: sessions over whatever connection `Calls` has.
 *
 * I1. A session names only folders that exist and are absolute, and always with a list of MCP servers.
 * I2. An agent that asks for authentication is authenticated, and asked again (`authenticated.ts`).
 * I3. `open` of an earlier session never makes a new one in its place.
 * I4. The replay of a loaded session is delivered before the session is handed over, and never in a turn.
 */
import { isAbsolute } from "node:path";
import type { McpServer, SessionInfo } from "@agentclientprotocol/sdk";
import type { Timers } from "../base/clock.ts";
import { authenticated, type ChooseAuth } from "./authenticated.ts";
import type { AgentCalls } from "./calls.ts";
import type { ClientHandlers } from "./client-handlers.ts";
import { ClientError } from "./errors.ts";
import { Roots } from "./files/roots.ts";
import { AgentSession, type Opened } from "./session.ts";

export { systemClock, type Timers } from "../base/clock.ts";

/** Where a session works: its folder, others that it may use, and the MCP servers that it is handed. */
export type SessionPlace = {
  cwd: string;
  additionalDirectories?: readonly string[];
  mcpServers?: readonly McpServer[];
};
export type AgentClientParts = { calls: AgentCalls; desk: ClientHandlers; chooseAuth?: ChooseAuth; clock?: Timers };

/** An agent that never falls silent is not waited for without end. */
const MAX_TRIPS = 1_000;

export class AgentClient {
  /** @internal */
  readonly calls: AgentCalls;
  readonly #parts: AgentClientParts;
  readonly #desk: ClientHandlers;
  constructor(parts: AgentClientParts) {
    this.calls = parts.calls;
    this.#parts = parts;
    this.#desk = parts.desk;
  }

  /** Whether a session may name folders beside its own. @internal */
  get takesDirectories(): boolean {
    return this.calls.agent.agentCapabilities?.sessionCapabilities?.additionalDirectories != null;
  }

  /** Whether it can go on with an earlier session in one way or the other. @internal */
  get opensEarlier(): boolean {
    const { loadSession, sessionCapabilities } = this.calls.agent.agentCapabilities ?? {};
    return loadSession === true || sessionCapabilities?.resume != null;
  }

  /** Opens a session in folders that exist, by their absolute paths. @example const session = await client.newSession({ cwd: process.cwd() }); */
  async newSession(place: SessionPlace): Promise<AgentSession> {
    const { roots, params } = await this.#placed(place);
    const opened = await this.#authenticated(() => this.calls.request("session/new", params));
    return this.#seated(opened.sessionId, roots, params, opened);
  }

  /** An earlier session: resumed where the agent can, otherwise loaded, which replays it as updates. @example const session = await client.openSession(sessionId, { cwd: process.cwd() }); */
  async openSession(sessionId: string, place: SessionPlace): Promise<AgentSession> {
    const { roots, params } = await this.#placed(place);
    if (!this.opensEarlier)
      throw new ClientError("unsupported", "the agent cannot continue an earlier session", { sessionId });
    const canResume = this.calls.agent.agentCapabilities?.sessionCapabilities?.resume != null;
    const method = canResume ? "session/resume" : "session/load";
    return this.#reopened(method, sessionId, roots, params);
  }
  /** An earlier session, replayed from its beginning as updates. */
  async loadSession(sessionId: string, place: SessionPlace): Promise<AgentSession> {
    const { roots, params } = await this.#placed(place);
    if (this.calls.agent.agentCapabilities?.loadSession !== true)
      throw new ClientError("unsupported", "the agent cannot load an earlier session", { sessionId });
    return this.#reopened("session/load", sessionId, roots, params);
  }

  /** All sessions that the agent lists, page after page. @example for await (const { sessionId, title } of client.sessions({ cwd })) console.log(sessionId, title); */
  async *sessions({ cwd }: { cwd?: string } = {}): AsyncGenerator<SessionInfo> {
    if (this.calls.agent.agentCapabilities?.sessionCapabilities?.list == null)
      throw new ClientError("unsupported", "the agent lists no sessions");
    let cursor: string | undefined;
    const given = new Set<string | undefined>();
    do {
      given.add(cursor);
      const page = await this.calls.request("session/list", {
        ...(cwd === undefined ? {} : { cwd }),
        ...(cursor === undefined ? {} : { cursor }),
      });
      yield* page.sessions;
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined && !given.has(cursor)); // an agent that says one again would say it for ever
  }

  async #reopened(method: "session/resume" | "session/load", sessionId: string, roots: Roots, params: Params) {
    // Its updates come before the answer.
    const seat = this.#desk.seat(sessionId, roots);
    if (method === "session/load") this.#desk.replaying(sessionId, { reset: false });
    try {
      const opened = await this.#authenticated(() => this.calls.request(method, { sessionId, ...params }));
      await this.#desk.shown(sessionId);
      if (method === "session/load") await this.#toldAgain(sessionId);
      seat.keep();
      return this.#session(sessionId, params, opened);
    } catch (error) {
      await seat.leave();
      throw error;
    } finally {
      this.#desk.replayed(sessionId);
    }
  }
  /**
   * An agent may answer before its replay is complete (Gemini does). It has when a round trip brings nothing more (I4).
   */
  async #toldAgain(sessionId: string): Promise<void> {
    for (let trips = 0; trips < MAX_TRIPS; trips++) {
      const before = this.#desk.arrived(sessionId);
      const isAnswered = (await this.calls.roundTrip?.()) ?? false;
      await this.#desk.shown(sessionId);
      if (!isAnswered || this.#desk.arrived(sessionId) === before) return;
    }
  }
  #seated(sessionId: string, roots: Roots, params: Params, opened: Opened): AgentSession {
    this.#desk.seat(sessionId, roots).keep();
    return this.#session(sessionId, params, opened);
  }
  #session(id: string, { cwd, mcpServers, additionalDirectories = [] }: Params, opened: Opened): AgentSession {
    const facts = { id, cwd, additional: additionalDirectories };
    this.calls.attached({ ...facts, mcpServers });
    return new AgentSession(facts, opened, this.#parts);
  }

  async #placed(place: SessionPlace) {
    // A program in JavaScript may have left the folder out.
    const { cwd, additionalDirectories = [], mcpServers = [] } = place ?? {};
    const isWrong = (folder: unknown): boolean => typeof folder !== "string" || !isAbsolute(folder);
    const wrong = [cwd, ...additionalDirectories].filter(isWrong);
    if (wrong.length > 0) throw new ClientError("unsupported", `a session needs absolute folders, not "${wrong[0]}"`);
    const additional = this.takesDirectories ? [...additionalDirectories] : [];
    const roots = await Roots.of(cwd, additional).catch((error: Error) => {
      throw new ClientError("unsupported", `a session needs folders that exist: ${error.message}`, {}, error);
    });
    const params: Params = { cwd, mcpServers: this.#reachable(mcpServers) };
    if (additional.length > 0) params.additionalDirectories = additional;
    return { roots, params };
  }

  /** An agent is handed servers of the kinds that it can reach. */
  #reachable(servers: readonly McpServer[]): McpServer[] {
    const { http, sse } = this.calls.agent.agentCapabilities?.mcpCapabilities ?? {};
    const wrong = servers.find(
      (server) => "type" in server && ((server.type === "http" && !http) || (server.type === "sse" && !sse)),
    );
    if (wrong === undefined) return [...servers];
    throw new ClientError(
      "unsupported",
      `the agent cannot reach the MCP server "${wrong.name}": it takes no such kind`,
    );
  }

  #authenticated<T>(ask: () => Promise<T>): Promise<T> {
    const { agent, request } = this.calls;
    return authenticated({ agent, request, chooseAuth: this.#parts.chooseAuth }, ask);
  }
}

type Params = { cwd: string; mcpServers: McpServer[]; additionalDirectories?: string[] };
