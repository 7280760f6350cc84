/** A place for a real agent program: a model server, a home and a workspace of its own, nothing of the user's. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Agent, AgentEvent, AgentRequest, AgentResult } from "../../actors/agents/agent.ts";
import { ownIdentity } from "../../actors/process/identity.ts";
import { markerFor, SCOPE_VARIABLE } from "../../actors/process/marker.ts";
import { scanProcesses } from "../../actors/process/table.ts";
import { ModelServer } from "../support/model-server/model-server.ts";
import { PATH_WITH_AGENTS } from "./programs.ts";

export type Played = {
  heard: AgentEvent[];
  result: AgentResult;
  /** Processes of this attempt that run when it has settled. */
  left: number;
};
export type Over = Partial<AgentRequest> & { until?: (event: AgentEvent) => boolean };

/** The environment of Claude Code: it speaks to the model server alone. */
export const claudeEnvironment = (server: ModelServer, home: string): { [name: string]: string } => ({
  PATH: PATH_WITH_AGENTS,
  HOME: home,
  LANG: "C.UTF-8",
  ANTHROPIC_BASE_URL: server.url,
  ANTHROPIC_API_KEY: "sk-local-000000000000",
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
  CLAUDE_CODE_MAX_RETRIES: "1",
  DISABLE_AUTOUPDATER: "1",
  // Without it the program refuses bypassPermissions to root.
  IS_SANDBOX: "1",
});

let attempts = 0;

export class Place {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), "troupe-real-")));
  readonly cwd = join(this.root, "work");
  readonly home = join(this.root, "home");
  readonly server: ModelServer;

  private constructor(server: ModelServer) {
    this.server = server;
    mkdirSync(this.cwd);
    mkdirSync(this.home);
  }

  static async open(): Promise<Place> {
    return new Place(await ModelServer.start());
  }

  /** Runs an agent to its end, or until an event on which it is aborted. */
  async play(agent: Agent, { until, ...over }: Over): Promise<Played> {
    const controller = new AbortController();
    const heard: AgentEvent[] = [];
    const marker = markerFor(ownIdentity(), `real/${process.pid}/${++attempts}`);
    const request: AgentRequest = {
      prompt: "Hello",
      systemPrompt: null,
      cwd: this.cwd,
      env: claudeEnvironment(this.server, this.home),
      conversation: null,
      continues: false,
      attempt: 1,
      marker,
      ...over,
      options: { model: "claude-sonnet-4-5", ...over.options },
    };
    const hear = (event: AgentEvent): void => {
      heard.push(event);
      if (until?.(event) === true) controller.abort();
    };
    const result = await agent(request, hear, controller.signal);
    const left = scanProcesses(null).filter(({ scope }) => scope === marker[SCOPE_VARIABLE]).length;
    return { heard, result, left };
  }

  async close(): Promise<void> {
    await this.server.stop();
    rmSync(this.root, { recursive: true, force: true });
  }
}
