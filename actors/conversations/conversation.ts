/**
 * One open conversation. Its machine decides what is sent and when; here is what is no data: process, prompts, followers.
 *
 * I1. Nothing is shown that was not kept before. What `session/load` tells again is neither.
 * I2. An agent that is lost is started again by the next prompt, with everything asked for its start asked anew. H51.
 * I3. An earlier session continues by the one rule (`machines/conversation/resume.ts`); no other session ever takes its place.
 * I4. After `close` nothing of the agent runs, however far its start had come.
 */
import type { SessionUpdate } from "@agentclientprotocol/sdk";
import { type Actor, createActor } from "xstate";
import type { ChatEdit, ChatEvent } from "../../machines/conversation/event.ts";
import { conversationMachine } from "../../machines/conversation-machine.ts";
import type { Json } from "../../machines/model.ts";
import type { SessionPlace } from "../acp-client/client.ts";
import { isClientError } from "../acp-client/errors.ts";
import { Roots } from "../acp-client/files/roots.ts";
import type { FrameMasking } from "../acp-client/frames/frame-mask.ts";
import type { AgentSession } from "../acp-client/session.ts";
import type { SingleClient } from "../acp-client/single.ts";
import { wayIn } from "../agents/acp/sign-in.ts";
import type { Conversation, ConversationState, ConversationStatus } from "../api/conversations.ts";
import { TroupeError, troupeError } from "../errors/troupe-error.ts";
import { Edits } from "./edits.ts";
import { openSession } from "./opening.ts";
import { Prompts } from "./prompts.ts";
import { ChatQuestions } from "./questions.ts";
import type { Reaching } from "./reaching.ts";
import type { Recorder } from "./recorder.ts";
import { greeted, NO_STATE, opened, settingOf, type ToldState, updated } from "./session-state.ts";
import { statusOf } from "./status.ts";
import { Telling } from "./telling.ts";
import { ToolCalls } from "./tool-calls.ts";

export type ConversationParts = {
  agent: { id: string; slug: string; name: string };
  cwd: string;
  recorder: Recorder;
  reaching: Reaching;
  mask: FrameMasking;
  maxImageBytes: () => number;
  /** What stands before the first prompt: the words of the folder, the summary of an earlier conversation. */
  preface: readonly string[];
  /** It is left: others may continue it. */
  left: () => void;
};

export class LiveConversation implements Conversation {
  readonly id: string;
  readonly agent: Conversation["agent"];
  readonly cwd: string;
  readonly #parts: ConversationParts;
  readonly #actor: Actor<typeof conversationMachine>;
  readonly #telling: Telling;
  readonly #prompts: Prompts;
  readonly #questions: ChatQuestions;
  readonly #calls = new ToolCalls(() => this.#edits);
  readonly #settled = Promise.withResolvers<void>();
  #edits: Edits | null = null;
  #client: SingleClient | null = null;
  #session: AgentSession | null = null;
  #known: ToldState = NO_STATE;
  #closing: Promise<void> | null = null;
  #isSettled = false;
  #fault: unknown = null;

