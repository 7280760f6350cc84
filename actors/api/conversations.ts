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

export type ConversationStatus = "opening" | "idle" | "working" | "cancelling" | "lost" | "view only";
export type ChatMode = { id: string; name: string; description: string };
/** `current`: a value, or whether it is on. `values`: none where it is on or off. */
export type ChatSetting = {
  id: string;
  name: string;
  category: string | null;
  current: string | boolean;
  values: { value: string; name: string }[];
};
export type ChatCommand = { name: string; description: string; hint: string };
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
  cancel(): void;
  /** Throws USER.CONVERSATION.SETTING. */
  setMode(mode: string): Promise<void>;
  set(setting: string, value: string | boolean): Promise<void>;
  /** `option`: null for no answer. */
  answer(question: string, option: string | null): void;
  accept(path: string): void;
  /** Takes back what the agent wrote, where the file is still as it left it. */
  reject(path: string): Promise<ChatEdit | null>;
  close(): Promise<void>;
}

export type ConversationOptions = {
  /** Writes the frames of this conversation, masked, to this file. */
  framesLog?: string;
};
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
