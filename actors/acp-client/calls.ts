/** How a session reaches its agent, whichever connection it is on. */
import type {
  AgentNotificationMethod,
  AgentNotificationParamsByMethod,
  AgentRequestMethod,
  AgentRequestParamsByMethod,
  InitializeResponse,
  McpServer,
} from "@agentclientprotocol/sdk";
import type { CallOptions } from "./connection.ts";
import type { Response } from "./responses.ts";

/** A session that a client has, and what it takes to have it again. */
export type Attached = {
  id: string;
  cwd: string;
  additional: readonly string[];
  mcpServers: readonly McpServer[];
};

export interface AgentCalls {
  /** What the agent said of itself. */
  readonly agent: InitializeResponse;
  request<Method extends AgentRequestMethod>(
    method: Method,
    params: AgentRequestParamsByMethod[Method],
    options?: CallOptions,
  ): Promise<Response<Method>>;
  notify<Method extends AgentNotificationMethod>(
    method: Method,
    params: AgentNotificationParamsByMethod[Method],
  ): Promise<void>;
  /**
   * Whether the agent has answered a request that asks for nothing. Left out where an agent is known to send all first.
   */
  roundTrip?(): Promise<boolean>;
  /** A session that is to be found again after a lost connection; or not any more. */
  attached(session: Attached): void;
  detached(sessionId: string): void;
  /** Ends the connection under it: the agent does not obey. */
  drop(): Promise<void>;
}
