/** A place for a real agent program: a model server, a home and a workspace of its own, nothing of the user's. */
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, watch } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Agent, AgentEvent, AgentRequest, AgentResult } from "../../actors/agents/agent.ts";
import { Masking } from "../../actors/masking/masking.ts";
import { openMemory } from "../../actors/memory/memory.ts";
import { ownIdentity } from "../../actors/process/identity.ts";
import { markerFor, SCOPE_VARIABLE } from "../../actors/process/marker.ts";
import { scanProcesses } from "../../actors/process/table.ts";
import { BUILT_IN, Toolbox } from "../../actors/tools/toolbox.ts";
import { conversationsIn } from "../support/kept.ts";
import { ModelServer } from "../support/model-server/model-server.ts";
import type { Subject } from "./subject.ts";

type Home = Pick<Subject, "environment" | "prepare" | "answer"> & { options?: Subject["options"] };

export type Played = {
  heard: AgentEvent[];
  result: AgentResult;
  /** Processes of this attempt that still run after it has settled. */
  left: number;
};
/** `until`: an event on which the agent is aborted; `abortOn`: aborts it when it settles. */
export type Over = Partial<AgentRequest> & { until?: (event: AgentEvent) => boolean; abortOn?: Promise<unknown> };

let attempts = 0;

export class Place {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), "troupe-real-")));
  readonly cwd = join(this.root, "work");
  readonly home = join(this.root, "home");
  readonly server: ModelServer;
  readonly #subject: Home;
  readonly #memory = openMemory(conversationsIn(join(this.root, "conversations.db")), new Masking()).of("session/real");

  private constructor(server: ModelServer, subject: Home) {
    this.server = server;
    this.#subject = subject;
    mkdirSync(this.cwd);
    mkdirSync(this.home);
    subject.prepare?.(server, this.home);
  }

  static async open(subject: Home): Promise<Place> {
    return new Place(await ModelServer.start(), subject);
  }

  /** Resolves when the file is in the workspace. */
  written(file: string): Promise<void> {
    return new Promise((resolve) => {
      const watcher = watch(this.cwd, () => {
        if (!existsSync(join(this.cwd, file))) return;
        watcher.close();
        resolve();
      });
    });
  }

  /** Runs an agent to its end, or until an event on which it is aborted. */
  async play(agent: Agent, { until, abortOn, ...over }: Over): Promise<Played> {
    const controller = new AbortController();
    const heard: AgentEvent[] = [];
    const marker = markerFor(ownIdentity(), `real/${process.pid}/${++attempts}`);
    const request: AgentRequest = {
      prompt: "Hello",
      systemPrompt: null,
      cwd: this.cwd,
      env: this.#subject.environment(this.server, this.home),
      conversation: null,
      continues: false,
      mcpServers: [],
      ownTools: "kept",
      warm: { session: "session/s", marker },
      memory: this.#memory,
      attempt: 1,
      marker,
      approve: async () => undefined,
      ask: async () =>
        this.#subject.answer === "yes"
          ? { allowed: true }
          : { allowed: false, message: "Nobody is there.", abort: false },
      rules: () => "allow",
      ...over,
      options: { ...this.#subject.options, ...over.options },
    };
    const hear = (event: AgentEvent): void => {
      heard.push(event);
      if (until?.(event) === true) controller.abort();
    };
    void abortOn?.then(() => controller.abort());
    const toolbox = agent.calls === "tools" ? this.#toolbox(request, hear) : null;
    const result = await agent(toolbox === null ? request : { toolbox, ...request }, hear, controller.signal);
    await toolbox?.close();
    const left = scanProcesses(null).filter(({ scope }) => scope === marker[SCOPE_VARIABLE]).length;
    return { heard, result, left };
  }

  #toolbox({ cwd, env, marker, ask, rules }: AgentRequest, emit: (event: AgentEvent) => void): Toolbox {
    const { PATH = "", HOME = "" } = env;
    return new Toolbox({ tools: BUILT_IN, cwd, env: { PATH, HOME }, marker: () => marker, ask, rules, emit });
  }

  async close(): Promise<void> {
    await this.server.stop();
    rmSync(this.root, { recursive: true, force: true });
  }
}
