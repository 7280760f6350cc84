/**
 * An update of an agent as a conversation shows it. What was kept of one is as it came: of its form nothing is certain.
 *
 * I1. One without what its kind is shown by is of an unknown kind. What else of it is not in the protocol's form is left
 *     out, as the SDK does with what comes live.
 */
import { fieldOf } from "../../machines/conversation/index-of.ts";
import type { FileEdit } from "../../machines/exchange.ts";
import type { Json } from "../../machines/model.ts";
import { NO_KIND } from "../../machines/not-read.ts";

/** `text`: null where it is no text. */
export type ToldBlock = { type: string; text: string | null };
export type ToldContent = { type: "content"; block: ToldBlock } | ({ type: "diff" } & FileEdit);
/** Null is what the update does not say. `beside`: what a command wrote, of agents that tell it beside the update. */
export type ToldCall = {
  id: string;
  title: string | null;
  kind: string | null;
  status: string | null;
  content: ToldContent[] | null;
  beside: string | null;
};
export type PlanLine = { content: string; status: "pending" | "in_progress" | "completed" };
export type ToldUpdate =
  | { type: "said"; by: "agent" | "thought"; block: ToldBlock }
  | { type: "call"; call: ToldCall }
  | { type: "plan"; entries: PlanLine[] }
  | { type: "notice"; title: string }
  | { type: "nothing" }
  | { type: "other"; kind: string; why: Json };

/** Updates that say nothing to be read. */
const SILENT = new Set<Json>([
  ...["user_message_chunk", "available_commands_update", "current_mode_update", "config_option_update"],
  ...["session_info_update", "usage_update", "compaction_update", "compaction_summary_chunk"],
]);

export function toldOf(update: Json): ToldUpdate {
  const kind = fieldOf(update, "sessionUpdate");
  const other: ToldUpdate = { type: "other", kind: textOf(kind) ?? NO_KIND, why: fieldOf(update, "why") };
  if (SILENT.has(kind)) return { type: "nothing" };
  switch (kind) {
    case "agent_message_chunk":
    case "agent_thought_chunk": {
      const block = blockOf(fieldOf(update, "content"));
      return block === null ? other : { type: "said", by: kind === "agent_message_chunk" ? "agent" : "thought", block };
    }
    case "tool_call":
    case "tool_call_update": {
      const call = callOf(update);
      return call === null || (kind === "tool_call" && call.title === null) ? other : { type: "call", call };
    }
    case "plan": {
      const entries = fieldOf(update, "entries");
      return Array.isArray(entries) ? { type: "plan", entries: entries.flatMap(entryOf) } : other;
    }
    case "notice": {
      const title = textOf(fieldOf(update, "title"));
      return title === null || title === "" ? other : { type: "notice", title };
    }
    default:
      return other;
  }
}

const textOf = (value: Json): string | null => (typeof value === "string" ? value : null);

function blockOf(value: Json): ToldBlock | null {
  const type = textOf(fieldOf(value, "type"));
  const text = textOf(fieldOf(value, "text"));
  if (type === null || (type === "text" && text === null)) return null;
  return { type, text: type === "text" ? text : null };
}

function callOf(update: Json): ToldCall | null {
  const id = textOf(fieldOf(update, "toolCallId"));
  if (id === null) return null;
  const content = fieldOf(update, "content");
  return {
    id,
    title: textOf(fieldOf(update, "title")),
    kind: textOf(fieldOf(update, "kind")),
    status: textOf(fieldOf(update, "status")),
    content: Array.isArray(content) ? content.flatMap(contentOf) : null,
    beside: textOf(fieldOf(fieldOf(fieldOf(update, "_meta"), "terminal_output_delta"), "data")),
  };
}

function contentOf(value: Json): ToldContent[] {
  switch (fieldOf(value, "type")) {
    case "content": {
      const block = blockOf(fieldOf(value, "content"));
      return block === null ? [] : [{ type: "content", block }];
    }
    case "diff": {
      const [path, newText] = [textOf(fieldOf(value, "path")), textOf(fieldOf(value, "newText"))];
      const oldText = textOf(fieldOf(value, "oldText"));
      return path === null || newText === null ? [] : [{ type: "diff", path, oldText, newText }];
    }
    default:
      return [];
  }
}

function entryOf(value: Json): PlanLine[] {
  const content = textOf(fieldOf(value, "content"));
  const status = fieldOf(value, "status");
  const isBegun = status === "in_progress" || status === "completed";
  return content === null ? [] : [{ content, status: isBegun ? status : "pending" }];
}
