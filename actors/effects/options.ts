/** What the effects are made with: everything of the outside world comes in here. */

import type { Exchange, Row } from "../../machines/exchange.ts";
import type { McpServer } from "../../machines/mcp/server.ts";
import type { Key } from "../../machines/model.ts";
import type { Tracing } from "../../machines/trace-context.ts";
import type { Workflow } from "../../machines/workflow/document.ts";
import type { Agent } from "../agents/agent.ts";
import type { Attachments } from "../attachments/attachments.ts";
import type { Clock } from "../base/clock.ts";
import type { EditorClient } from "../base/editor-client.ts";
import type { Limits } from "../base/limits.ts";
import type { Environment } from "../base/user-folders.ts";
import type { Config } from "../config/config.ts";
import type { Mask } from "../masking/masking.ts";
import type { Memory } from "../memory/memory.ts";
import type { Operations } from "../operations/registry.ts";
import type { Identity } from "../process/identity.ts";
import type { Consents } from "./gate/approve.ts";
import type { RateLimits } from "./rate-limits.ts";

/** Rows of a session of these types, from the first row of the earliest of these runs on. */
export type SpentRows = (session: Key, runs: readonly string[], types: readonly Row["type"][]) => Exchange[];

/** Where a call comes from: the run's folder, and the file of the calling workflow. */
export type CallSite = { cwd: string; file: string | null };

export type EffectOptions = {
  /** The environment of this process, or what stands for it in a test. */
  environment: Environment;
  /** Marks every child process. */
  owner: Identity;
  clock: Clock;
  /** A number in [0, 1). */
  random: () => number;
  /** An id for a run that a step calls. */
  newRun: () => string;
  /** Providers by name; each is loaded when a step first needs it. */
  agents: { readonly [provider: string]: () => Promise<Agent> };
  /** Operations by name; the same holds for them. */
  operations: Operations;
  /** Finds and checks the workflow of a `call_workflow`; throws a `TroupeError`. */
  loadWorkflow: (identifier: string, from: CallSite) => Promise<{ workflow: Workflow }>;
  /** The user's configuration; throws a `TroupeError` where it has a fault. Nothing is configured without it. */
  config?: () => Config;
  /** The MCP servers that the client of a session brought. */
  sessionServers?: (session: Key) => readonly McpServer[];
  /** What the editor of a session does in our place, where the user has configured it. */
  editor?: (session: Key) => EditorClient | null;
  limits?: Partial<Limits>;
  /** Learns secrets that steps pass on, and knows the marks of those that are missing. */
  mask?: Pick<Mask, "learn" | "missing" | "text">;
  /** Conversations of agents that keep none themselves. */
  memory?: Pick<Memory, "of">;
  /** What the user agreed to of agents of their own; without it none of them starts. */
  consents?: Consents;
  /** What is known of providers that limit their users; without it no step waits for one. */
  rateLimits?: RateLimits;
  /** An agent begins to work: what other processes say to it is taken in, until the answer is called. */
  works?: () => () => void;
  /** What a log has of what was spent; without it nothing was. */
  spentRows?: SpentRows;
  /** What steps start is told the span of their attempt. */
  tracing?: Tracing;
  /** What prompts brought along. */
  attachments?: Pick<Attachments, "read">;
};
