/** What an item of codex that is no message is to a reader: a tool call, its kind, title, places and result. */
import { relative, resolve } from "node:path";
import type { Block } from "../../../machines/exchange.ts";
import { type Json, own } from "../../../machines/model.ts";
import { type Fields, fieldsAt, fieldsOf, listAt, numberAt, textAt } from "../../base/json.ts";
import type { ToolEvent } from "../agent.ts";
import { shortened } from "../titles.ts";
import { commandOf } from "./command.ts";

/** The call, or null for an item that is not known. `isWhole`: it has ended. */
export function toolOf(item: Fields, isWhole: boolean, cwd: string): ToolEvent | null {
  const call = textAt(item, "id");
  if (call === null) return null;
  const tool = detailsOf(item, cwd);
  if (tool === null) return null;
  if (!isWhole) {
    const { content: _, ...begun } = tool;
    return { call, ...begun, status: "in_progress" };
  }
  return { call, ...tool, status: hasFailed(item) ? "failed" : "completed" };
}

const FAILED: ReadonlySet<string | null> = new Set(["failed", "declined"]);

function hasFailed(item: Fields): boolean {
  if (FAILED.has(textAt(item, "status"))) return true;
  return (numberAt(item, "exit_code") ?? 0) !== 0 || (own(item, "error") ?? null) !== null;
}

type Details = Omit<ToolEvent, "call" | "status">;

function detailsOf(item: Fields, cwd: string): Details | null {
  switch (textAt(item, "type")) {
    case "command_execution": {
      const command = commandOf(textAt(item, "command") ?? "");
      return {
        title: shortened(command),
        kind: "execute",
        input: { command },
        ...said(textAt(item, "aggregated_output")),
      };
    }
    case "file_change":
      return changeOf(item, cwd);
    case "mcp_tool_call": {
      const title = `${textAt(item, "server") ?? "?"}: ${textAt(item, "tool") ?? "?"}`;
      return { title, kind: "other", input: own(item, "arguments") ?? {}, ...mcpResult(item) };
    }
    case "collab_tool_call": {
      const prompt = textAt(item, "prompt");
      const input: Json = prompt === null ? {} : { prompt };
      return { title: textAt(item, "tool") ?? "Agent", kind: "think", input };
    }
    case "web_search": {
      const query = textAt(item, "query") ?? "";
      return { title: shortened(`Search the web ${query}`), kind: "fetch", input: { query } };
    }
    case "todo_list":
      return { title: "Plan", kind: "think", input: { items: [...listAt(item, "items")] } };
    default:
      return null;
  }
}

function changeOf(item: Fields, cwd: string): Details {
  const changes = listAt(item, "changes").map(fieldsOf);
  const paths = changes.flatMap((change) => textAt(change, "path") ?? []).map((path) => resolve(cwd, path));
  const shown = paths.map((path) => {
    const inside = relative(cwd, path);
    return inside.startsWith("..") ? path : inside;
  });
  const isRemoval = changes.length > 0 && changes.every((change) => textAt(change, "kind") === "delete");
  return {
    title: shortened(`${isRemoval ? "Delete" : "Edit"} ${shown.join(", ")}`),
    kind: isRemoval ? "delete" : "edit",
    input: { changes: changes.map((change) => ({ ...change })) },
    locations: paths.map((path) => ({ path })),
  };
}

function mcpResult(item: Fields): { content?: Block[] } {
  const message = textAt(fieldsAt(item, "error"), "message");
  if (message !== null) return { content: [{ type: "text", text: message }] };
  const blocks = listAt(fieldsAt(item, "result"), "content").map(fieldsOf);
  const content = blocks.map((block): Block => {
    const text = textAt(block, "type") === "text" ? textAt(block, "text") : null;
    if (text !== null) return { type: "text", text };
    // The data of an image is large and of no use to a reader of the log.
    return { type: "unknown", value: { type: textAt(block, "type") ?? "unknown" } };
  });
  return content.length === 0 ? {} : { content };
}

const said = (text: string | null): { content?: Block[] } =>
  text === null || text === "" ? {} : { content: [{ type: "text", text }] };
