/** The end of a tool call: `tool_result` blocks, and the results of tools that run at the provider. */
import type { Block } from "../../../machines/exchange.ts";
import { type Json, own } from "../../../machines/model.ts";
import { type Fields, fieldsOf, listOf, textAt } from "../../base/json.ts";
import type { AgentEvent, ToolEvent } from "../agent.ts";
import { diffOf } from "./diff.ts";

/** Blocks of a user's message that bring nothing new: the prompt, and the words of an interruption. */
const SILENT: ReadonlySet<string | null> = new Set(["text", "image", "document"]);

/** `told`: what the tool reports beside the text for the model. */
export function toolEnd(block: Fields, told: Json | undefined, cwd: string): AgentEvent[] {
  const type = textAt(block, "type");
  if (SILENT.has(type)) return [];
  const call = textAt(block, "tool_use_id");
  if (type === null || !type.endsWith("tool_result") || call === null) {
    return [{ type: "unknown", value: { ...block } }];
  }
  const failed = own(block, "is_error") === true;
  const diff = failed ? null : diffOf(told, cwd);
  const blocks = contentOf(own(block, "content"));
  const content = diff === null ? blocks : [diff];
  const tool: ToolEvent = { call, status: failed ? "failed" : "completed" };
  if (content.length > 0) tool.content = content;
  return [{ type: "tool", tool }];
}

/** The end of a call whose subagent worked in the background, by what is told of it in the end. */
export function taskEnd(told: Fields): AgentEvent[] {
  const call = textAt(told, "tool_use_id") ?? "";
  const text = textAt(told, "summary") ?? "";
  const tool: ToolEvent = { call, status: textAt(told, "status") === "completed" ? "completed" : "failed" };
  if (text !== "") tool.content = [{ type: "text", text }];
  return [{ type: "tool", tool }];
}

function contentOf(content: Json | undefined): Block[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }];
  return listOf(content).map((one) => {
    const block = fieldsOf(one);
    const text = textAt(block, "type") === "text" ? textAt(block, "text") : null;
    if (text !== null) return { type: "text", text };
    // The data of an image is large and of no use to a reader of the log.
    return { type: "unknown", value: { type: textAt(block, "type") ?? "unknown" } };
  });
}
