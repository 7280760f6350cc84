/**
 * What an agent is to a step: one request in, events out, one result. A provider is one file that exports an `Agent`.
 *
 * I1. `emit` is called in the order things happen and never waits.
 * I2. A tool call keeps one `call` id from its first event to its end.
 * I3. A tool that the program asks about is used only where `ask` allowed it.
 * I4. When `signal` aborts, the agent ends everything it started and then settles; it does not settle before.
 */
import type { Policy } from "../../machines/contracts.ts";
import type { FileEdit, Location, ToolFields, ToolKind } from "../../machines/exchange.ts";
import type { ServerSource } from "../../machines/mcp/merge.ts";
import type { McpServer } from "../../machines/mcp/server.ts";
import type { Json, Key } from "../../machines/model.ts";
import type { AttachmentKind } from "../../machines/prompt/attachment.ts";
import type { Attachment } from "../attachments/attachments.ts";
import type { EditorWrite } from "../base/editor-client.ts";
import type { AllowedEnvironment } from "../process/environment.ts";

/** `agent`: its id. `digest`: of all that is shown and more, so that nothing of it can change unseen. */
export type Launch = {
  /** The start of its process, or servers that it would be handed. */
  what: "start" | "servers";
  agent: string;
  slug: string;
  workspace: string;
  shown: { [name: string]: Json };
  digest: string;
};

export type AgentRequest = {
  prompt: string;
  systemPrompt: string | null;
  /** What a text of this session names of what a person sent along. */
  attached?: (text: string) => readonly Attachment[];
  /** The workflow's `options:` with templates rendered. */
  options: { readonly [name: string]: Json };
  /** A JSON Schema that the answer must fit. The prompt tells it too: a provider that takes schemas itself is given it. */
  outputSchema?: Json;
  cwd: string;
  /** Folders beside `cwd` that the session opens to its agents, absolute. */
  directories?: readonly string[];
  /** The span of this attempt as W3C's `traceparent`, where spans are reported. `env` has it too, but for `traced`. */
  traceparent?: string;
  /** The environment that D10 allows; a provider passes it on as it is. */
  env: { readonly [name: string]: string };
  /** The id of the provider's conversation to continue, or null for a new one. */
  conversation: string | null;
  /** The conversation is another step's: that step completed, so the provider must know it. */
  continues: boolean;
  /**
   * The prompt for a new conversation in the place of one that an earlier attempt of the step began and that is lost.
   * Left out where the prompt is meant for that very conversation: there another one would not understand it.
   */
  anew?: () => string;
  /** The MCP servers of this step, merged (D13); `options` does not name them again. */
  mcpServers: readonly McpServer[];
  /** Who brought each of them, by name. */
  serverSources?: { readonly [name: string]: ServerSource };
  /**
   * `replaced`: the agent is to work with the tools of `mcpServers` alone, as far as its program has an option for it.
   */
  ownTools: "kept" | "replaced";
  /** Troupe's own tools. An agent with `calls: "tools"` calls them; for the others they are one of `mcpServers`. */
  toolbox?: AgentToolbox;
  /** For an agent that keeps no conversations itself. */
  memory: AgentMemory;
  /** 1 for the first try. */
  attempt: number;
  /** Marks every process that this agent starts, see `actors/process`. */
  marker: { readonly [name: string]: string };
  /** A provider may keep a process for the next step of this session, with this marker, until nothing of it runs. */
  warm: { session: Key; marker: { readonly [name: string]: string } };
  /** The editor writes files in our place, for an agent that has us write them. */
  editorWrite?: EditorWrite;
  /** For an agent that asks again itself where its provider limits it: settles when it may. */
  mayAsk?: (afterMs: number, signal: AbortSignal) => Promise<void>;
  /** What a person says while the agent works, for one that takes it in then. */
  guidance?: Guidance;
  /**
   * Lets a program of the user's own start as it is shown, in this run; throws a `TroupeError` where no user agrees to
   * that. An agent that starts such a program without asking here is a fault.
   */
  approve?: (launch: Launch, signal: AbortSignal) => Promise<void>;
  /** Which way an agent is signed in to that asks for that, by its id; null for none. */
  signIn?: (methods: readonly SignInMethod[], signal: AbortSignal) => Promise<string | null>;
  /**
   * Asks whether a tool may be used; several may be asked at once. Never rejects: with no one to answer, or after an
   * abort, the answer is no. `signal` takes a question back that the program no longer asks.
   */
  ask(question: ToolQuestion, signal?: AbortSignal): Promise<ToolAnswer>;
  /** What the rules say of a tool; nobody is asked. For what a question has covered, and for each of many files. */
  rules(question: ToolQuestion): Policy;
};

/** `needsTerminal`: it runs in a terminal of its own, and nowhere else. */
export type SignInMethod = { id: string; name: string; description: string; needsTerminal: boolean };

