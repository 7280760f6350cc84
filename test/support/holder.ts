/** What a client holds of a session: it knows the protocol's updates and keeps them as any client would. */
import type { SessionUpdate } from "@agentclientprotocol/sdk";
import type { View } from "../../projections/acp/view.ts";
import { faultOf } from "./acp-schema.ts";

type Fields = { [name: string]: unknown };
type TerminalMeta = {
  terminal_info?: { terminal_id: string };
  terminal_output?: { terminal_id: string; data: string };
};
export type Held = {
  title: unknown;
  plan: unknown;
  usage: unknown;
  cards: object;
  messages: object;
  unasked: string[];
};

export class Holder {
  readonly #cards = new Map<string, Fields>();
  readonly #messages = new Map<string, string>();
  readonly #terminals = new Map<string, string>();
  readonly #questions = new Set<string>();
  #title: unknown = null;
  #plan: unknown = null;
  #usage: unknown = null;

  see(views: readonly View[]): void {
    for (const view of views) {
      if ("permission" in view) this.#questions.add(view.permission.permission);
      if ("resolved" in view) this.#questions.delete(view.resolved);
      if ("update" in view) this.hear(view.update);
    }
  }

  /** As if it had come only now, and was told what stands: texts and cards that have ended are gone. */
  forget(keeps: { title: boolean; plan: boolean; usage: boolean }): void {
    this.#messages.clear();
    for (const [id, { status }] of this.#cards)
      if (status === "completed" || status === "failed") this.#cards.delete(id);
    if (!keeps.title) this.#title = null;
    if (!keeps.plan) this.#plan = null;
    if (!keeps.usage) this.#usage = null;
  }

  /** All of it, with the output of terminals where they stand. */
  get held(): Held {
    const cards = [...this.#cards].sort().map(([id, { content, ...fields }]) => {
      const shown = ((content ?? []) as { type: string; terminalId?: string }[]).map((one) =>
        one.type === "terminal" ? { terminal: this.#terminals.get(one.terminalId ?? "") } : one,
      );
      return [id, { ...fields, content: shown }];
    });
    return {
      title: this.#title,
      plan: this.#plan,
      usage: this.#usage,
      cards: Object.fromEntries(cards),
      messages: Object.fromEntries([...this.#messages].sort()),
      unasked: [...this.#questions],
    };
  }

  /** One update, as it came. Throws for one that is not the protocol's, or is of a card that it was never told. */
  hear(update: SessionUpdate): void {
    const fault = faultOf("SessionUpdate", update);
    if (fault !== null) throw new Error(fault);
    switch (update.sessionUpdate) {
      case "session_info_update":
        this.#title = update.title;
        return;
      case "plan":
        this.#plan = update.entries;
        return;
      case "usage_update":
        this.#usage = update;
        return;
      case "tool_call":
      case "tool_call_update": {
        const { sessionUpdate: _, toolCallId, _meta, ...fields } = update;
        const { terminal_info, terminal_output, ...meta } = (_meta ?? {}) as TerminalMeta & Fields;
        if (terminal_info) this.#terminals.set(terminal_info.terminal_id, "");
        if (terminal_output) {
          const { terminal_id: id, data } = terminal_output;
          this.#terminals.set(id, (this.#terminals.get(id) ?? "") + data);
        }
        const { terminal_exit: __, ...rest } = meta;
        const marks = Object.keys(rest).length === 0 ? {} : { _meta: rest };
        if (update.sessionUpdate === "tool_call_update" && !this.#cards.has(toolCallId))
          throw new Error(`an update of a card that is not there: ${toolCallId}`);
        this.#cards.set(toolCallId, { ...this.#cards.get(toolCallId), ...fields, ...marks });
        return;
      }
      case "agent_message_chunk":
      case "agent_thought_chunk":
      case "user_message_chunk": {
        const { content, messageId } = update;
        const id = `${update.sessionUpdate} ${messageId ?? "-"}`;
        this.#messages.set(
          id,
          (this.#messages.get(id) ?? "") + (content.type === "text" ? content.text : content.type),
        );
        return;
      }
      case "available_commands_update":
        return;
      default:
        throw new Error(`not expected: ${update.sessionUpdate}`);
    }
  }
}
