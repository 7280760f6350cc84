/** Conversations with agents, as they are listed, read, begun and continued. */
import type { ChatEdit, ChatEvent } from "../../machines/conversation/event.ts";

export type { ChatEdit, ChatEvent, ChatOption, ChatQuestion } from "../../machines/conversation/event.ts";

/** `there`: the agent can be asked. `removed`: the user has it no more; what it said can be viewed. */
export type ConversationAgent = { id: string; slug: string; name: string; is: "there" | "disabled" | "removed" };
/**
 * `session`: the agent's id of it. `turn`: `open` where the last prompt has no answer. `isOpen`: a process that lives
 * continues it now.
 */
export type ConversationRecord = {
  id: string;
  agent: ConversationAgent;
  cwd: string;
  session: string | null;
  title: string;
  startedAt: number;
  lastAt: number;
  prompts: number;
  turn: "none" | "open" | "ended";
  isOpen: boolean;
  from: string | null;
};

/** What a conversation does now. `lost`: its agent has ended; `view only`: nobody can continue it. */
export type ConversationStatus = "opening" | "idle" | "working" | "cancelling" | "lost" | "view only";
/** A mode that the agent offers. */
export type ChatMode = { id: string; name: string; description: string };
/** `current`: a value, or whether it is on. `values`: none where it is on or off. */
export type ChatSetting = {
  id: string;
  name: string;
  category: string | null;
  current: string | boolean;
  values: { value: string; name: string }[];
};
/** A command that the agent offers, and what it wants behind its name. */
export type ChatCommand = { name: string; description: string; hint: string };
/** How a conversation stands, for who shows it. */
export type ConversationState = {
  status: ConversationStatus;
  /** Prompts that wait, in their order. */
  waiting: { id: string; text: string }[];
  /** What the agent calls itself; "" before it has said so. */
  agentName: string;
  mode: string | null;
  modes: ChatMode[];
  settings: ChatSetting[];
  commands: ChatCommand[];
  usage: { used: number; size: number; cost: string | null } | null;
  /** Whether a prompt may hold images. */
  takesImages: boolean;
};

/** A conversation that this process has open. */
export interface Conversation {
  readonly id: string;
  readonly agent: { id: string; slug: string; name: string };
  readonly cwd: string;
  readonly state: ConversationState;
  /** Why it could not be opened; null where it was, or not tried yet. */
  readonly fault: unknown;
  /** What has changed in files and was not decided yet. */
  readonly edits: ChatEdit[];
  /** Hears all that happens from now on. */
  follow(hear: (event: ChatEvent) => void): () => void;
  /** Begins; before, nothing is started. Resolves when it takes prompts, or cannot. */
  open(): Promise<void>;
  /** `text`, and files by path: an image goes along where the agent takes it, else its place. Throws USER.CONVERSATION.FILE. */
  prompt(text: string): Promise<void>;
  /** A prompt that waits is taken back. */
  drop(id: string): void;
  /** What waits since a cancel or a loss is sent after all. */
  release(): void;
  /** Ends the turn that runs; what waits is kept until `release`. */
  cancel(): void;
  /** Throws USER.CONVERSATION.SETTING. */
  setMode(mode: string): Promise<void>;
  /** Sets one of `settings`. Throws USER.CONVERSATION.SETTING. */
  set(setting: string, value: string | boolean): Promise<void>;
  /** `option`: null for no answer. */
  answer(question: string, option: string | null): void;
  /** Keeps what the agent wrote to a file: it is no open edit any more. */
  accept(path: string): void;
  /** Takes back what the agent wrote, where the file is still as it left it. */
  reject(path: string): Promise<ChatEdit | null>;
  /** Ends the agent's process; the conversation is kept. Idempotent. */
  close(): Promise<void>;
}

/** How a conversation is opened. */
export type ConversationOptions = {
  /** Writes the frames of this conversation, masked, to this file. */
  framesLog?: string;
};
/** The conversations of this user: what is kept, and a way to begin, continue and remove one. */
export interface Conversations {
  /** Of all agents, removed ones too; the latest first. */
  list(): ConversationRecord[];
  /** By its id or the beginning of it; `@last` is the latest. Throws USER.CONVERSATION.UNKNOWN. */
  find(name: string): ConversationRecord;
  /** What was said, as it is kept: no agent is started. */
  events(id: string): ChatEvent[];
  /** A new one, with an agent by its slug or id. `from`: with the summary of this one. Throws USER.AGENT.UNKNOWN. */
  begin(agent: string, options?: ConversationOptions & { from?: string }): Conversation;
  /** Throws USER.CONVERSATION.VIEW_ONLY where its agent is gone. */
  goOn(id: string, options?: ConversationOptions): Conversation;
  /** What an earlier one came to, as a new one would be told. */
  summary(id: string): string;
  /** Throws USER.CONVERSATION.OPEN_ELSEWHERE. */
  remove(id: string): void;
}