/** `listen`: words come as they are said. `taken` tells that the agent has them; it is durable when that resolves. */
export type Guidance = { listen(hear: (words: GuidanceWords) => void): void };
export type GuidanceWords = { text: string; taken(): Promise<void> };

/** The messages of conversations, in Troupe's own store. Both are durable against a crash, and of this session alone. */
export type AgentMemory = {
  /** Oldest first; none where the conversation is not known. */
  read(conversation: string): Promise<readonly Json[]>;
  add(conversation: string, messages: readonly Json[]): Promise<void>;
};

/** Troupe's own tools, called by the agent itself: they ask, and they report the call, under the agent's id for it. */
export type AgentToolbox = {
  readonly offer: readonly { name: string; description: string; kind: ToolKind; schema: Json }[];
  call(name: string, input: unknown, signal: AbortSignal, id: string): Promise<{ text: string; isError: boolean }>;
};

/** What an agent wants to do, from the structured fields of its program, nothing shortened. */
export type ToolQuestion = {
  /** The tool's own name. */
  name: string;
  kind: ToolKind;
  /** All that the tool would get. */
  input: Json;
  /** What it would write: from the disk where we write, and as the agent says where it does. */
  edits?: readonly FileEdit[];
  /** The agent's own words for it. */
  title?: string;
  locations?: Location[];
  /** A tool of ours that reads, and cannot reach out of the workspace: it is asked about only where a rule says so. */
  confined?: boolean;
};
/** `message` is for the agent. `abort`: the agent is to be stopped, rather than work without the tool. */
export type ToolAnswer = { allowed: true } | { allowed: false; message: string; abort: boolean };

export type ToolEvent = ToolFields;

export type Usage = {
  inputTokens?: number;
  outputTokens?: number;
  totalTokens?: number;
  /** Tokens that the conversation fills of the model's context, and how many it can hold. */
  used?: number;
  size?: number;
  cost?: { amount: number; currency: string };
  /** The tokens are guessed. */
  estimated?: true;
};
/**
 * Whether it tells tokens; an agent may tell of its context, or of what it cost, alone. Noughts are what programs and
 * servers report that have not counted.
 */
export const tellsTokens = (usage: Usage | null): boolean =>
  usage !== null && [usage.inputTokens, usage.outputTokens, usage.totalTokens].some((count = 0) => count > 0);

/**
 * How long a provider lets nobody in. `account`: whatever model is asked, not this one alone. `passing`: the agent waits
 * and asks again by itself.
 */
export type Limited = { pause: { afterMs: number } | { until: number }; account?: true; passing?: true };

export type AgentEvent =
  | { type: "text"; text: string }
  | { type: "thought"; text: string }
  /** A tool call begins, changes or ends. */
  | { type: "tool"; tool: ToolEvent }
  /** Live output of a running tool call. */
  | { type: "tool output"; call: string; text: string }
  | { type: "usage"; usage: Usage }
  | { type: "notice"; severity: "info" | "warning" | "error"; message: string }
  /** The provider lets nobody in for a while. */
  | ({ type: "limited" } & Limited)
  /** The provider's conversation id, as soon as it is known. */
  | { type: "conversation"; id: string }
  /** Something the parser did not know: kept and counted, never fatal. */
  | { type: "unknown"; value: Json };

export const AGENT_ERRORS = [
  "auth",
  "no_credit",
  "rate_limit",
  "overloaded",
  "network",
  "refused",
  "cut",
  "not_found",
  "crashed",
  "timeout",
] as const;
/** Why an agent failed; the code of its fault is `EXECUTION.AGENT.<CLASS>`. */
export type AgentErrorClass = (typeof AGENT_ERRORS)[number];

/** `reason`: why the agent says that its turn ended, where it says so and has not just answered. */
export type AgentResult =
  | { status: "completed"; text: string; usage: Usage | null }
  | { status: "failed"; class: AgentErrorClass; message: string; text: string; usage: Usage | null; reason?: string };

export type Agent = {
  (request: AgentRequest, emit: (event: AgentEvent) => void, signal: AbortSignal): Promise<AgentResult>;
  /** What the agent gets of the user's environment beside what every agent gets. */
  readonly environment?: AllowedEnvironment;
  /** Options that are secrets: a workflow gives them as templates only, and their values are masked. */
  readonly secretOptions?: readonly string[];
  /** Its options for what a session chooses, taken from there where a step does not name them. */
  readonly takes?: { readonly model?: string; readonly effort?: string };
  /** It calls Troupe's own tools itself (`AgentRequest.toolbox`): there is no program that would need a server. */
  readonly calls?: "tools";
  /** It passes `traceparent` on itself, since its program outlives a step: `env` has none. */
  readonly traced?: true;
  /** What it can be given beside words; an agent that asks its program for it fails where the program does not. */
  readonly content?: readonly AttachmentKind[];
};

/** What the prompt of a request names. */
export const attachedTo = ({ attached, prompt }: Pick<AgentRequest, "attached" | "prompt">): readonly Attachment[] =>
  attached?.(prompt) ?? [];
