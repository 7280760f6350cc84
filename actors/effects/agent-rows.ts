/**
 * An agent's events as rows of the log.
 *
 * I1. A text block is `<step>@<attempt>.<n>`; a new one begins when thought and text change over, and after a tool call
 *     began or ended.
 * I2. Each call has one `tool.call` first and one `tool.result` last. What comes after that is an update, which has the
 *     call's title and kind, and how it has ended: who has let go of the call can show it, and it does not begin again.
 *     Output that comes after is kept in its block, and shows no call.
 * I3. `close` ends the calls that are open, as the agent has ended, and is the last to write: what an agent says after its
 *     end is dropped.
 * I4. The step gets the conversation's id until it has it: one that a failed write dropped is reported again with the
 *     agent's next word.
 * I5. What an agent sends in a form that is not known here is kept in its place, MOST_KEPT times an attempt; one
 *     that is longer than MOST_KEPT_CHARS by its kind alone.
 * I6. A call has the id that its agent gives it, but where that holds a secret or is too long: then it has one of ours.
 */
import type { EventObject } from "xstate";
import type { Row, ToolFields, ToolStatus } from "../../machines/exchange.ts";
import { type Json, type Origin, own } from "../../machines/model.ts";
import { type AgentEvent, type AgentResult, type ToolEvent, tellsTokens, type Usage } from "../agents/agent.ts";
import { shortened } from "../agents/titles.ts";
import type { TextBlock, WorkContext } from "../host/host.ts";
import type { Mask } from "../masking/masking.ts";
import type { Pricing } from "./price.ts";

const MOST_KEPT = 64;
const MOST_KEPT_CHARS = 16_384;
const MOST_ID_CHARS = 1_000;
/** What a call is named whose id is not kept. */
const OURS = /^#\d+$/;
const KINDS = ["sessionUpdate", "type", "subtype"];
/** The fields that say of what kind a message is. */
const kindIn = (value: Json): { [name: string]: string } =>
  Object.fromEntries(
    KINDS.flatMap((name) => {
      const kind = typeof value === "object" && value !== null && !Array.isArray(value) ? own(value, name) : undefined;
      return typeof kind === "string" && kind.length <= 256 ? [[name, kind]] : [];
    }),
  );

/** What a person has seen of an agent, or it has done. */
const VISIBLE: readonly AgentEvent["type"][] = ["text", "thought", "tool", "tool output"];
/** `ended`: how, once it has. */
type Call = {
  id: string;
  shown: Required<Pick<ToolFields, "title" | "kind">>;
  ended: ToolStatus | null;
  output: TextBlock | null;
};
type CallEnd = Omit<ToolFields, "call"> & { status: ToolStatus };
/** How calls have ended whose end the agent did not tell. */
export type CallsEnd = { status: "completed" } | { status: "failed"; reason: string };
type MessageType = "message.assistant" | "message.thought";

/** How the calls of an agent have ended whose end it did not tell: one that answered is done with what it was let do. */
export function callsEnd({ status }: AgentResult, { aborted }: AbortSignal): CallsEnd {
  if (aborted) return { status: "failed", reason: "The step was cancelled." };
  return status === "completed" ? { status } : { status, reason: "The agent ended before this call did." };
}

export class AgentRows {
  readonly #context: WorkContext;
  readonly #place: { run: string; step: string };
  readonly #prefix: string;
  readonly #attempt: { attempt?: number };
  readonly #calls = new Map<string, Call>();
  #text: TextBlock | null = null;
  #thought: TextBlock | null = null;
  #blocks = 0;
  #unknown = 0;
  #renamed = 0;
  #closed = false;
  readonly #priced: Pricing;
  readonly #mask: Pick<Mask, "text"> | undefined;
  #conversation: string | null;
  /** A write that failed has dropped the note of it. */
  #unnoted = false;
  /** It has said something, or begun with a tool. */
  shown = false;
  /** The last usage that was recorded. */
  usage: Usage | null = null;

  /**
   * `conversation`: the one that the agent continues, already known to the step. `priced`: adds what use costs. `mask`:
   * knows secrets.
   */
  constructor(
    context: WorkContext,
    { run, step }: Origin,
    attempt: number,
    conversation: string | null,
    priced: Pricing = (usage) => usage,
    mask?: Pick<Mask, "text">,
  ) {
    this.#mask = mask;
    this.#context = context;
    this.#priced = priced;
    this.#place = { run, step };
    this.#prefix = `${step}@${attempt}.`;
    this.#attempt = attempt === 1 ? {} : { attempt };
    this.#conversation = conversation;
  }

  get conversation(): string | null {
    return this.#conversation;
  }

