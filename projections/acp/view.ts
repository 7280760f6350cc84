/**
 * What a reader of the log in an ACP client is shown, as data. A transport sends it; nothing here does.
 * `ended`, `permission`, `resolved`, `retrying`, `chosen` and `unknown` are no messages: they pass on to the transport
 * what the log says.
 */
import type { ContentBlock, SessionUpdate, ToolCallContent } from "@agentclientprotocol/sdk";
import type { Block, ErrorFields, RowOf, StopReason } from "../../machines/exchange.ts";
import { visibleLine } from "../../machines/visible.ts";
import type { FailedRun } from "../runs/failures.ts";

/** A question as the log has it, and the card that shows it. */
export type PermissionView = RowOf<"permission.requested">["payload"] & { card: string };

export type View =
  | { update: SessionUpdate }
  /**
   * The turn is over, and every update that belongs to it was given before. `goesOn`: a run has outlived it. `failed`:
   * what its run has failed of.
   */
  | { ended: string; stopReason: StopReason; error: ErrorFields | null; goesOn: boolean; failed?: FailedRun }
  | { permission: PermissionView }
  /** The permission has its answer, or needs none any more. */
  | { resolved: string }
  /** A step has failed and is tried again; how that looks was given before. */
  | { retrying: RowOf<"step.retrying">["payload"] }
  /** Something was chosen for the session: what holds now has to be shown. */
  | { chosen: true }
  /** A row of a type this projection does not know: one for each such row, to be counted. */
  | { unknown: string };

/** Marks a card that ended because it was cancelled: v1 has no status for that. */
export const CANCELLED_META = { "troupe/cancelled": true } as const;

export const textBlock = (text: string): ContentBlock => ({ type: "text", text });
export const textContent = (text: string): ToolCallContent => ({ type: "content", content: textBlock(text) });

export const messageChunk = (messageId: string, text: string): View => ({
  update: { sessionUpdate: "agent_message_chunk", content: textBlock(text), messageId },
});
export const thoughtChunk = (messageId: string, text: string): View => ({
  update: { sessionUpdate: "agent_thought_chunk", content: textBlock(text), messageId },
});

/** Said behind what is shown of a session whose run was cut off: how to resume it. */
export const interruptedUpdate = (workflow: string): SessionUpdate => ({
  sessionUpdate: "agent_message_chunk",
  content: textBlock(
    `\n\nThe run of "${workflow}" was interrupted. Send any text to resume it, or cancel it. A command runs nothing until then.`,
  ),
});

/** Said of a prompt that was cancelled before it was sent on: the log has nothing of it. */
export const withdrawnUpdate = (): SessionUpdate => ({
  sessionUpdate: "agent_message_chunk",
  content: textBlock("Cancelled: nothing was run."),
});

/** `at`: milliseconds since the epoch. */
export const titleUpdate = (title: string, at: number): View => ({
  update: { sessionUpdate: "session_info_update", title: visibleLine(title), updatedAt: new Date(at).toISOString() },
});

/** A prompt, for a reader that has not sent it. */
export const userChunks = ({ turn, blocks }: { turn: string; blocks: readonly Block[] }): View[] =>
  blocks
    .filter((block) => block.type !== "text" || block.text !== "")
    .map((block) => ({
      update: { sessionUpdate: "user_message_chunk", content: contentBlock(block), messageId: `${turn}#user` },
    }));

/** A block of the log as a block of a message. What no client can show as itself becomes text. */
export function contentBlock(block: Block): ContentBlock {
  switch (block.type) {
    case "text":
      return textBlock(block.text);
    case "resource_link":
      return { type: "resource_link", uri: block.uri, name: block.name };
    case "resource":
      return { type: "resource", resource: { uri: block.uri, text: block.text } };
    case "image":
    case "audio":
      return textBlock(`[${block.type}: ${block.mimeType}, ${block.bytes} bytes]`);
    case "diff":
      return textBlock(block.path);
    case "terminal":
    case "unknown":
      return textBlock("[content of an unknown kind]");
    default:
      return block satisfies never;
  }
}

/** A block of the log as content of a card. */
export const cardContent = (block: Block): ToolCallContent =>
  block.type === "diff"
    ? { type: "diff", path: block.path, oldText: block.oldText, newText: block.newText }
    : block.type === "terminal"
      ? { type: "terminal", terminalId: block.terminal }
      : { type: "content", content: contentBlock(block) };