  constructor(parts: ConversationParts) {
    this.#parts = parts;
    this.id = parts.recorder.index.head.id;
    this.agent = parts.agent;
    this.cwd = parts.cwd;
    this.#questions = new ChatQuestions((event) => this.#tell(event), parts.cwd);
    this.#prompts = new Prompts(parts.preface);
    this.#telling = new Telling(parts.mask);
    this.#actor = createActor(conversationMachine);
    this.#actor.on("session.due", () => void this.#opened());
    this.#actor.on("prompt.due", ({ prompt }) => void this.#prompted(prompt));
    this.#actor.on("cancel.due", () => this.#session?.cancel());
    this.#actor.on("prompt.refused", ({ prompt, why }) => {
      this.#prompts.drop(prompt);
      this.#tell({ type: "notice", message: `not sent: ${why}` });
    });
    this.#actor.subscribe(() => this.#tell({ type: "state" }));
  }

  get state(): ConversationState {
    const { waiting } = this.#actor.getSnapshot().context;
    return { ...this.#known, status: this.#status, waiting: waiting.map((id) => this.#prompts.shown(id)) };
  }
  get fault(): unknown {
    return this.#fault;
  }
  get edits(): ChatEdit[] {
    return this.#edits?.all ?? [];
  }
  readonly follow: Conversation["follow"] = (hear) => this.#telling.follow(hear);
  async open(): Promise<void> {
    this.#actor.start();
    await this.#settled.promise;
  }
  async prompt(text: string): Promise<void> {
    this.#actor.send({ type: "prompt.given", prompt: this.#prompts.add(text) });
  }
  drop(id: string): void {
    this.#actor.send({ type: "prompt.dropped", prompt: id });
    this.#prompts.drop(id);
  }
  release(): void {
    this.#actor.send({ type: "queue.released" });
  }
  cancel(): void {
    this.#actor.send({ type: "cancel.requested" });
  }
  async setMode(mode: string): Promise<void> {
    await this.#sessionNow().setMode(mode);
    this.#learn({ ...this.#known, mode });
  }
  async set(setting: string, value: string | boolean): Promise<void> {
    const settings = await this.#sessionNow().setOption(setting, value);
    this.#learn({ ...this.#known, settings: settings.map(settingOf) });
  }
  answer(question: string, option: string | null): void {
    this.#questions.answer(question, option);
  }
  accept(path: string): void {
    this.#decided(this.#edits?.accept(path) ?? null);
  }
  async reject(path: string): Promise<ChatEdit | null> {
    return this.#decided((await this.#edits?.reject(path)) ?? null);
  }
  close(): Promise<void> {
    this.#closing ??= (async () => {
      const { recorder, reaching, left } = this.#parts;
      await this.#client?.close();
      recorder.close();
      await reaching.close();
      this.#actor.stop();
      left();
    })();
    return this.#closing;
  }

  get #status(): ConversationStatus {
    return statusOf(this.#actor.getSnapshot());
  }
  readonly #tell = (event: ChatEvent): void => this.#telling.tell(event);
  #learn(known: ToldState): void {
    if (known === this.#known) return;
    this.#known = known;
    this.#tell({ type: "state" });
  }
  #sessionNow(): AgentSession {
    if (this.#session !== null) return this.#session;
    throw new TroupeError("USER.CONVERSATION.SETTING", "the agent has no session now; say something to it first");
  }
  #decided(edit: ChatEdit | null): ChatEdit | null {
    if (edit === null) return null;
    const { path, fate: decision } = edit;
    if (decision === "accepted" || decision === "rejected") this.#parts.recorder.note({ type: "edit", path, decision });
    this.#tell({ type: "edited", edit });
    return edit;
  }

  async #opened(): Promise<void> {
    let client: SingleClient | null = null;
    try {
      this.#edits ??= new Edits(await Roots.of(this.cwd));
      const reached = await this.#parts.reaching.start({
        recorder: this.#parts.recorder,
        questions: this.#questions,
        calls: this.#calls,
        edits: () => this.#edits,
        onUpdate: (update, isReplay) => this.#updated(update, isReplay),
        onUnknown: (update, isReplay) => void (isReplay || this.#telling.update(update as Json)),
        onFault: (error) => this.#tell({ type: "notice", message: worded(error) }),
        notice: (message) => this.#tell({ type: "notice", message }),
      });
      client = reached.client;
      await this.#begun(client, reached.mcpServers);
    } catch (refused) {
      await client?.close();
      if (this.#closing !== null) return; // it was left meanwhile
      const error = wayIn(refused, this.agent);
      if (this.#isSettled) this.#tell({ type: "notice", message: worded(error) });
      else this.#fault = error;
      // Another try may do; it is made when the person says something.
      this.#actor.send({ type: "session.failed", canRetry: true });
    } finally {
      this.#isSettled = true;
      this.#settled.resolve();
    }
  }

  #updated(update: SessionUpdate, isReplay: boolean): void {
    this.#learn(updated(this.#known, update));
    if (isReplay) return;
    this.#calls.read(update);
    this.#telling.update(update as unknown as Json);
  }
  async #begun(client: SingleClient, mcpServers: NonNullable<SessionPlace["mcpServers"]>): Promise<void> {
    const { recorder } = this.#parts;
    this.#known = greeted(this.#known, client.calls.agent);
    const opening = await openSession(client, recorder, { cwd: this.cwd, mcpServers });
    if (opening.by === "view only") {
      await client.close();
      this.#tell({ type: "view only", why: opening.why });
      this.#actor.send({ type: "session.failed", canRetry: false });
      return;
    }
    const { session, by } = opening;
    this.#client = client;
    this.#session = session;
    void client.ended.then((why) => this.#client === client && this.#lostNow(why, this.#status === "working"));
    recorder.note({ type: "opened", session: session.id, by });
    this.#learn(opened(this.#known, session.opened));
    this.#tell({ type: "opened", by });
    this.#actor.send({ type: "session.opened" });
  }

  async #prompted(id: string): Promise<void> {
    let well = false;
    try {
      const session = this.#sessionNow();
      const place = { cwd: this.cwd, takesImages: this.#known.takesImages, maxBytes: this.#parts.maxImageBytes() };
      const blocks = this.#prompts.take(id, place);
      this.#tell({ type: "prompted", blocks: blocks as unknown as Json });
      const { stopReason } = await session.prompt(blocks, { whenBusy: "fail" });
      this.#prompts.preface = [];
      this.#tell({ type: "ended", outcome: stopReason, why: "" });
      well = stopReason === "end_turn";
    } catch (error) {
      if (isClientError(error, "outcomeUnknown")) this.#lostNow(error.message, true);
      else this.#tell({ type: "ended", outcome: "failed", why: worded(error) });
    }
    this.#questions.turnEnded();
    this.#calls.forget();
    for (const edit of this.#edits?.fresh() ?? []) this.#tell({ type: "edited", edit });
    this.#actor.send({ type: "turn.ended", well });
  }

  #lostNow(why: string, isUnknown: boolean): void {
    if (this.#closing !== null || this.#client === null) return;
    this.#client = null;
    this.#session = null;
    this.#parts.recorder.note({ type: "lost", why });
    this.#tell({ type: "lost", why, isUnknown });
    this.#actor.send({ type: "agent.lost" });
  }
}

const worded = (error: unknown): string => `${troupeError(error).message} [${troupeError(error).code}]`;
