/**
 * How a conversation comes to its agent: configured, agreed to, started, each time anew. H10, H19–H21, H40, H51.
 */
import type { McpServer } from "@agentclientprotocol/sdk";
import type { FrameMasking } from "../acp-client/frames/frame-mask.ts";
import { FramesLog } from "../acp-client/frames/frames-log.ts";
import type { SingleClient } from "../acp-client/single.ts";
import { type HandedServers, handServers } from "../agents/acp/handed.ts";
import { agreedServers, launchOf } from "../agents/acp/launch.ts";
import { serversFor } from "../agents/acp/servers.ts";
import type { Launch } from "../agents/agent.ts";
import type { Environment } from "../base/user-folders.ts";
import type { AcpAgent, Config } from "../config/settings.ts";
import { agentEnvironment } from "../process/environment.ts";
import { ownIdentity } from "../process/identity.ts";
import { markerFor } from "../process/marker.ts";
import type { ChatQuestions } from "./questions.ts";
import { type ReachParts, reach } from "./reach.ts";
import type { Recorder } from "./recorder.ts";

export type ReachingParts = {
  id: string;
  cwd: string;
  environment: Environment;
  /** The agent as it is configured now. Throws where it cannot be started. */
  agent: () => AcpAgent;
  config: () => Pick<Config, "mcpServers">;
  /** Lets it start, or throws. */
  approve: (launch: Launch, questions: ChatQuestions) => Promise<void>;
  /** With the values that stand in the user's store of secrets. */
  unlock: (agent: AcpAgent) => Promise<AcpAgent>;
  mask: FrameMasking;
  now: () => number;
  framesLog: string | null;
};
type Starting = Pick<ReachParts, "questions" | "calls" | "edits" | "onUpdate" | "onUnknown" | "onFault"> & {
  recorder: Recorder;
  notice: (message: string) => void;
};

export class Reaching {
  readonly #parts: ReachingParts;
  #log: FramesLog | null = null;
  #handed: HandedServers | null = null;
  /** The agent that was started last, or is about to be. */
  #starting: Promise<SingleClient> | null = null;
  readonly #over = new AbortController();
  constructor(parts: ReachingParts) {
    this.#parts = parts;
  }

  /** Throws what stands in the way; nothing of the agent runs then. */
  async start({ recorder, notice, ...hands }: Starting): Promise<{ client: SingleClient; mcpServers: McpServer[] }> {
    const { id, cwd, environment, approve, unlock, mask, now, framesLog } = this.#parts;
    const agent = this.#parts.agent();
    const { mcpServers: configured } = this.#parts.config();
    const given = { ...agentEnvironment(environment, {}), ...agent.env };
    const serverSources = Object.fromEntries(configured.map(({ name }) => [name, "you" as const]));
    const launch = launchOf(agent, { cwd, options: {}, mcpServers: configured, serverSources }, given);
    await approve(launch, hands.questions);
    const env = { ...given, ...(await unlock(agent)).env };
    const request = { cwd, mcpServers: configured, serverSources };
    const servers = await agreedServers(agent, request, (asked) => approve(asked, hands.questions), notice);
    await this.#handed?.close();
    this.#over.signal.throwIfAborted();
    const marker = markerFor(ownIdentity(), `chat/${id}`);
    const handed = await handServers(servers, { agent, cwd, workspace: cwd, environment, marker });
    this.#handed = handed;
    if (this.#over.signal.aborted) await this.close(); // it was left meanwhile
    this.#over.signal.throwIfAborted();
    if (framesLog !== null) this.#log ??= new FramesLog(framesLog, { mask, now });
    this.#starting = reach({
      ...hands,
      agent,
      program: String(launch.shown["program"]),
      ...{ cwd, env, marker, boxed: handed.boxed },
      mask: (text) => mask.text(text),
      signal: this.#over.signal,
      keepers: this.#log === null ? [recorder] : [recorder, this.#log],
    });
    const client = await this.#starting;
    const { servers: mcpServers, notices } = serversFor(handed.servers, {
      takes: client.calls.agent.agentCapabilities?.mcpCapabilities,
      path: env["PATH"],
      file: agent.file,
    });
    for (const message of notices) notice(message);
    return { client, mcpServers };
  }
  /** What is about to start ends as well, and nothing starts any more. */
  async close(): Promise<void> {
    this.#over.abort();
    await this.#starting?.then(
      (client) => client.close(),
      () => undefined,
    );
    await this.#handed?.close();
    this.#handed = null;
    this.#log?.close();
    this.#log = null;
  }
}