  take(event: AgentEvent): void {
    if (this.#closed) return;
    if (this.#unnoted) this.#noteConversation();
    this.shown ||= VISIBLE.includes(event.type);
    switch (event.type) {
      case "text":
        if (this.#text === null) {
          this.#breakText();
          this.#text = this.#open("message.assistant");
        }
        return this.#text.say(event.text);
      case "thought":
        if (this.#thought === null) {
          this.#breakText();
          this.#thought = this.#open("message.thought");
        }
        return this.#thought.say(event.text);
      case "tool":
        return this.#tool(event.tool);
      case "tool output":
        return this.#output(event.call, event.text);
      case "usage":
        return this.#recordUsage(event.usage);
      case "notice":
        return this.#notice(event.severity, event.message);
      case "conversation":
        return this.#converse(event.id);
      case "limited":
        return;
      case "unknown":
        return this.#keep(event.value);
      default:
        return event satisfies never;
    }
  }

  /** Ends what is open (I3). `usage`: of the whole attempt, recorded if the agent told no tokens before. */
  close(usage: Usage | null, end: CallsEnd): void {
    const fields: CallEnd =
      end.status === "completed" ? end : { status: end.status, content: [{ type: "text", text: end.reason }] };
    for (const call of this.#calls.values()) if (call.ended === null) this.#end(call, fields);
    if (usage !== null && !tellsTokens(this.usage)) this.#recordUsage({ ...this.usage, ...usage });
    const more = this.#unknown - MOST_KEPT;
    if (more > 0) this.#notice("info", `${more} more events of the agent had a form that Troupe does not know`);
    this.#closed = true;
  }

  /** What is not understood keeps its place among what is (I5). */
  #keep(value: Json): void {
    this.#unknown += 1;
    if (this.#unknown > MOST_KEPT) return;
    const kept = JSON.stringify(value).length > MOST_KEPT_CHARS ? { ...kindIn(value), cut: true } : value;
    const payload = {
      severity: "info",
      message: "the agent sent something in a form that Troupe does not know",
      kept,
    } as const;
    this.#record({ type: "notice", ...this.#place, payload });
  }

  #open(type: MessageType): TextBlock {
    this.#blocks += 1;
    return this.#context.text({ type, ...this.#place, block: this.#prefix + this.#blocks });
  }
  #breakText(): void {
    this.#text?.end();
    this.#thought?.end();
    this.#text = null;
    this.#thought = null;
  }

  #tool({ call: id, ...fields }: ToolEvent): void {
    let call = this.#calls.get(id);
    const ends = fields.status === "completed" || fields.status === "failed";
    if (call === undefined) {
      const { output: _, content: __, ...first } = fields;
      call = this.#begin(id, ends ? { ...first, status: "in_progress" } : fields);
      if (!ends) return;
    }
    const { title = call.shown.title, kind = call.shown.kind } = fields;
    call.shown = { title, kind };
    if (ends && call.ended === null) return this.#end(call, { ...fields, status: fields.status ?? "completed" });
    const after = call.ended === null ? {} : { ...call.shown, ...(ends ? {} : { status: call.ended }) };
    this.#record({ type: "tool.update", ...this.#place, payload: { call: call.id, ...fields, ...after } });
  }

  #begin(id: string, fields: Omit<ToolFields, "call">): Call {
    const { title = shortened(id), kind = "other" } = fields;
    const call: Call = { id: this.#prefix + this.#nameOf(id), shown: { title, kind }, ended: null, output: null };
    this.#calls.set(id, call);
    this.#breakText();
    const payload = { title, kind, status: "pending", ...fields, call: call.id } as const;
    this.#record({ type: "tool.call", ...this.#place, payload });
    return call;
  }

  /** I6. */
  #nameOf(id: string): string {
    const isFit = id.length <= MOST_ID_CHARS && !OURS.test(id) && (this.#mask?.text(id) ?? id) === id;
    return isFit ? id : `#${++this.#renamed}`;
  }

  #end(call: Call, fields: CallEnd): void {
    call.ended = fields.status;
    call.output?.end();
    this.#breakText();
    this.#record({ type: "tool.result", ...this.#place, payload: { ...fields, call: call.id } });
  }

  #output(id: string, text: string): void {
    const call = this.#calls.get(id) ?? this.#begin(id, { status: "in_progress" });
    call.output ??= this.#context.text({
      type: "tool.update",
      ...this.#place,
      block: `${call.id}.output`,
      call: call.id,
    });
    call.output.say(text);
  }

  #recordUsage(usage: Usage): void {
    this.usage = usage;
    this.#record({ type: "usage.recorded", ...this.#place, payload: { ...this.#priced(usage), ...this.#attempt } });
  }
  #notice(severity: "info" | "warning" | "error", message: string): void {
    this.#record({ type: "notice", ...this.#place, payload: { severity, message } });
  }
  #converse(id: string): void {
    if (id === this.#conversation) return;
    this.#conversation = id;
    this.#noteConversation();
  }
  #noteConversation(): void {
    this.#unnoted = false;
    // It is on its way before the result, which names the conversation once more: no one need wait for it.
    this.#context.tell({ type: "work.noted", conversation: this.#conversation } as EventObject).catch(() => {
      this.#unnoted = true;
    });
  }
  #record(row: Row): void {
    this.#context.record(row);
  }
}
