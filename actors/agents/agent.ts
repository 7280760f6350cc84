/**
 * What an agent is to a step: one request in, events out, one result. A provider is one file that exports an `Agent`.
 *
 * I1. `emit` is called in the order things happen and never waits.
 * I2. A tool call keeps one `call` id from its first event to its end.
 * I3. When `signal` aborts, the agent ends everything it started and then settles; it does not settle before.
 */
import type { Block, Location, ToolKind, ToolStatus } from "../../machines/exchange.ts";
import type { Json } from "../../machines/model.ts";
import type { AllowedEnvironment } from "../process/environment.ts";

export type AgentRequest = {
  prompt: string;
  systemPrompt: string | null;
  /** The workflow's `options:` with templates rendered. */
  options: { readonly [name: string]: Json };
  cwd: string;
  /** The environment that decision 10 allows; a provider passes it on as it is. */
  env: { readonly [name: string]: string };
  /** The provider's own conversation id to go on with, or null for a new one. */
  conversation: string | null;
  /** The conversation is another step's: that step completed, so the provider must know it. */
  continues: boolean;
  /** 1 for the first try. */
  attempt: number;
  /** Marks every process that this agent starts, see `actors/process`. */
  marker: { readonly [name: string]: string };
};

export type ToolEvent = {
  call: string;
  title?: string;
  kind?: ToolKind;
  status?: ToolStatus;
  input?: Json;
  output?: Json;
  content?: Block[];
  locations?: Location[];
};

export type Usage = {
  inputTokens?: number;
  outputTokens?: number;
  totalTokens?: number;
  /** Tokens that the conversation fills of the model's context, and how many it can hold. */
  used?: number;
  size?: number;
  cost?: { amount: number; currency: string };
};

export type AgentEvent =
  | { type: "text"; text: string }
  | { type: "thought"; text: string }
  /** A tool call begins, changes or ends. */
  | { type: "tool"; tool: ToolEvent }
  /** Live output of a running tool call. */
  | { type: "tool output"; call: string; text: string }
  | { type: "usage"; usage: Usage }
  | { type: "notice"; severity: "info" | "warning" | "error"; message: string }
  /** The provider's conversation id, as soon as it is known. */
  | { type: "conversation"; id: string }
  /** Something the parser did not know: kept and counted, never fatal. */
  | { type: "unknown"; value: Json };

export const AGENT_ERRORS = [
  "auth",
  "rate_limit",
  "overloaded",
  "network",
  "refused",
  "cut",
  "crashed",
  "timeout",
] as const;
/** Why an agent failed; the code of its fault is `EXECUTION.AGENT.<CLASS>`. */
export type AgentErrorClass = (typeof AGENT_ERRORS)[number];

export type AgentResult =
  | { status: "completed"; text: string; usage: Usage | null }
  | { status: "failed"; class: AgentErrorClass; message: string; text: string; usage: Usage | null };

export type Agent = {
  (request: AgentRequest, emit: (event: AgentEvent) => void, signal: AbortSignal): Promise<AgentResult>;
  /** What the agent gets of the user's environment beside what every agent gets. */
  readonly environment?: AllowedEnvironment;
};
