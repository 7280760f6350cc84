/** The tool calls of a conversation as far as they are known, and what they do to files. H45, H46. */
import type { SessionUpdate, ToolCallUpdate } from "@agentclientprotocol/sdk";
import type { Edits } from "./edits.ts";
import { diffsOf, said } from "./questions.ts";

type Call = Partial<ToolCallUpdate>;

export class ToolCalls {
  readonly #edits: () => Edits | null;
  readonly #calls = new Map<string, Call>();

  constructor(edits: () => Edits | null) {
    this.#edits = edits;
  }

  find(id: string): Call {
    return this.#calls.get(id) ?? {};
  }
  /** A question about a call comes before it is done. */
  asked(call: ToolCallUpdate): void {
    this.#edits()?.announced(diffsOf(call.content));
  }
  read(update: SessionUpdate): void {
    if (update.sessionUpdate !== "tool_call" && update.sessionUpdate !== "tool_call_update") return;
    // Content and places replace what was there.
    const call: Call = { ...this.find(update.toolCallId), ...said(update) };
    this.#calls.set(update.toolCallId, call);
    const diffs = diffsOf(call.content);
    switch (call.status) {
      case "completed":
        this.#edits()?.done(diffs);
        this.#calls.delete(update.toolCallId);
        return;
      case "failed":
        this.#edits()?.failed(diffs);
        this.#calls.delete(update.toolCallId);
        return;
      default:
        this.#edits()?.announced(diffs);
    }
  }
  /** No turn is left in which one could end. */
  forget(): void {
    this.#calls.clear();
  }
}
